"""Reports of a house: reconciled with its ledger, the same for ever, for those who audit."""

from __future__ import annotations

import json
from base64 import b64decode
from datetime import time, timedelta
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.attendants.models import Role
from casino.documents import page as drawing
from casino.documents.provenance import root
from casino.documents.writers import FORMATS
from casino.platform.house_subscriber import HOUSE
from casino.reports import catalogue, days_as_of, on_demand, params
from casino.settlement.models import Payout
from casino.subscriptions.tasks import follow
from ledger import journal
from ledger.verify import Range, leaf_hash
from tests.support import builders
from tests.support.cashier import box_counted, fee_taken
from tests.support.dayend import TODAY, TOMORROW, closed
from tests.support.playing import NOW, done, game_of, opened, round_played, settled
from tests.support.reporting import (
    WIDE,
    body,
    days_by_chance,
    disagreeing,
    figures,
    got,
    table,
    written,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from pytest_django import DjangoAssertNumQueries

    from ledger.wire import StoredEvent
    from tests.support.builders import House

pytestmark = pytest.mark.django_db
DAY = f"{TODAY}"


@pytest.fixture(autouse=True)
def _at_night() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def house() -> House:
    """A fee was taken at the first table; at the second Bo won a game."""
    made = builders.house(day_cutoff=time(6))
    fee_taken(made)
    won(made)
    return made


def won(at: House, now: datetime = NOW) -> None:
    """A game that Ada has lost, and with it all that Bo was paid."""
    game = opened(at, table=at.tables[1], now=now)
    while not game_of(at, game).closed:
        round_played(at, game, now=now)
    caught_up(at)


def frozen(at: House, *given: Any, **more: Any) -> StoredEvent:
    """A day closed, and read."""
    event = closed(at, *given, **more)
    caught_up(at)
    return event


def caught_up(at: House) -> None:
    settled(at)
    follow(HOUSE, at.id)


# --- What they say


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


def test_a_payout_says_who_whom_how_much_by_which_rules_and_why(house: House) -> None:
    [row] = table(got(house, "payouts"), "payouts")

    assert (row["from"], row["to"], row["amount"], row["state"]) == ("pot", "Bo", 20, "Booked")
    assert "SH" in row["rules"]
    assert "Bo" in row["because"]
    [event] = journal.read(establishment=house.id, after=row["position"] - 1, limit=1)
    assert event.event_type == "settlement.booked"


@pytest.mark.rows(2)
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
    days_as_of.MEMORY.forget()
    days_as_of._days.cache_clear()
    then = got(house, "summary", through=str(head))
    assert [then["figures"], then["tables"]] == [open_day["figures"], open_day["tables"]]


def test_an_open_day_goes_on_from_what_was_folded_of_it(house: House) -> None:
    before = {each["name"]: each["number"] for each in table(got(house, "summary"), "play")}
    won(house)
    after = {each["name"]: each["number"] for each in table(got(house, "summary"), "play")}

    assert after["rounds"] > before["rounds"]
    days_as_of.MEMORY.forget()
    days_as_of._days.cache_clear()
    assert {each["name"]: each["number"] for each in table(got(house, "summary"), "play")} == after


def test_an_open_day_keeps_no_account_that_holds_nothing(house: House) -> None:
    """Of each game there was a pot, and a stake for each that played: as many as an evening has."""
    days_as_of.MEMORY.forget()
    won(house)
    got(house, "summary")
    [figures] = days_as_of.MEMORY._days.values()

    assert {name for name, held in figures.accounts.items() if not held} == set()
    assert figures.accounts


@pytest.mark.long("postgresql")
@pytest.mark.rows(1)
@pytest.mark.parametrize("seed", [1, 2])
def test_totals_reconcile_and_what_was_reported_as_of_a_position_stays(seed: int) -> None:
    """Whatever was voided, cashed out, counted or closed since."""
    kept: list[tuple[str, str, str, bytes]] = []
    with time_machine.travel(NOW, tick=True):
        for house in days_by_chance(seed, stretches=4):
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
@pytest.mark.rows(5)
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


def test_a_long_stretch_takes_a_worker(house: House) -> None:
    given = {"from": "2026-01-01", "to": "2026-11-30"}

    answer = house.client(Role.AUDITOR).get(house.url("reports/fees/"), given)

    assert (answer.status_code, answer.json()["code"]) == (422, "needs_worker")
    page = builders.signed_in(house.auditor).get("/reports/fees/", given)
    assert "a worker prepares its files" in page.content.decode()


def test_many_lines_of_one_table_take_a_worker_whatever_is_known_of_the_others(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How many days and players a cash log sums up nobody counts beforehand; its moves are."""
    monkeypatch.setattr(on_demand, "AT_ONCE", 3)

    answer = house.client(Role.AUDITOR).get(house.url("reports/cash-log/"), {"day": DAY})

    assert (answer.status_code, answer.json()["code"]) == (422, "needs_worker")
    few = house.client(Role.AUDITOR).get(house.url("reports/fees/"), {"day": DAY})
    assert few.status_code == 200


# --- E6


@pytest.mark.long("postgresql")
@pytest.mark.rows(2)
@pytest.mark.parametrize("form", FORMATS)
def test_e6_every_report_says_what_it_is_in_every_form(house: House, form: str) -> None:
    frozen(house)
    client = builders.signed_in(house.auditor)

    for name in catalogue.BY_NAME:
        answer = client.get(f"/reports/{name}/", {"day": DAY, "format": form})

        assert answer.status_code == 200, name
        content = body(answer)
        assert answer["Content-Disposition"] == f'attachment; filename="{name}-{DAY}.{form}"'
        header = json.loads(written(house, name, day=DAY))["header"]
        sentences = [
            header["house"], header["software"], str(header["position"]), header["root"],
            str(house.auditor), "20 November 2026" if form == "pdf" else DAY,
        ]  # fmt: skip
        text = readable(content, form)
        assert [each for each in sentences if each not in text] == [], name
        assert header["from"] == header["to"] == DAY
        assert header["rules"]["stone-hand"] == 1


def test_every_report_has_a_page_of_its_own(house: House) -> None:
    client = builders.signed_in(house.auditor)

    assert len(catalogue.BY_NAME) == len(catalogue.REPORTS)
    for each in catalogue.REPORTS:
        assert client.get(f"/reports/{each.name}/").status_code == 200, each.name
        assert each.name != "prepared"
        assert not {one.name for one in each.filters} & {*params.PERIOD, "format"}, each.name
        tables = [one.name for one in each.tables]
        assert len(tables) == len(set(tables)), each.name
        for one in each.tables:
            columns = [column.name for column in one.columns]
            assert len(columns) == len(set(columns)), (each.name, one.name)
            assert one.empty, (each.name, one.name)


def readable(content: bytes, form: str) -> str:
    import io  # noqa: PLC0415 - of this test only

    import openpyxl  # noqa: PLC0415
    import pypdf  # noqa: PLC0415

    if form == "pdf":
        return "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages)
    if form == "xlsx":
        book = openpyxl.load_workbook(io.BytesIO(content))
        return "\n".join(str(cell.value) for sheet in book for row in sheet for cell in row)
    return content.decode()


def test_e6_the_page_says_it_too(house: House) -> None:
    event = frozen(house)

    page = builders.signed_in(house.manager).get("/reports/summary/", {"day": DAY}).content.decode()

    root_there = json.loads(written(house, "summary", day=DAY))["header"]["root"]
    for words in (house.establishment.name, f"{event.position}", root_there, "Home Throw 0.1.0"):
        assert words in page, words
    assert "As it was frozen when its day was closed." in page


def test_e6_the_root_of_a_ledger_that_nobody_signed_is_its_own(house: House) -> None:
    leaves = [leaf_hash(event.body) for event in journal.read(establishment=house.id, limit=1000)]

    def over(size: int) -> bytes:
        grown = Range()
        grown.extend(leaves[:size])
        return grown.root()

    for size in (0, 1, len(leaves) - 1, len(leaves)):
        assert root(house.id, size) == over(size), size
    header = got(house, "fees")["header"]
    assert b64decode(header["root"]) == over(header["position"] + 1)


# --- Who may


@pytest.mark.parametrize("role", [Role.ATTENDANT, Role.SUPERVISOR])
def test_d1_only_managers_and_auditors_read_them(house: House, role: Role) -> None:
    for url in ("reports/", "reports/fees/", "reports/prepared/"):
        assert house.client(role).get(house.url(url)).status_code == 403
    for url in ("/reports/", "/reports/fees/", "/reports/fees/?format=csv"):
        assert builders.signed_in(house.people[role]).get(url).status_code == 403


def test_d1_another_houses_are_none_of_ones_business(house: House) -> None:
    other = builders.house()
    client = other.client(Role.MANAGER)

    assert client.get(house.url("reports/")).status_code == 404
    assert client.get(house.url("reports/fees/")).status_code == 404
    assert table(got(other, "payouts", **WIDE), "payouts") == []


def test_an_unknown_report_is_nowhere(house: House) -> None:
    answer = house.client(Role.AUDITOR).get(house.url("reports/bribes/"))

    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert builders.signed_in(house.auditor).get("/reports/bribes/").status_code == 404


# --- How they are requested


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(
    ("accept", "given", "media"),
    [("application/json", {}, "application/json"), ("text/csv", {}, "text/csv"),
     ("*/*", {"format": "csv"}, "text/csv"), ("application/json", {"format": "pdf"}, "application/pdf"),  # noqa: E501
     ("application/pdf", {}, "application/pdf")],
)  # fmt: skip
def test_the_form_is_the_parameter_or_what_is_accepted(
    house: House, accept: str, given: dict[str, str], media: str
) -> None:
    client = house.client(Role.AUDITOR)

    answer = client.get(house.url("reports/fees/"), given, headers={"accept": accept})

    assert answer.status_code == 200
    assert answer["Content-Type"].startswith(media)
    assert body(answer)


def test_whoever_accepts_only_a_file_reads_in_json_what_is_wrong(house: House) -> None:
    client = house.client(Role.AUDITOR)

    answer = client.get(house.url("reports/fees/"), {"day": "x"}, headers={"accept": "text/csv"})

    assert answer.status_code == 400
    assert json.loads(answer.content)["code"] == "malformed"


def test_the_list_names_filters_and_forms(house: House) -> None:
    found = {
        each["name"]: each
        for each in house.client(Role.AUDITOR).get(house.url("reports/")).json()["results"]
    }

    assert found["fees"]["filters"][0]["choices"][str(house.table.pk)] == house.table.name
    assert found["payouts"]["filters"][2] == {"name": "player", "title": "Player", "choices": None}
    assert all(each["formats"] == ["json", "csv", "xlsx", "pdf"] for each in found.values())


def test_a_page_links_each_line_to_its_thing_and_its_files_to_what_it_shows(house: House) -> None:
    page = builders.signed_in(house.auditor).get("/reports/payouts/").content.decode()

    [row] = table(got(house, "payouts"), "payouts")
    assert 'data-href="/payouts/' in page
    assert f">{row['position']}<" in page
    through = journal.head(establishment=house.id)
    assert f"from={DAY}&amp;to={DAY}&amp;through={through}&amp;format=csv" in page
    assert ">agrees</span>" in page


def test_a_page_shows_the_first_lines_and_says_so(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        won(house)
    monkeypatch.setattr(drawing.tables, "__kwdefaults__", {"most": 2})

    page = builders.signed_in(house.auditor).get("/reports/payouts/").content.decode()

    assert page.count('data-href="/payouts/') == 2
    assert "The files have all of them" in page


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("name", "queries"), [("fees", 45), ("payouts", 44), ("summary", 56)])
def test_what_a_page_asks_of_the_database_does_not_grow(
    house: House, name: str, queries: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    frozen(house)
    client = builders.signed_in(house.manager)
    client.get(f"/reports/{name}/", {"day": DAY})
    with CaptureQueriesContext(connection) as before:
        client.get(f"/reports/{name}/", {"day": DAY})
    later = NOW + timedelta(days=1)
    with time_machine.travel(later, tick=False):
        for _ in range(3):
            won(house, later)
        frozen(house, TOMORROW, now=later)
        client = builders.signed_in(house.manager)
        client.get(f"/reports/{name}/", {"day": f"{TOMORROW}"})
        with django_assert_max_num_queries(queries):
            client.get(f"/reports/{name}/", {"day": f"{TOMORROW}"})
        with CaptureQueriesContext(connection) as after:
            client.get(f"/reports/{name}/", {"day": f"{TOMORROW}"})
    assert abs(len(after) - len(before)) <= 4
