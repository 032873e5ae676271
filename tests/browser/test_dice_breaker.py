"""Dice Breaker on the floor: dice where they lie, a break in two taps, everything by keys too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.test_looks import look

if TYPE_CHECKING:
    from playwright.sync_api import ViewportSize

    from tests.browser.conftest import People
    from tests.browser.people import Person
    from tests.browser.running import House

pytestmark = pytest.mark.browser
TABLET: ViewportSize = {"width": 1180, "height": 820}
PHONE: ViewportSize = {"width": 390, "height": 844}


def opens(person: Person, *names: str, battle: bool = False, target: int = 33) -> str:
    """A game without money between these players."""
    page = person.page
    person.goes_to("Table 3")
    person.presses(page.get_by_role("button", name="Dice Breaker"))
    person.seats(*names)
    if battle:
        page.locator('[name="option-mode"][value="battle"]').check()
    if target != 33:
        person.presses(page.get_by_text("House options"))
        page.get_by_label("The game goes to").fill(str(target))
    person.presses(page.get_by_role("button", name="Open the game"))
    page.wait_for_url("**/floor/games/*/")
    return person.game


def die(person: Person, name: str) -> Locator:
    return person.page.locator(f'[data-die="{name}"]')


def face(person: Person, value: int) -> Locator:
    return person.page.locator(f'.entry-breaker [data-face="{value}"]')


def row(person: Person, name: str) -> Locator:
    return person.page.locator(f'[data-seat="{name}"]')


def throws(person: Person, *values: int) -> None:
    """The next dice in their order, a tap each."""
    for value in values:
        version = person.page.locator("#main").get_attribute("data-version")
        person.presses(face(person, value))
        expect(person.page.locator("#main")).not_to_have_attribute("data-version", version or "")


def report(house: House, game: str) -> Any:
    return house.client("mira").get(f"games/{game}/")


@pytest.mark.long
@pytest.mark.parametrize("touch", [True, False], ids=["touch", "mouse"])
def test_quick_play_by_touch_or_mouse(people: People, house: House, *, touch: bool) -> None:
    mira = people.arrives("mira", viewport=TABLET, has_touch=touch)
    game = opens(mira, "Ada", "Bo", "Cyd", target=3)

    # DB1: everybody breaks the starting die; the lowest are tied and break again, in any order.
    mira.sees("Everybody breaks the starting die")
    throws(mira, 2, 5, 2)
    mira.sees("Tie: Ada and Cyd break again")
    mira.presses(mira.page.locator('[data-breaks="Cyd"]'))
    throws(mira, 1, 6)

    # Round 1: Cyd breaks a die in two taps; one of Ada's is out; both have a pair and share.
    mira.sees("Cyd throws, 5 dice left")
    throws(mira, 4, 4)
    mira.presses(die(mira, "Cyd2"))
    expect(mira.page.locator("[data-asked]")).to_have_text("Cyd 2 was hit and shows")
    mira.presses(face(mira, 6))
    throws(mira, 1)
    expect(die(mira, "Cyd2")).to_have_attribute("data-face", "6")
    mira.presses(mira.page.get_by_role("button", name="Undo"))
    expect(die(mira, "Cyd2")).to_have_attribute("data-face", "4")
    throws(mira, 1, 2, 3)
    expect(row(mira, "Cyd")).to_contain_text("pair +1")
    mira.sees("Ada throws, 5 dice left")
    throws(mira, 5, 5)
    mira.presses(mira.page.get_by_role("button", name="Out"))
    mira.sees("Ada throws, 2 dice left")
    throws(mira, 1, 2)
    mira.sees("Bo throws, 5 dice left")
    expect(die(mira, "Ada1")).to_be_disabled()  # in quick play everybody breaks their own
    throws(mira, 1, 2, 3, 5, 6)
    expect(row(mira, "Ada")).to_contain_text("\N{VULGAR FRACTION ONE HALF} points")

    # Round 2: who won begins; three of a kind is enough.
    mira.sees("Cyd throws, 5 dice left")
    throws(mira, 1, 2, 3, 5, 6)
    throws(mira, 1, 2, 3, 5, 6)
    throws(mira, 4, 4, 4, 1, 2)
    mira.sees("Bo wins the game")
    expect(row(mira, "Bo")).to_contain_text("three of a kind")
    assert report(house, game)["points"] == {"Ada": "1/2", "Bo": "3", "Cyd": "1/2"}
    assert not mira.wrong


@pytest.mark.long
def test_a_battle_by_keyboard(people: People, house: House) -> None:
    mira = people.arrives("mira")
    game = opens(mira, "Ada", "Bo", battle=True)
    keys = mira.page.keyboard

    def types(what: str, then: str) -> None:
        version = mira.page.locator("#main").get_attribute("data-version")
        for key in what:
            keys.press(key)
        expect(mira.page.locator("#main")).not_to_have_attribute("data-version", version or "")
        mira.sees(then)

    types("b2", "Ada breaks the starting die")
    types("5", "Bo throws the trump")
    types("4", "Bo throws a die")
    types("1", "Ada throws a die")
    types("b163", "Bo throws a die")  # Bo's first die is broken to 6, Ada's shows 3
    expect(die(mira, "Bo1")).to_have_attribute("data-face", "6")
    for key in "t2":
        keys.press(key)
    expect(die(mira, "trump").locator("[data-note]")).to_have_text("4 \N{RIGHTWARDS ARROW}")
    keys.press("Backspace")
    types("b41", "Ada throws a die")  # the fourth die first
    expect(die(mira, "trump")).to_have_attribute("data-face", "4")
    expect(die(mira, "Bo4")).to_have_attribute("data-face", "1")
    types("b1ka6", "Bo throws a die")  # Ada catches what her throw has hit
    expect(row(mira, "Ada").locator(".beside")).to_be_visible()
    types("a1op5", "Ada throws a die")  # Ada's first is out, a die spins
    types("l2ab213", "Ada throws a die")  # Ada throws a latent die at it, which stays
    expect(row(mira, "Ada").locator('[data-die="latent2"]')).to_be_visible()
    types("u", "Ada throws a die")
    expect(die(mira, "Bo2")).to_have_attribute("data-face", "5")
    types("n2", "Ada throws a die")
    expect(mira.event("No throw by Ada: off the table")).to_be_visible()
    types("b15", "Bo throws a die")  # the caught die, thrown by Ada

    thrown = report(house, game)["throws"][-1]
    assert (thrown["player"], thrown["die"], thrown["value"]) == ("Ada", "Bo1", 5)
    assert not mira.wrong


@pytest.mark.long
def test_the_last_die_spins_until_it_rests(people: People, house: House) -> None:
    mira = people.arrives("mira")
    game = opens(mira, "Ada", "Bo", battle=True)
    house.put("mira", game, "break_start", player="Ada", value=1)
    house.put("mira", game, "break_start", player="Bo", value=2)
    house.put("mira", game, "throw", player="Ada", die="trump", value=6)
    for number in range(1, 6):
        house.put("mira", game, "throw", player="Ada", die=f"Ada{number}", value=number)
        if number < 5:
            house.put("mira", game, "throw", player="Bo", die=f"Bo{number}", value=number)
    mira.sees("Bo throws the last die")
    mira.presses(mira.page.locator(".spin"))
    mira.presses(face(mira, 5))
    mira.sees("Bo's last die spins")
    mira.presses(mira.page.get_by_role("button", name="latent 3"))
    expect(mira.page.locator("[data-asked]")).to_have_text("Who throws latent 3?")
    expect(face(mira, 1)).to_be_disabled()
    mira.presses(mira.page.locator('[data-who="Ada"]'))
    mira.presses(face(mira, 4))  # it hits nothing, so it goes back to its corner
    expect(mira.event("Ada throws latent 3, which goes back")).to_be_visible()
    mira.presses(mira.page.get_by_role("button", name="It rests"))

    expect(mira.event("Round 1: Ada and Bo with straight, 2 points each")).to_be_visible()
    mira.sees("Ada throws the trump")
    assert not mira.wrong


@pytest.mark.long
def test_a_refusal_keeps_what_was_entered(people: People, house: House) -> None:
    mira = people.arrives("mira")
    game = opens(mira, "Ada", "Bo", battle=True)
    house.put("mira", game, "break_start", player="Ada", value=1)
    house.put("mira", game, "break_start", player="Bo", value=2)
    house.put("mira", game, "throw", player="Ada", die="trump", value=6)
    mira.sees("Ada throws a die")
    mira.presses(die(mira, "trump"))
    mira.presses(face(mira, 2))
    # The page believes that a latent die lives; the rules know better.
    mira.page.evaluate("document.querySelector('[data-thrower]').dataset.thrower = 'Bo'")
    mira.presses(face(mira, 3))

    expect(mira.said).to_contain_text("Ada throws, not Bo")
    expect(die(mira, "trump").locator("[data-note]")).to_have_text("6 \N{RIGHTWARDS ARROW}")
    mira.presses(face(mira, 3))
    mira.sees("Bo throws a die")
    expect(die(mira, "trump")).to_have_attribute("data-face", "2")


@pytest.mark.long
def test_what_is_half_entered_goes_when_somebody_else_records(people: People, house: House) -> None:
    mira = people.arrives("mira")
    game = opens(mira, "Ada", "Bo", battle=True)
    house.put("mira", game, "break_start", player="Ada", value=1)
    house.put("mira", game, "break_start", player="Bo", value=2)
    house.put("mira", game, "throw", player="Ada", die="trump", value=6)
    mira.sees("Ada throws a die")
    mira.presses(die(mira, "trump"))
    mira.presses(face(mira, 2))
    house.put("mira", game, "throw", player="Ada", die="Ada1", value=4)

    mira.sees("Bo throws a die")
    expect(mira.page.locator("#say")).to_contain_text("half-entered")
    expect(die(mira, "trump").locator("[data-note]")).to_have_text("")


@pytest.mark.long
def test_people_come_and_go_between_rounds(people: People) -> None:
    mira = people.arrives("mira")
    opens(mira, "Ada", "Bo")
    throws(mira, 1, 2)
    mira.chooses("Somebody joins")
    mira.page.locator("#join-player").fill("Cyd")
    mira.presses(mira.page.get_by_role("button", name="Yes, seat them"))
    expect(row(mira, "Cyd")).to_be_visible()
    mira.chooses("Ada leaves")
    mira.presses(mira.page.get_by_role("button", name="Yes, Ada leaves"))
    mira.sees("Bo throws, 5 dice left")
    expect(row(mira, "Ada")).to_contain_text("left")
    mira.chooses("Close the game")
    mira.presses(mira.page.get_by_role("button", name="Yes, close the game"))
    mira.sees("The game is closed")


@pytest.mark.long
def test_the_arena_looks_right_everywhere(people: People, house: House) -> None:
    mira = people.arrives("mira")
    game = opens(mira, "Adalgisa Castelfranco-Veneto", "Bo", "Cyd", "Dara", battle=True)
    found = look(mira, "breaking")
    for player, value in (("Bo", 1), ("Cyd", 2), ("Dara", 3), ("Adalgisa Castelfranco-Veneto", 4)):
        house.put("mira", game, "break_start", player=player, value=value)
    house.put("mira", game, "throw", player="Bo", die="trump", value=6)
    house.put("mira", game, "throw", player="Bo", die="Bo1", value=4)
    house.put("mira", game, "throw", player="Cyd", die="Cyd1", value=4, out=["Bo1"])
    mira.sees("Dara throws a die")
    mira.presses(die(mira, "Cyd1"))
    found += look(mira, "arena")
    mira.presses(mira.page.locator("#do-no-throw"))
    found += look(mira, "no throw", [TABLET, PHONE])

    assert not found
    assert not mira.wrong
