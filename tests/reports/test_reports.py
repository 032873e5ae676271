"""Reports of a house: reconciled with its ledger, the same for ever, for those who audit."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
import time_machine

from casino.house.attendants.models import Role
from casino.kit.documents.writers import FORMATS
from casino.play.settlement.models import Payout
from casino.reports.registers import preparing
from casino.reports.registers import summary as registers_summary
from ledger import journal
from tests.forms import LONG_FORM
from tests.support import builders, module_data
from tests.support.cashier import box_counted
from tests.support.playing import NOW, done
from tests.support.reporting import (
    DAY,
    WIDE,
    caught_up,
    days_by_chance,
    disagreeing,
    figures,
    frozen,
    got,
    table,
    with_a_fee_and_a_payout,
    won,
    written,
)

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = [
    pytest.mark.usefixtures("at_night"),
    pytest.mark.django_db,
    pytest.mark.long("postgresql", but="citus"),
]


played = module_data.shared(with_a_fee_and_a_payout)
house = module_data.house_of_its_own


# --- What they say


@pytest.mark.long("postgresql")
def test_a5_a_fee_box_is_reported_when_it_was_counted(house: House) -> None:
    """Whoever may count it must not know what to find."""
    before = got(house, "fees")
    [row] = table(before, "boxes")
    assert (row["taken"], row["counted"], row["state"]) == (None, None, "not counted yet")
    assert figures(before)["booked"] == figures(before)["taken"] == 6

    box_counted(house, {"1": 5})
    caught_up(house)
    [row] = table(got(house, "fees"), "boxes")

    assert (row["taken"], row["expected"], row["counted"], row["over_short"]) == (6, 6, 5, -1)
    assert row["position"] == journal.head(establishment=house.id)
    assert disagreeing(got(house, "fees")) == []


@pytest.mark.long("postgresql")
def test_a_payout_says_who_whom_how_much_by_which_rules_and_why(house: House) -> None:
    [row] = table(got(house, "payouts"), "payouts")

    assert (row["from"], row["to"], row["amount"], row["state"]) == ("pot", "Bo", 20, "Booked")
    assert "SH" in row["rules"]
    assert "Bo" in row["because"]
    [event] = journal.read(establishment=house.id, after=row["position"] - 1, limit=1)
    assert event.event_type == "settlement.booked"


@pytest.mark.long("postgresql")
@pytest.mark.rows(postgresql=2)
@pytest.mark.parametrize(
    ("given", "rows"),
    [({"player": "Bo"}, 1), ({"player": "Ada"}, 0), ({"player": "Nobody"}, 0),
     ({"state": "booked"}, 1), ({"state": "paid"}, 0)],
)  # fmt: skip
def test_payouts_narrowed_to(house: House, given: dict[str, Any], rows: int) -> None:
    assert len(table(got(house, "payouts", **given), "payouts")) == rows
    there, elsewhere = str(house.tables[1].pk), str(house.table.pk)
    assert len(table(got(house, "payouts", table=there, **given), "payouts")) == rows
    assert table(got(house, "payouts", table=elsewhere, **given), "payouts") == []


def test_the_summary_is_what_the_days_last_event_says(house: House) -> None:
    """B4."""
    event = frozen(house)

    summary = got(house, "summary")

    [day] = table(summary, "days")
    assert (day["gaming_day"], day["position"]) == (DAY, event.position)
    assert day["leaf_hash"] == event.leaf_hash.hex()
    amounts = {row["name"]: row["amount"] for row in table(summary, "money")}
    assert amounts["bought_in"] == event.data["totals"]["bought_in"] == 80
    assert disagreeing(summary) == []
    assert [each["name"] for each in summary["figures"] if each["agrees"]] == ["fees", "events"]


@pytest.mark.long("postgresql")
def test_the_summary_of_an_open_day_is_the_day_so_far_and_says_so(house: House) -> None:
    """Closed at that moment it would come to the same (B4)."""
    parts = ("play", "money", "fees", "owed", "cash", "games")
    open_day = got(house, "summary")
    head = journal.head(establishment=house.id)
    event = frozen(house)
    closed_day = got(house, "summary")

    [day] = table(open_day, "days")
    assert (day["closed_at"], day["closed_by"]) == (None, "open, so far")
    assert day["events"] <= table(closed_day, "days")[0]["events"] == event.data["events"]
    state = open_day["figures"][0]
    assert (state["name"], state["value"]) == ("state", f"open, so far: as of entry {head}")
    assert disagreeing(open_day) == []
    for part in parts:
        assert table(open_day, part) == table(closed_day, part)
    assert "state" not in {each["name"] for each in closed_day["figures"]}
    registers_summary.MEMORY.forget()
    registers_summary._days.cache_clear()
    then = got(house, "summary", through=str(head))
    assert [then["figures"], then["tables"]] == [open_day["figures"], open_day["tables"]]


def test_an_open_day_goes_on_from_what_was_folded_of_it(house: House) -> None:
    before = {each["name"]: each["number"] for each in table(got(house, "summary"), "play")}
    won(house)
    after = {each["name"]: each["number"] for each in table(got(house, "summary"), "play")}

    assert after["rounds"] > before["rounds"]
    registers_summary.MEMORY.forget()
    registers_summary._days.cache_clear()
    assert {each["name"]: each["number"] for each in table(got(house, "summary"), "play")} == after


@pytest.mark.long("postgresql")
def test_an_open_day_keeps_no_account_that_holds_nothing(house: House) -> None:
    """Of each game there was a pot, and a stake for each that played: as many as an evening has."""
    registers_summary.MEMORY.forget()
    won(house)
    got(house, "summary")
    [figures] = registers_summary.MEMORY._days.values()

    assert {name for name, held in figures.accounts.items() if not held} == set()
    assert figures.accounts


@pytest.mark.long("postgresql")
@pytest.mark.rows(1)
@pytest.mark.parametrize("seed", [1, 2])
def test_totals_reconcile_and_what_was_reported_as_of_a_position_stays(seed: int) -> None:
    """Whatever was voided, cashed out, counted or closed since."""
    kept: list[tuple[str, str, str, bytes]] = []
    with time_machine.travel(NOW, tick=True):
        for house in days_by_chance(seed, stretches=4 if LONG_FORM else 2):
            head = str(journal.head(establishment=house.id))
            for name in ("summary", "payouts", "fees"):
                summary = json.loads(written(house, name, **WIDE, through=head))
                assert disagreeing(summary) == [], (name, summary["figures"])
                for form in ("json", "csv"):
                    content = written(house, name, form, **WIDE, through=head)
                    kept.append((name, form, head, timeless(content)))
    assert len({content for *_, content in kept}) == len(kept)
    for name, form, head, content in kept:
        again = written(house, name, form, **WIDE, through=head)
        assert timeless(again) == content, (name, form, head)


def timeless(content: bytes) -> bytes:
    """All but when it was generated."""
    lines = content.splitlines()
    found = [line for line in lines if b"generated_at" not in line]
    assert len(lines) - len(found) == 1
    [header] = set(lines) - set(found)
    return b"\n".join(
        [*found, header.partition(b"generated_at")[0], header[-600:].partition(b"software")[2]]
    )


@pytest.mark.long("postgresql")
def test_the_same_request_gives_the_same_bytes(house: House) -> None:
    through = str(journal.head(establishment=house.id))
    before = {form: written(house, "payouts", form, day=DAY, through=through) for form in FORMATS}

    won(house)

    for form in ("json", "csv", "pdf"):
        assert written(house, "payouts", form, day=DAY, through=through) == before[form]


# --- As of when


def test_a_closed_day_is_reported_as_it_was_frozen_unless_requested_as_of_now(
    house: House,
) -> None:
    event = frozen(house)
    game = next(iter(table(got(house, "payouts"), "payouts")))
    assert got(house, "payouts", day=DAY)["header"]["position"] == event.position
    later = NOW + timedelta(days=1)
    with time_machine.travel(later, tick=False):
        paid = Payout.objects.get(establishment=house.id, amount=20)
        done(house, paid.game, "cash_out", player="Bo", amount=40, now=later)
        caught_up(house)

        before = table(got(house, "payouts", day=DAY), "payouts")
        known = table(got(house, "payouts", day=DAY, through="head"), "payouts")

    assert before == [game]
    assert [row["state"] for row in known] == ["Paid"]


# fmt: off
WRONG = [
    ({"day": "2026-13-01"},                         "day"),
    ({"day": "20261101"},                           "day"),
    ({"month": "2026-00"},                          "month"),
    ({"month": "November"},                         "month"),
    ({"from": "2026-11-01"},                        "to"),
    ({"to": "2026-11-01"},                          "from"),
    ({"from": "2026-11-02", "to": "2026-11-01"},    "to"),
    ({"from": "2020-01-01", "to": "2026-11-01"},    "to"),
    ({"day": DAY, "month": "2026-11"},              "day"),
    ({"through": "-1"},                             "through"),
    ({"through": "99999"},                          "through"),
    ({"through": "now"},                            "through"),
    ({"table": "Table 1"},                          "table"),
    ({"tabel": "x"},                                "tabel"),
    ({"format": "docx"},                            "format"),
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("given", "field"), WRONG)
def test_what_cannot_be_is_refused_with_its_field(
    house: House, given: dict[str, str], field: str
) -> None:
    answer = house.client(Role.AUDITOR).get(house.url("reports/fees/"), given)

    assert answer.status_code == 400
    assert answer.json()["field"] == field
    page = builders.signed_in(house.auditor).get("/reports/fees/", given)
    assert page.status_code == 400
    assert field in page.content.decode()


@pytest.mark.long("postgresql")
def test_a_long_stretch_takes_a_worker(house: House) -> None:
    given = {"from": "2026-01-01", "to": "2026-11-30"}

    answer = house.client(Role.AUDITOR).get(house.url("reports/fees/"), given)

    assert (answer.status_code, answer.json()["code"]) == (422, "needs_worker")
    page = builders.signed_in(house.auditor).get("/reports/fees/", given)
    assert "a worker prepares its files" in page.content.decode()


@pytest.mark.long("postgresql")
def test_many_lines_of_one_table_take_a_worker_whatever_is_known_of_the_others(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How many days and players a cash log sums up nobody counts beforehand; its moves are."""
    monkeypatch.setattr(preparing, "AT_ONCE", 3)

    answer = house.client(Role.AUDITOR).get(house.url("reports/cash-log/"), {"day": DAY})

    assert (answer.status_code, answer.json()["code"]) == (422, "needs_worker")
    few = house.client(Role.AUDITOR).get(house.url("reports/fees/"), {"day": DAY})
    assert few.status_code == 200
