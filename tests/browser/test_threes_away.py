"""Threes Away through the page: by touch, by keyboard, refused, and looked at."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.test_looks import IN_PLAY, OVERFLOWS, SMALLEST, look

if TYPE_CHECKING:
    from tests.browser.conftest import People
    from tests.browser.people import Person
    from tests.browser.running import House

pytestmark = pytest.mark.browser
TABLET = {"width": 1180, "height": 820}


@pytest.mark.long
@pytest.mark.parametrize("touch", [True, False], ids=["touch", "mouse"])
def test_a_game_by_touch_or_mouse(people: People, house: House, *, touch: bool) -> None:
    mira = people.arrives("mira", has_touch=touch, viewport=TABLET)
    page = mira.page
    mira.goes_to("Table 2")
    mira.presses(page.get_by_role("button", name="Threes Away"))
    expect(page.get_by_label("What each player brings")).to_be_visible()
    mira.seats("Ada", "Bo", "Cyd")
    page.get_by_label("What each player brings").fill("20")
    page.get_by_label("Own stake of seat 3").fill("2")
    mira.presses(page.get_by_role("button", name="Open the game"))

    first_round(mira)

    # Cyd has nothing left for the ante, and buys in at once for what came first.
    mira.sees("Bo to throw")
    expect(page.locator(".latest")).to_contain_text("Bo wins round 1 with 0 and takes 6 r")
    expect(mira.seat("Cyd")).to_contain_text("out")
    mira.presses(page.locator("#do-back"))
    mira.presses(page.get_by_role("button", name="Cyd buys in"))
    expect(mira.event("Cyd antes 1 r and is in it")).to_be_visible()
    taps(mira, 6, 6, 6, 6, 6)
    mira.presses(page.get_by_role("button", name="Keep all: 30"))
    mira.sees("Cyd to throw")
    mira.chooses("Close the game")
    expect(page.locator("#sure-close")).to_contain_text("Round 2 is void: 3 r in antes go back. G9")
    mira.presses(page.get_by_role("button", name="Yes, close the game"))

    mira.sees("The game is closed")
    mira.sees_booked()
    assert house.transfers(mira.game) == [
        ("float", "Ada", 20, "buy_in"),
        ("float", "Bo", 20, "buy_in"),
        ("float", "Cyd", 2, "buy_in"),
        ("float", "Cyd", 2, "buy_in"),
        ("Ada", "pot", 1, "TA1"),
        ("Bo", "pot", 1, "TA1"),
        ("Cyd", "pot", 1, "TA1"),
        ("Ada", "pot", 1, "TA4"),
        ("Bo", "pot", 1, "TA4"),
        ("Cyd", "pot", 1, "TA4"),
        ("pot", "Bo", 6, "TA1"),
        ("Bo", "pot", 1, "TA1"),
        ("Ada", "pot", 1, "TA1"),
        ("Cyd", "pot", 1, "TA1 TA10"),
        ("pot", "Bo", 1, "G9"),
        ("pot", "Ada", 1, "G9"),
        ("pot", "Cyd", 1, "G9"),
    ]
    assert not mira.wrong


def first_round(mira: Person) -> None:
    """Ada keeps in three steps, one of them taken back; Bo has a zero; Cyd is bust."""
    page = mira.page
    mira.sees("Ada to throw")
    taps(mira, 1, 3, 3, 6, 4)
    mira.sees("Ada keeps one or more")
    keeps(mira, 2, 3, says="Keep 2: 0 in all")
    mira.sees("Ada throws the other 3")
    taps(mira, 3, 2, 5)
    keeps(mira, 1, says="Keep 1: 0 in all")
    mira.sees("Ada throws the other 2")
    mira.presses(page.get_by_role("button", name="Undo"))
    mira.sees("Ada keeps one or more")
    keeps(mira, 1, 2, says="Keep 2: 2 in all")
    mira.sees("Ada throws the last die")
    taps(mira, 1)
    mira.sees("Ada keeps the last die")
    mira.presses(page.get_by_role("button", name="Keep 1: 3 in all"))
    mira.sees("Bo to throw")
    mira.presses(page.get_by_text("No throw", exact=False).first)
    mira.presses(page.get_by_role("button", name="Cocked die"))
    expect(mira.event("No throw by Bo: cocked die")).to_be_visible()
    taps(mira, 3, 3, 3, 3, 3)
    mira.presses(page.get_by_role("button", name="Keep all: 0"))
    mira.sees("Cyd to throw")
    expect(page.locator(".latest")).to_contain_text("all ante another 1 r")
    expect(page.locator("#throw .turn-figures")).to_contain_text("Lost above0 Bo")
    taps(mira, 1, 3, 3, 3, 3)
    keeps(mira, 1, says="Keep 1: bust with 1")


@pytest.mark.long
def test_a_game_by_keyboard(people: People, house: House) -> None:
    mira = people.arrives("mira")
    keys = mira.page.keyboard
    players = [{"name": "Ada", "stake": 3}, {"name": "Bo", "stake": 1}]
    game = begun(house, mira, players=players, options={"bottoms": True})

    mira.sees("Ada to throw")
    keys.type("445")
    keys.press("Backspace")
    keys.press("b")
    keys.type("413")  # bottoms: 3, 3, 3, 6, 4
    mira.sees("Ada keeps one or more")
    keys.type("123")
    expect(mira.page.get_by_role("button", name="Keep 3: 0 in all")).to_be_enabled()
    keys.press("Enter")
    mira.sees("Ada throws the other 2")
    keys.type("31")
    mira.sees("Ada keeps one or more")
    keys.press("a")
    mira.sees("Bo to throw")
    keys.press("u")
    mira.sees("Ada keeps one or more")
    keys.press("a")
    mira.sees("Bo to throw")
    keys.press("n")
    keys.press("2")
    expect(mira.event("No throw by Bo: off the table")).to_be_visible()
    keys.type("66661")
    mira.sees("Bo keeps one or more")
    keys.type("11")  # marked, and not
    keys.type("5")
    keys.press("Enter")  # equal plays on
    mira.sees("Bo throws the other 4")
    keys.type("3332")
    mira.sees("Bo keeps one or more")
    keys.press("a")
    mira.sees("Waiting until two can ante")
    keys.press("Enter")
    mira.sees("Ada to throw")
    expect(mira.event("Bo brings 1 r to the table")).to_be_visible()

    mira.sees_booked()
    assert house.transfers(game) == [
        ("float", "Ada", 3, "buy_in"),
        ("float", "Bo", 1, "buy_in"),
        ("float", "Bo", 1, "buy_in"),
        ("Ada", "pot", 1, "TA1"),
        ("Bo", "pot", 1, "TA1"),
        ("pot", "Ada", 2, "TA1"),
        ("Ada", "pot", 1, "TA1"),
        ("Bo", "pot", 1, "TA1"),
    ]
    assert not mira.wrong


@pytest.mark.long
def test_what_another_device_kept_is_not_kept_twice(people: People, house: House) -> None:
    mira = people.arrives("mira")
    game = begun(house, mira)
    mira.taps(1, 3, 3, 6, 4)
    mira.sees("Ada keeps one or more")
    mira.hears_no_news()
    house.put("tomas", game, "keep", player="Ada", dice=[3, 3])

    mira.presses(mira.page.locator("label.lies").first)
    mira.presses(mira.page.get_by_role("button", name="Keep 1: 1 in all"))

    expect(mira.said).to_have_text("Not recorded keep: Ada throws first. TA2")
    mira.sees("Ada throws the other 3")
    assert house.events(game).count("dice_kept") == 1


@pytest.mark.long
def test_every_state_of_the_turn_is_looked_at(people: People, house: House) -> None:
    mira = people.arrives("mira")
    players = [f"{name} with a long name" for name in ("Ada", "Bo", "Cyd", "Dara", "Elio")]
    options = {"progressive": "by_round", "bottoms": True}
    game = begun(house, mira, players=players, stake=3, options=options)
    found = look(mira, "to throw", SMALLEST)
    mira.page.keyboard.press("b")
    mira.taps(1, 3, 3, 6, 4)
    expect(mira.page.locator("#keep")).to_be_visible()
    mira.presses(mira.page.locator("label.lies").first)
    found += look(mira, "to keep")
    assert not overflowing(mira)
    mira.page.keyboard.press("Enter")
    expect(mira.page.locator("#throw")).to_be_visible()
    found += look(mira, "kept", SMALLEST)
    assert not overflowing(mira)
    for player in players[:1]:
        house.put("tomas", game, "throw", player=player, dice=[1, 2, 3, 4], keep=[1, 2, 3, 4])
    for player in players[1:]:
        house.put("tomas", game, "throw", player=player, dice=[6] * 5, keep=[6] * 5)
    expect(mira.page.locator(".head-carried")).to_be_visible()
    mira.chooses("Close the game")
    found += look(mira, "closing", SMALLEST)
    mira.presses(mira.page.get_by_role("button", name="Yes, close the game"))
    mira.sees("The game is closed")
    found += look(mira, "closed", SMALLEST)
    begun(house, mira, players=[{"name": "Ada", "stake": 5}, {"name": "Bo", "stake": 1}],
          options={"ante": 2})  # fmt: skip
    mira.sees("Waiting until two can ante")

    assert not found + look(mira, "waiting", SMALLEST)
    assert not mira.wrong


def begun(house: House, person: Person, **opening: Any) -> str:
    """A game opened at Table 1 from another device, before this person's eyes."""
    desk = house.client("tomas")
    [home] = desk.get("establishments/")["results"]
    tables = desk.get(f"establishments/{home['id']}/tables/")["results"]
    command = {
        "do": "open",
        "command_id": str(uuid.uuid4()),
        "table": next(table["id"] for table in tables if table["name"] == "Table 1"),
        "game": "threes-away",
        "players": ["Ada", "Bo", "Cyd"],
        "stake": 20,
        **opening,
    }
    reply = desk.post("games/", command)
    assert not reply.refused, reply.body
    person.goes_to("Table 1")
    person.page.wait_for_url("**/floor/games/*/")
    return person.game


def taps(person: Person, *dice: int) -> None:
    for face in dice:
        person.presses(person.page.locator(f'.keys:not([hidden]) [data-face="{face}"]'))


def keeps(person: Person, *places: int, says: str) -> None:
    """Tap the dice at these places, and the button that says what comes of it."""
    for place in places:
        person.presses(person.page.locator(f"label.lies:has(#keep-{place})"))
    person.presses(person.page.get_by_role("button", name=says))


def overflowing(person: Person) -> list[str]:
    """What would scroll in play on a tablet or a desk."""
    found: list[str] = []
    for size in IN_PLAY:
        person.page.set_viewport_size(size)
        found += person.page.evaluate(OVERFLOWS)
    return found
