"""The office's pages of accounts and players: who sees what, what a form does, what it costs."""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from casino.house.acts import custody
from casino.house.attendants.models import Role
from casino.house.attendants.pseudonyms import tokens
from casino.money.cash import fees, tips
from casino.play.exclusions.models import Exclusion
from tests.forms import LONG_FORM
from tests.money.accounts.test_accounts_statements import moved
from tests.support import builders
from tests.support.cashier import box_counted, brought, close_games, fee_taken, prize_won
from tests.support.cashing import act
from tests.support.listed import as_csv
from tests.support.playing import NOW, balances, done, opened, round_played, settled, state, token

if TYPE_CHECKING:
    from collections.abc import Iterator

    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]


CAGE = custody.cage()
EXCLUDE_ADA = {"do": "exclude", "name": "Ada", "since": "2020-01-01", "reason": "Asked for it."}


@pytest.fixture(autouse=True)
def tonight() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def house() -> House:
    return builders.house(cash_threshold=30, tips_allowed=True)


def browser(who: Attendant) -> Client:
    client = Client()
    client.force_login(who)
    return client


def page(
    house: House, name: str, role: Role = Role.MANAGER, /, query: str = "", **more: Any
) -> str:
    answer = browser(house.people[role]).get(reverse(name, kwargs=more) + query)
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def sent(house: House, name: str, role: Role, /, data: dict[str, Any], **more: Any) -> Any:
    body = {"command_id": str(uuid.uuid4()), **data}
    return browser(house.people[role]).post(reverse(name, kwargs=more), body, follow=True)


def everything(house: House) -> None:
    """Something of all that these pages show."""
    brought(house, 1000)
    prize_won(house, 50)
    close_games(house)
    game = fee_taken(house, stake=40)
    done(house, game, "close")
    settled(house)
    box_counted(house, {"1": 5})


# fmt: off
READERS = [
    ("accounts",      {},                                "audit"),
    ("accounts-kind", {"kind": "float"},                 "audit"),
    ("accounts-kind", {"kind": "stake"},                 "audit"),
    ("account",       {"kind": "cage", "name": "main"},  "audit"),
    ("cage",          {},                                "audit"),
    ("fee-boxes",     {},                                "look"),
    ("players",       {},                                "look"),
    ("exclusions",    {},                                "look"),
    ("cash-log",      {},                                "insiders"),
    ("unclaimed",     {},                                "insiders"),
    ("tips",          {},                                "look"),
]
# fmt: on
SEEN_BY = {
    "audit": {Role.MANAGER, Role.AUDITOR},
    "insiders": {Role.SUPERVISOR, Role.MANAGER, Role.AUDITOR},
    "look": set(Role),
}


@pytest.mark.rows(4)
@pytest.mark.parametrize(("name", "more", "who"), READERS)
@pytest.mark.parametrize("filled", [True, False])
def test_d1_each_page_is_for_its_roles_and_has_an_empty_state(
    house: House, name: str, more: dict[str, str], who: str, *, filled: bool
) -> None:
    if filled:
        everything(house)
    for role in Role:
        answer = browser(house.people[role]).get(reverse(name, kwargs=more))
        assert answer.status_code == (200 if role in SEEN_BY[who] else 403), role


def test_the_chart_says_whether_players_money_is_covered(house: House) -> None:
    assert "not covered" not in page(house, "accounts")
    prize_won(house, 50)  # owed, and no cash in the house

    assert "not covered" in page(house, "accounts")
    brought(house, 50)
    assert "not covered" not in page(house, "accounts")


def test_the_chart_as_of_a_position(house: House) -> None:
    first = brought(house, 100)
    brought(house, 500)

    html = page(house, "accounts", query=f"?at={first.last_position}")

    assert ("100\xa0r" in html, "600\xa0r" in html) == (True, False)
    assert "600\xa0r" in page(house, "accounts")


def test_an_account_leads_to_the_round_that_moved_it(house: House) -> None:
    game = opened(house)
    round_played(house, game)
    settled(house)

    html = page(house, "account", kind="pot", name=str(game))

    assert reverse("floor-round", args=[game, 1]) in html
    assert "SH4" in html
    assert "Stake of Ada" in html


def test_pages_of_an_account_lead_to_each_other(house: House) -> None:
    moved(house, 120)
    settled(house)
    client, address = browser(house.auditor), reverse("account", args=["cage", "main"])
    seen = []
    query = ""
    while True:
        text = client.get(address + query).content.decode()
        seen += re.findall(r'id="l(\d+\.\d+)"', text)
        older = re.search(r'href="(\?older=[\d.]+)"', text)
        if older is None:
            break
        query = older[1]
    assert seen == [f"{position}.0" for position in reversed(range(120))]


def test_a_page_of_an_account_costs_the_same_however_long(house: House) -> None:
    moved(house, 60)
    settled(house)
    address, client = reverse("account", args=["cage", "main"]), browser(house.auditor)
    client.get(address)
    with CaptureQueriesContext(connection) as few:
        client.get(address)
    moved(house, 800 if LONG_FORM else 200)
    settled(house)
    client.get(address)  # what the process remembers of the house's day is read anew once
    with CaptureQueriesContext(connection) as many:
        client.get(address)

    assert len(many) == len(few)


def test_an_account_as_csv(house: House) -> None:
    brought(house, 100)
    brought(house, 30, "to_bank")

    answer = browser(house.auditor).get(reverse("account", args=["cage", "main"]) + "?format=csv")

    lines = b"".join(answer.streaming_content).decode().splitlines()  # type: ignore[attr-defined]
    assert lines[0].startswith("position,seq,recorded_at,gaming_day,reason,why,event")
    assert [line.split(",")[-3] for line in lines[1:]] == ["100", "70"]


def test_b1_a_float_that_is_counted_is_shown_to_nobody_who_may_count(house: House) -> None:
    fee_taken(house)
    fees.count(act(house, house.attendant), table=house.table, sheet={"1": 6})
    box = {"kind": "float", "name": f"{house.table.pk}/fees"}

    assert browser(house.manager).get(reverse("account", kwargs=box)).status_code == 403
    assert browser(house.auditor).get(reverse("account", kwargs=box)).status_code == 200
    assert "hidden while a count runs" in page(house, "accounts")
    assert "hidden while a count runs" not in page(house, "accounts", Role.AUDITOR)


def test_a_cage_movement_is_asked_for_and_approved(house: House) -> None:
    answer = sent(
        house, "cage", Role.MANAGER,
        {"way": "capital", "amount": "500", "reason": "The first Friday."},
    )  # fmt: skip

    assert b"Another person approves" in answer.content
    assert balances(house) == {}


def test_a_fee_box_is_counted_by_two_from_their_own_sign_in(house: House) -> None:
    fee_taken(house)
    assert "hidden" in page(house, "fee-boxes", Role.ATTENDANT)

    first = sent(house, "fee-count", Role.ATTENDANT, {"pieces_5": "1", "pieces_1": "1"},
                 table=house.table.pk)  # fmt: skip
    assert b"sealed" in first.content
    second = sent(house, "fee-count", Role.SUPERVISOR, {"pieces_5": "1", "pieces_1": "1"},
                  table=house.table.pk)  # fmt: skip

    assert b"Both counts agree" in second.content
    assert balances(house)[CAGE] == 6


def test_fees_are_shown_as_announced(house: House) -> None:
    opened(house, fee={"kind": "rake", "percent": 10, "cap": 3})

    assert "rake of 10 % of a pot that is won" in page(house, "fee-boxes", Role.AUDITOR)


def test_p1_somebody_is_excluded_and_readmitted_on_the_page(house: House) -> None:
    sent(house, "exclusions", Role.SUPERVISOR, EXCLUDE_ADA)
    assert "Asked for it." in page(house, "exclusions", Role.AUDITOR)
    assert "Asked for it." not in page(house, "exclusions", Role.ATTENDANT)
    ada = tokens.player_tokens(house.id, ["Ada"], new=False)["Ada"]

    sent(house, "exclusions", Role.SUPERVISOR,
         {"do": "readmit", "player": ada, "reason": "The year is over."})  # fmt: skip

    [row] = Exclusion.objects.filter(establishment=house.establishment)
    assert row.lifted_at is not None


def test_d1_an_attendant_excludes_nobody(house: House) -> None:
    answer = sent(house, "exclusions", Role.ATTENDANT, EXCLUDE_ADA)

    assert answer.status_code == 403


def test_a_name_is_erased_on_the_players_page(house: House) -> None:
    game = opened(house, stake=0, options={"mode": "scoreboard"})
    ada = token(house, game, "Ada")
    close_games(house)

    answer = sent(house, "player", Role.MANAGER, {"reason": "She asked."}, token=ada)

    assert b"name erased" in answer.content
    assert ada in state(house, game)["scores"] or ada in str(state(house, game))


def test_p2_the_log_flags_and_exports(house: House) -> None:
    game = opened(house, stake=31)
    settled(house)
    day = "?day=2026-11-20"

    assert "above the threshold" in page(house, "cash-log", Role.SUPERVISOR, day)
    path = reverse("cash-moves") + day + "&format=csv"
    lines = as_csv(browser(house.auditor), path, head="recorded_at")
    assert len(lines) == 2
    assert [lines[0][name] for name in ("name", "cash_in", "cash_out")] == ["Ada", "31", "0"]
    assert [line["flagged"] for line in lines] == ["yes", "yes"]
    ada = token(house, game, "Ada")
    assert "31" in page(house, "cash-of", Role.SUPERVISOR, day="2026-11-20", token=ada)


def test_p2_a_name_that_reads_like_a_formula_stays_a_name(house: House) -> None:
    opened(house, players=["=1+1", "Bo"])
    settled(house)

    answer = browser(house.auditor).get(reverse("cash-moves") + "?day=2026-11-20&format=csv")

    assert ",'=1+1," in answer.content.decode()


def test_p3_prizes_and_stakes_are_listed_and_paid(house: House) -> None:
    brought(house, 1000)
    position = prize_won(house, 50)
    close_games(house)
    game = opened(house)
    ada = token(house, game, "Ada")
    done(house, game, "close")
    settled(house)
    assert "A bottle" in page(house, "unclaimed", Role.SUPERVISOR)

    handed = sent(house, "hand-out", Role.SUPERVISOR, {}, position=position)
    assert b"Handed out" in handed.content
    answer = sent(house, "late-cash-out", Role.SUPERVISOR, {"amount": "20", "reason": "Back."},
                 game=game, token=ada)  # fmt: skip
    assert b"Another person approves" in answer.content


def test_p4_tips_are_recorded_and_handed_over_by_somebody_else(house: House) -> None:
    data = {"table": str(house.table.pk), "attendant": str(house.attendant.pk), "amount": "5"}
    sent(house, "tips", Role.ATTENDANT, data)
    paid = {"table": house.table.pk, "attendant": house.attendant.pk}

    own = sent(house, "pay-tips", Role.ATTENDANT, {}, **paid)
    assert b"Somebody else hands you your tips" in own.content
    sent(house, "pay-tips", Role.SUPERVISOR, {}, **paid)

    assert balances(house) == {}


@pytest.mark.parametrize("name", ["tips", "disputes-find"])
def test_tables_are_offered_in_the_order_that_people_count_them_in(name: str) -> None:
    house = builders.house(tables=10, tips_allowed=True)

    selects = re.findall(r"<select.*?</select>", page(house, name), re.DOTALL)
    offered = [re.findall(r"<option[^>]*>(Table \d+)</option>", select) for select in selects]

    assert any(offered)
    for tables in filter(None, offered):
        assert tables == [f"Table {number}" for number in range(1, 11)]


def test_p4_tips_wait_by_table_in_the_order_that_people_count_them_in() -> None:
    house = builders.house(tables=10, tips_allowed=True)
    for table in house.tables[::-1]:
        tips.take(act(house, house.attendant), table=table, attendant=house.attendant.pk, amount=5)

    [waiting, *_lately] = page(house, "tips").split("</table>")

    assert re.findall(r"<td>(Table \d+)</td>", waiting) == [
        f"Table {number}" for number in range(1, 11)
    ]


def test_another_houses_player_is_not_found(house: House) -> None:
    other = builders.house()
    stranger = tokens.player_tokens(other.id, ["Ada"], new=True)["Ada"]

    answer = browser(house.manager).get(reverse("player", args=[stranger]))

    assert answer.status_code == 404


def test_names_are_escaped(house: House) -> None:
    opened(house, players=["<b>Ada</b>", "Bo"])
    settled(house)

    assert "<b>Ada</b>" not in page(house, "players")


def test_accounts_of_a_kind_are_sorted_and_are_a_file_of_one_house(house: House) -> None:
    opened(builders.house(), stake=5)
    for table, stake in zip(house.tables, (20, 7), strict=False):
        opened(house, table=table, stake=stake)
    settled(house)
    address, client = reverse("accounts-kind", args=["stake"]), browser(house.auditor)

    def held(query: str) -> list[int | None]:
        return [line.item.balance for line in client.get(address + query).context["table"].lines]

    assert held("?sort=balance") == [7, 7, 20, 20]
    assert held("?sort=-balance") == [20, 20, 7, 7]
    answer: Any = client.get(f"{address}?sort=balance&format=csv")
    content = b"".join(answer) if answer.streaming else answer.content
    lines = [line for line in content.decode().split() if line.startswith("stake:")]
    assert len(lines) == 4


def test_b1_the_order_of_floats_does_not_tell_what_is_counted(house: House) -> None:
    fee_taken(house)
    fees.count(act(house, house.attendant), table=house.table, sheet={"1": 6})
    address = reverse("accounts-kind", args=["float"])

    def boxes_held(who: Attendant, query: str) -> list[int | None]:
        rows = browser(who).get(address + query).context["table"].lines
        return [line.item.balance for line in rows]

    for query in ("?sort=balance", "?sort=-balance"):
        assert boxes_held(house.manager, query)[-1] is None
        assert None not in boxes_held(house.auditor, query)
