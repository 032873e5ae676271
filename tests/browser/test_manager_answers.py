"""
What a manager is asked, answered in a browser: from the start page, by nothing but its links.

An evening is played through the API. Every figure that the pages show is held against the ledger
itself.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import People
from tests.browser.running import running
from tests.processes import eventually
from tests.support.playing import EMPTY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from tests.browser.people import Person
    from tests.browser.running import House

pytestmark = pytest.mark.browser

GROUPS = {"Accounts": "Money", "Payouts": "Money"}
THROWS = 24  # of three dice that never show but three faces: far beyond doubt
OWED = ("stake", "pot", "rollover", "held", "prizes_owed")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house of its own, and an evening in it."""
    with running(tmp_path_factory.mktemp("asked")) as started:
        ada_pays_bo(started)
        nobody_wins(started)
        loaded_dice(started)
        eventually(started.has_caught_up)
        yield started


@pytest.fixture
def people(house: House, browser: Browser) -> Iterator[People]:
    come = People(house, browser)
    yield come
    come.leave()


@pytest.fixture
def orso(people: People) -> Person:
    return people.arrives("orso")


# --- The evening


def table_id(house: House, table: str) -> UUID:
    return UUID(str(house.rows("SELECT id FROM establishments_table WHERE name = ?", table)[0][0]))


def opened(house: House, table: str, game: str, *, stake: int = 20, **more: Any) -> str:
    opening = {
        "do": "open",
        "game": game,
        "table": str(table_id(house, table)),
        "players": [{"name": name, "stake": stake} for name in ("Ada", "Bo")],
        "command_id": str(uuid4()),
        **more,
    }
    reply = house.client("mira").post("games/", opening)
    assert not reply.refused, reply.body
    return str(reply.body["id"])


def ada_pays_bo(house: House) -> None:
    """She loses all she has in a round for which the house takes a fee; the pool is his."""
    fee = {"kind": "seat", "amount": 1}
    game = opened(house, "Table 1", "stone-hand", stake=5, fee=fee)
    house.put("mira", game, "throw", player="Ada", dice=[2, 2, 7])
    house.put("mira", game, "throw", player="Bo", dice=[3, 4, 5])


def nobody_wins(house: House) -> None:
    """Two antes stay in the pot when the game closes: they wait for the next of its kind (TA10)."""
    game = opened(house, "Table 2", "threes-away", options={"progressive": "by_round"})
    for player, face in (("Ada", 1), ("Bo", 2)):
        house.put("mira", game, "throw", player=player, dice=[face] * 5, keep=[face] * 5)
    house.put("mira", game, "close")


def loaded_dice(house: House) -> None:
    """One hand again and again, and it is empty, so that Ada throws once more (SH2)."""
    game = opened(house, "Table 3", "stone-hand")
    for _ in range(THROWS):
        house.put("mira", game, "throw", player="Ada", dice=list(EMPTY))


# --- What the ledger says


def coins(house: House, where: str, *values: object) -> int:
    query = f"SELECT sum(amount) FROM ledger_transfer WHERE {where}"  # noqa: S608 - conditions of this file
    return int(house.rows(query, *values)[0][0] or 0)


def owed(house: House) -> int:
    kinds = ", ".join("?" for _ in OWED)
    query = f"SELECT sum(credits - debits) FROM ledger_account WHERE kind IN ({kinds})"  # noqa: S608 - question marks
    return int(house.rows(query, *OWED)[0][0])


def position(house: House, kind: str) -> int:
    """Where the newest event of this type stands."""
    query = "SELECT max(position) FROM ledger_event WHERE event_type = ?"
    return int(house.rows(query, kind)[0][0])


def faces_at(house: House, table: str) -> Counter[int]:
    """Every face that was thrown there, counted from the events."""
    query = "SELECT body FROM ledger_event WHERE event_type = ?"
    found = [json.loads(bytes(body)) for (body,) in house.rows(query, "stone_hand.dice_thrown")]
    here = str(table_id(house, table))
    thrown = (event["data"] for event in found if event["data"]["place"]["table"] == here)
    return Counter(face for throw in thrown for face in throw["dice"])


# --- What the pages say


def section(person: Person, name: str) -> None:
    """By its main entry, if it is another's than that of the page."""
    office = person.page.get_by_role("navigation", name="Office")
    link = office.get_by_role("link", name=name)
    if name in GROUPS and not link.count():
        office.get_by_role("link", name=GROUPS[name]).click()
    link.click()


def figure(person: Person, name: str) -> Locator:
    """The figure under this name, in the row of them."""
    named = person.page.get_by_text(name, exact=True)
    return person.page.locator(".figures > div").filter(has=named)


def amount(found: Locator) -> int:
    """A figure's coins, or its number."""
    return int(re.sub(r"\D", "", found.locator("dd").first.inner_text()))


@pytest.mark.long
def test_what_did_we_take_and_owe_today(orso: Person, house: House) -> None:
    staked = coins(house, "credit_kind = 'pot' AND debit_kind = 'stake'")
    paid = coins(house, "debit_kind = 'pot' AND credit_kind = 'stake'")
    fees = coins(house, "credit_kind = 'fees'")
    assert min(staked, paid, fees) > 0

    orso.looks_until(figure(orso, "Fees").get_by_text(str(fees)))

    assert [amount(figure(orso, name)) for name in ("Staked", "Paid", "Fees")] == [
        staked, paid, fees,
    ]  # fmt: skip
    figure(orso, "Fees").get_by_role("link").click()
    expect(figure(orso, "Booked as fees")).to_contain_text("agrees")
    assert amount(figure(orso, "Booked as fees")) == fees
    section(orso, "Accounts")
    assert amount(figure(orso, "Owed to players")) == owed(house)
    expect(figure(orso, "Players' money")).to_contain_text("covered")
    assert not orso.wrong


@pytest.mark.long
def test_why_was_this_player_paid(orso: Person, house: House) -> None:
    to_players = "debit_kind = 'pot' AND credit_kind = 'stake'"
    won = coins(house, f"{to_players} AND reason LIKE ?", "SH%")  # a percent sign is psycopg's own
    row = orso.page.get_by_role("row").filter(has_text="Bo").filter(has_text="Table 1, round 1")
    orso.looks_until(row)
    expect(row).to_contain_text(f"{won}\N{NO-BREAK SPACE}r")

    row.get_by_role("link", name="Table 1, round 1").click()

    told = orso.page.locator("main")
    expect(told).to_contain_text("Ada threw 2-2-7, a pair with score 7")
    expect(told).to_contain_text("the worst hand loses")
    orso.page.go_back()
    section(orso, "Payouts")
    orso.page.get_by_role("row").filter(has_text="Table 1").get_by_role("link", name="Bo").click()
    expect(orso.page.locator("h1")).to_have_text(f"{won}\N{NO-BREAK SPACE}r to Bo")
    orso.page.get_by_role("row").filter(has_text="booked").get_by_role("link").first.click()
    expect(orso.page.locator("h1")).to_contain_text("Event")
    assert not orso.wrong


@pytest.mark.long
def test_which_pots_roll_and_since_when(orso: Person, house: House) -> None:
    rolled = coins(house, "credit_kind = 'rollover'")
    orso.looks_until(figure(orso, "Rolled over").get_by_text(str(rolled)))

    figure(orso, "Rolled over").get_by_role("link").click()

    lot = orso.page.get_by_role("row").filter(has_text="Threes Away at Table 2")
    since = re.search(r"\d\d/\d\d/\d{4} \d\d:\d\d", lot.inner_text())
    assert since is not None
    expect(lot).to_contain_text(f"{rolled}\N{NO-BREAK SPACE}r")
    lot.get_by_role("link", name="Where it came from").click()
    for name in ("Ada", "Bo"):
        thrower = orso.page.get_by_role("row").filter(has_text=name).first
        expect(thrower).to_contain_text(f"{rolled // 2}\N{NO-BREAK SPACE}r")
    expect(orso.page.get_by_text("adds up")).to_be_visible()
    assert amount(figure(orso, "Rolled over")) == rolled
    assert not orso.wrong


@pytest.mark.long
def test_which_dice_look_wrong_and_how_sure_are_we(orso: Person, house: House) -> None:
    waits = orso.page.locator(".waits").get_by_role("link", name="Dice")
    orso.looks_until(waits).click()
    card = orso.page.locator(".ask").filter(has_text="Table 3, d8")
    expect(card).to_contain_text("to 1 against fair dice")

    card.get_by_role("link", name="Table 3, d8").click()

    eights = orso.page.locator("#d8")
    thrown = sum(faces_at(house, "Table 3").values())
    assert thrown == THROWS * len(EMPTY)
    expect(figure(orso, "Throws")).to_contain_text(str(thrown))
    expect(eights).to_contain_text("Passed 1000 to 1 first at throw")
    eights.get_by_text("Show as table").first.click()
    for face, seen in faces_at(house, "Table 3").items():
        row = eights.get_by_role("row", name=re.compile(rf"^{face} {seen} "))
        expect(row).to_be_visible()
    orso.page.go_back()
    card.get_by_role("link", name="the throw").click()
    expect(orso.page.locator(".page-head")).to_contain_text("stone_hand.dice_thrown")
    assert not orso.wrong


@pytest.mark.long
def test_what_was_changed_by_whom(orso: Person, house: House) -> None:
    section(orso, "Settings")
    orso.page.get_by_role("link", name="Tables", exact=True).click()
    orso.page.get_by_role("link", name="Loft", exact=True).click()
    orso.page.get_by_label("Greatest stake").fill("40")
    orso.page.get_by_role("button", name="Save").click()
    orso.page.goto("/")

    section(orso, "Settings")
    orso.page.get_by_role("link", name="Change log").click()

    change = orso.page.get_by_role("row").filter(has_text="Loft").first
    expect(change).to_contain_text("40")
    expect(change).to_contain_text("Orso Marchetti")
    change.get_by_role("link").last.click()
    expect(orso.page.locator("h1")).to_contain_text(f"Event {position(house, 'table.changed')}")
    expect(orso.page.locator("main")).to_contain_text("Orso Marchetti")
    assert not orso.wrong
