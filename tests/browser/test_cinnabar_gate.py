"""Cinnabar Gate through the page: by touch, by keyboard, refused, and looked at."""

from __future__ import annotations

import re
import uuid
from datetime import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from tests.browser.offline import no_line
from tests.browser.people import foresees
from tests.browser.test_looks import IN_PLAY, OVERFLOWS, SMALLEST, look

if TYPE_CHECKING:
    from tests.browser.conftest import People
    from tests.browser.people import Person
    from tests.browser.running import House

pytestmark = pytest.mark.browser
TABLET = {"width": 1180, "height": 820}
SMALL_TABLET = {"width": 1024, "height": 768}
# Parts above the keys that lie over each other, and parts whose text does not fit them.
LIES_OVER = """() => {
  const names = [".turn .next", ".slots", "#say", ".keys"];
  const parts = names.map(name => document.querySelector(name));
  const boxes = parts.map(part => part.getBoundingClientRect());
  const pay = document.querySelector(".pay").getBoundingClientRect();
  return [
    ...parts.filter((part, at) => at && boxes[at].top < boxes[at - 1].bottom - 1),
    ...parts.filter(part => part.scrollHeight > part.clientHeight + 3),
    ...(boxes[0].right > pay.left ? [parts[0]] : []),
  ].map(part => part.id || part.className);
}"""


@pytest.mark.once
@pytest.mark.long
def test_a_long_headline_and_a_lost_line_leave_each_other_room(people: People) -> None:
    """On the narrowest tablet held across: nothing lies over the dice, and no text over its box."""
    mira = people.arrives("mira", viewport=SMALL_TABLET, timezone_id="Asia/Tokyo")
    page = mira.page
    mira.goes_to("Table 1")
    mira.presses(page.get_by_role("button", name="Cinnabar Gate"))
    mira.seats("Massimiliano", "Wilhelmina Charlotte")
    page.get_by_label("Stake of each player").fill("60")
    mira.presses(page.get_by_role("button", name="Open the game"))
    foresees(page)
    mira.throws(1, 4, 6, then="Massimiliano, junk 4: again (3 left) or stand")
    assert page.evaluate(LIES_OVER) == []
    no_line(mira)
    mira.taps(2, 4, 8)
    expect(mira.said).to_contain_text("No line.")

    assert page.evaluate(LIES_OVER) == []
    # The time of what waits is by the house's clock, not by the device's.
    page.locator("#menu-waiting > summary").click()
    time = page.locator("[data-waiting-list] time")
    at = datetime.fromisoformat(time.get_attribute("datetime") or "")
    expect(time).to_have_text(at.astimezone(ZoneInfo("Europe/Rome")).strftime("%H:%M"))


@pytest.mark.long
@pytest.mark.parametrize("touch", [True, False], ids=["touch", "mouse"])
def test_a_game_by_touch_or_mouse(people: People, house: House, *, touch: bool) -> None:
    mira = people.arrives("mira", has_touch=touch, viewport=TABLET)
    page = mira.page
    mira.goes_to("Table 1")
    mira.presses(page.get_by_role("button", name="Cinnabar Gate"))
    expect(page.get_by_role("heading", name="Played for")).to_be_visible()
    mira.seats("Ada", "Bo", "Cyd")
    page.get_by_label("Stake of each player").fill("12")
    page.get_by_label("Own stake of seat 3").fill("10")
    mira.presses(page.get_by_role("button", name="Open the game"))

    a_round_with_a_tie(mira)
    a_round_that_one_leaves(mira)
    mira.chooses("Close the game")
    mira.presses(page.get_by_role("button", name="Yes, close the game"))

    mira.sees("The game is closed")
    mira.sees_booked()
    assert house.transfers(mira.game) == [
        ("float", "Ada", 12, "buy_in"),
        ("float", "Bo", 12, "buy_in"),
        ("float", "Cyd", 10, "buy_in"),
        ("float", "Dara", 12, "buy_in"),
        ("float", "Ada", 4, "buy_in"),
        ("Bo", "Ada", 5, "CG6 CG7"),
        ("Dara", "Ada", 1, "CG1 CG6"),
    ]
    assert not mira.wrong


def a_round_with_a_tie(mira: Person) -> None:
    """The pay falls, rises and falls; junk is thrown again once; a throw is taken back."""
    page = mira.page
    mira.sees("Ada to throw")
    sees_pay(mira, "8", steps="")
    taps(mira, 2, 2, 7)
    mira.sees("Bo to throw")
    sees_pay(mira, "7", "lowered by Ada", "87")
    taps(mira, 2, 4, 6)
    mira.sees("Show-up: Bo throws again")
    sees_pay(mira, "8", "raised by Bo", "878")
    mira.presses(page.get_by_text("No throw", exact=False).first)
    mira.presses(page.get_by_role("button", name="Cocked die"))
    expect(mira.event("No throw by Bo: cocked die")).to_be_visible()
    taps(mira, 1, 4, 6)
    mira.sees("Bo, junk 4: again (3 left) or stand")
    taps(mira, 3, 3, 5)
    mira.sees("Cyd to throw")
    mira.presses(page.get_by_role("button", name="Undo"))
    mira.sees("Bo, junk 4: again (3 left) or stand")
    taps(mira, 3, 5, 6)
    mira.sees("Bo, junk 5: again (2 left) or stand")
    mira.presses(page.get_by_role("button", name="Stand"))
    mira.sees("Cyd to throw")
    sees_pay(mira, "5", "lowered by Bo", "8785")
    taps(mira, 7, 2, 2)
    mira.sees("Tie for best: Ada throws again")
    expect(mira.seat("Cyd")).to_contain_text("tied for best")
    taps(mira, 8, 8, 8)
    mira.sees("Tie for best: Cyd throws again")
    taps(mira, 1, 4, 7)
    mira.sees("Bo to throw")
    expect(page.locator(".latest")).to_contain_text("Ada wins round 1, Bo pays")
    expect(page.locator(".latest")).to_contain_text("5\N{NO-BREAK SPACE}r Bo to Ada")
    sees_pay(mira, "8", steps="")


def a_round_that_one_leaves(mira: Person) -> None:
    """Dara has come and Ada has bought in; Dara leaves while it runs, and pays as the worst."""
    page = mira.page
    mira.chooses("Somebody joins")
    page.get_by_label("Name").fill("Dara")
    mira.presses(page.get_by_role("button", name="Yes, seat them"))
    expect(mira.seat("Dara")).to_contain_text("12\N{NO-BREAK SPACE}r")
    mira.chooses("Somebody brings more money")
    mira.presses(page.locator(".menu-wide").get_by_text("Ada", exact=True))
    page.locator("#buy-in-amount").fill("4")
    mira.presses(page.get_by_role("button", name="Yes, it is on the table"))
    expect(mira.seat("Ada")).to_contain_text("21\N{NO-BREAK SPACE}r")
    taps(mira, 4, 4, 3)
    mira.sees("Cyd to throw")
    mira.chooses("Dara leaves")
    expect(page.locator("details.sure[open]")).to_contain_text("Counts as the worst hand")
    mira.presses(page.get_by_role("button", name="Yes, Dara leaves"))
    expect(mira.seat("Dara")).to_contain_text("counts as worst")
    taps(mira, 2, 2, 7)
    mira.sees("Ada to throw")
    taps(mira, 6, 6, 1)
    expect(page.locator(".latest")).to_contain_text("Ada wins round 2, Dara pays")


@pytest.mark.long
def test_a_pool_by_keyboard(people: People, house: House) -> None:
    """Opal River and a home throw; the last with money takes the pool."""
    mira = people.arrives("mira")
    keys = mira.page.keyboard
    game = begun(house, mira, stake=7, options={"variant": "pool", "opal": 1})

    mira.sees("Ada to throw")
    keys.type("22")
    keys.press("Backspace")
    keys.type("27")
    mira.sees("Ada, pair 7: again (1 left by Opal) or stand")
    keys.type("146")
    mira.sees("Ada, junk 4: again (3 left) or stand")
    keys.press("s")
    mira.sees("Bo to throw")
    keys.press("n")
    keys.press("2")
    expect(mira.event("No throw by Bo: off the table")).to_be_visible()
    keys.type("631")
    mira.sees("Bo, home throw: again (1 left by Opal) or stand")
    keys.press("Enter")
    mira.sees("Ada to throw")
    expect(mira.seat("Bo")).to_contain_text("sits out")
    keys.type("227")
    mira.sees("Ada, pair 7: again (1 left by Opal) or stand")
    keys.press("u")
    mira.sees("Ada to throw")
    keys.type("147")
    mira.sees("Ada, empty: again (1 left by Opal) or stand")
    keys.press("+")
    mira.sees("Bo wins the pool")

    mira.sees_booked()
    assert house.transfers(game) == [
        ("float", "Ada", 7, "buy_in"),
        ("float", "Bo", 7, "buy_in"),
        ("Ada", "pot", 7, "CG11 G2"),
        ("pot", "Bo", 7, "CG11"),
    ]
    assert not mira.wrong


@pytest.mark.long
def test_what_the_table_cannot_take_is_said_and_play_goes_on(people: People, house: House) -> None:
    mira = people.arrives("mira")
    game = begun(house, mira)
    mira.sees("Ada to throw")
    mira.hears_no_news()
    house.put("tomas", game, "throw", player="Ada", dice=[2, 2, 7])

    mira.taps(2, 2, 7)

    expect(mira.said).to_have_text("Not recorded Bo throws, not Ada. CG4")
    mira.sees("Bo to throw")
    mira.hears_news()
    mira.throws(5, 5, 2, then="Ada to throw")
    mira.chooses("Somebody joins")
    mira.page.get_by_label("Name").fill("Dara")
    mira.page.locator("#join-stake").fill("0")
    mira.presses(mira.page.get_by_role("button", name="Yes, seat them"))
    expect(mira.said).to_contain_text("stake of Dara")
    mira.throws(5, 5, 2, then="Bo to throw")


@pytest.mark.long
def test_the_scoreboard_and_pockets_are_readable(people: People, house: House) -> None:
    mira = people.arrives("mira")
    players = ["Adalgisa Castelfranco-Veneto", "Bo", "Cyd", "Dara", "Elio", "Fenn"]
    options = {"winnings": "pocket", "opal": 1, "ties": "split"}
    begun(house, mira, players=players, options=options)
    found: list[Any] = look(mira, "table", SMALLEST)
    ada, *others, fenn = players
    mira.throws(5, 5, 3, then=f"{ada}, pair 3: again (1 left by Opal) or stand")
    mira.throws(5, 5, 4, then="Bo to throw")
    for player, then in zip(others, [*others[1:], fenn], strict=True):
        mira.throws(5, 5, 3, then=f"{player}, pair 3: again (1 left by Opal) or stand")
        mira.page.keyboard.press("s")
        mira.sees(f"{then} to throw")
    mira.throws(2, 4, 7, then="Fenn, junk 4: again (3 left, 1 by Opal) or stand")
    for size in IN_PLAY:
        mira.page.set_viewport_size(size)
        assert mira.page.evaluate(OVERFLOWS) == []
    found += look(mira, "chances")
    mira.presses(mira.page.locator("#do-no-throw"))
    found += look(mira, "no throw of one or the other", SMALLEST)
    house.clear()
    begun(house, mira, options={"variant": "arcade"})
    mira.throws(1, 3, 6, then="Bo to throw")
    mira.throws(2, 2, 7, then="Bo to throw")
    expect(mira.seat("Ada")).to_contain_text("7 points")
    found += look(mira, "arcade", SMALLEST)

    assert not found
    assert not mira.wrong


@pytest.mark.long
def test_without_a_line_the_scoreboard_opens_with_the_points_foreseen(
    people: People, house: House
) -> None:
    mira = people.arrives("mira", viewport=TABLET)
    page = mira.page
    begun(house, mira, options={"variant": "arcade"})
    foresees(page)
    page.context.set_offline(True)
    try:
        mira.taps(1, 3, 6)
        mira.foresees("Bo to throw")
        mira.taps(2, 2, 7)
        expect(mira.seat("Ada")).to_contain_text("7 points")

        page.get_by_text("More", exact=True).click()
        page.locator("#do-scoreboard").click()

        sheet = page.locator("#sheet")
        expect(sheet).to_contain_text("what it foresees")
        rank = sheet.locator(".rank", has_text="Ada")
        expect(rank).to_contain_text("booked")
        with_foreseen, before = map(int, re.findall(r"\d+", rank.inner_text()))
        assert with_foreseen == before + 7  # she has points of other tests here
        look(mira, "scoreboard without a line", SMALLEST)
        sheet.get_by_role("button", name="Back to the table").click()
        expect(sheet).to_be_hidden()
    finally:
        page.context.set_offline(False)


def begun(house: House, person: Person, **opening: Any) -> str:
    """A game opened at Table 1 from another device, before this person's eyes."""
    desk = house.client("tomas")
    [home] = desk.get("establishments/")["results"]
    tables = desk.get(f"establishments/{home['id']}/tables/")["results"]
    command = {
        "do": "open",
        "command_id": str(uuid.uuid4()),
        "table": next(table["id"] for table in tables if table["name"] == "Table 1"),
        "game": "cinnabar-gate",
        "players": ["Ada", "Bo"],
        "stake": 20,
        "home_throw_policy": "fixed",
        "home_throw": [1, 3, 6],
        **opening,
    }
    reply = desk.post("games/", command)
    assert not reply.refused, reply.body
    person.goes_to("Table 1")
    return person.game


def taps(person: Person, *dice: int) -> None:
    for face in dice:
        person.presses(person.page.locator(f'.keys:not([hidden]) [data-face="{face}"]'))


def sees_pay(person: Person, pay: str, moved: str | None = None, steps: str = "") -> None:
    """What the round costs its worst hand, by whom it was moved, and how it came to that."""
    shown = person.page.locator(".pay")
    expect(shown.locator(".pay-now")).to_have_text(f"{pay} r")
    if moved is not None:
        expect(shown.locator(".pay-moved")).to_have_text(moved)
    expect(shown.locator(".pay-steps")).to_have_count(1 if steps else 0)
    if steps:
        expect(shown.locator(".pay-steps")).to_have_text(steps)
