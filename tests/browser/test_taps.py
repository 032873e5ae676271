"""
A tap is taken or refused in sight, never lost: what is recorded was tapped for that throw.

In all five games, where the scripts are slow and where the answers are, by finger and by keys.
"""

from __future__ import annotations

import json
import random
import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import expect

from tests.browser.offline import ENTRIES
from tests.browser.people import foresees, until
from tests.browser.test_river import seals_all

if TYPE_CHECKING:
    from playwright.sync_api import Route

    from tests.browser.conftest import People
    from tests.browser.people import Person
    from tests.browser.running import House

pytestmark = [pytest.mark.browser, pytest.mark.long("postgresql")]
GAMES = {
    "Stone Hand": "Table 1",
    "River": "Table 1",
    "Cinnabar Gate": "Table 1",
    "Threes Away": "Table 2",
    "Dice Breaker": "Table 3",
}
ALL = [
    pytest.param(game, marks=[] if game == "Stone Hand" else [pytest.mark.long]) for game in GAMES
]
FILLED = ".slot:not(:disabled)"
PATIENCE = 8_000  # milliseconds after which what was left alone begins anew
SEEN = 700  # milliseconds until somebody has seen that dice were taken off
OFFLINE_BUNDLE = "**/floor/offline/*.js"
NEWS_AHEAD = "**/offline/?after=*"
SIDES = """() => document.querySelector(".entry-breaker") ? [6]
    : [...document.querySelectorAll(".slot")].map(slot => Number(slot.dataset.sides))"""
PLACE = """face => {
    const keys = [...document.querySelectorAll("#board .keys:not([hidden]) [data-face]")];
    const box = keys.find(key => key.dataset.face === String(face))?.getBoundingClientRect();
    return box ? [box.x + box.width / 2, box.y + box.height / 2] : null;
}"""
LOOKS_READY = """() => [...document.querySelectorAll("#board button[type=button]")]
    .filter(each => each.checkVisibility())
    .filter(each => {
        let seen = 1;
        for (let part = each; part; part = part.parentElement)
            seen *= getComputedStyle(part).opacity;
        return seen > 0.6 || getComputedStyle(each).pointerEvents !== "none";
    })
    .map(each => each.id || each.className)"""


class Hand:
    """A finger that taps without looking, and what the page has sent of it."""

    def __init__(self, person: Person) -> None:
        self.page = person.page
        self.entries: dict[int, list[int]] = {}
        self.held: list[Route] = []
        self.holds = False
        self.page.route(ENTRIES, self._on_its_way)

    def _on_its_way(self, route: Route) -> None:
        for entry in json.loads(route.request.post_data or "{}")["entries"]:
            values = [int(value) for name, value in parse_qsl(entry["form"]) if is_die(name)]
            if values:
                self.entries[entry["seq"]] = values
        if self.holds:
            self.held.append(route)
        else:
            route.continue_()

    @property
    def sent(self) -> list[list[int]]:
        return [values for _seq, values in sorted(self.entries.items())]

    def lets_through(self) -> None:
        self.holds = False
        for route in self.held:
            route.continue_()
        self.held.clear()

    def taps(self, *faces: int) -> None:
        """Where the face lies, whatever hears it."""
        for face in faces:
            place = self.page.evaluate(PLACE, face)
            if place:
                self.page.mouse.click(*place)

    def throw(self, first: int) -> list[int]:
        """Faces of one throw, as many dice as are asked for."""
        return [1 + (first + at) % sides for at, sides in enumerate(self.page.evaluate(SIDES))]

    def said(self, words: str) -> None:
        expect(self.page.locator("#say")).to_contain_text(words)


def keep(held: list[Route], route: Route) -> None:
    held.append(route)


def is_die(name: str) -> bool:
    return name == "value" or name.startswith("dice")


def opens(person: Person, game: str) -> str:
    """A game that asks for dice: its page, which foresees nothing where the bundle is kept back."""
    page = person.page
    person.goes_to(GAMES[game])
    if game != "Stone Hand":
        person.presses(page.locator(".game").filter(has_text=game))
        expect(page.locator('.game[aria-pressed="true"]')).to_contain_text(game)
    person.seats("Ada", "Bo", "Cyd")
    person.presses(page.get_by_role("button", name="Open the game"))
    page.wait_for_url("**/floor/games/*/", wait_until="commit")
    if game == "River":
        seals_all(person)
    expect(page.locator("#board .keys [data-face]").first).to_be_visible()
    until(page, "() => document.querySelector('#board').hasAttribute('data-ready')")
    return person.game


# --- A slow start --------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["finger", "keys"])
@pytest.mark.parametrize("game", ALL)
def test_what_is_tapped_before_the_scripts_have_come_moves_no_die(
    people: People, game: str, by: str
) -> None:
    mira = people.arrives("mira")
    page = mira.page
    opens(mira, game)
    held: list[Route] = []
    page.route(re.compile(r"/floor/board\b.*\.js"), lambda route: keep(held, route))
    page.goto(page.url, wait_until="commit")
    expect(page.locator("#board .keys [data-face]").first).to_be_visible()
    hand = Hand(mira)
    assert page.evaluate(LOOKS_READY) == []

    throw = hand.throw(1)
    if by == "finger":
        hand.taps(throw[0])
    else:
        page.keyboard.type(str(throw[0]))
    for route in held:
        route.continue_()
    until(page, "() => document.querySelector('#board').hasAttribute('data-ready')")
    hand.said("Not entered")
    hand.taps(*throw[1:], *throw)

    hand.said("Some taps were not taken. Is this the throw?")
    assert hand.sent == []
    assert not mira.wrong


# --- A slow answer -------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ALL)
def test_what_is_tapped_while_a_throw_is_sent_is_refused_in_sight(
    people: People, game: str
) -> None:
    mira = people.arrives("mira")
    page = mira.page
    page.route(OFFLINE_BUNDLE, lambda route: route.abort())
    opens(mira, game)
    hand = Hand(mira)
    hand.holds = True
    first = hand.throw(2)
    hand.taps(*first)
    expect(page.locator('.play[data-state="sending"]')).to_be_visible()
    expect(page.locator("#board .keys [data-face]").first).to_have_attribute(
        "aria-disabled", "true"
    )

    hand.taps(first[0])
    hand.said("Not entered")
    hand.lets_through()
    expect(page.locator('.play[data-state="sending"]')).to_have_count(0)
    if not page.evaluate(SIDES):
        return  # the game asks for something else than dice now
    second = hand.throw(3)
    hand.taps(*second)

    hand.said("Some taps were not taken. Is this the throw?")
    assert hand.sent == [first]
    page.locator("#say [data-enter]").click()
    expect(page.locator("#say [data-enter]")).to_have_count(0)
    until(page, "() => !document.querySelector('#board .play[data-state]')")
    assert hand.sent == [first, second]


@pytest.mark.parametrize("game", ALL)
def test_what_a_late_bundle_foresees_of_a_throw_under_way_is_no_other_device_s(
    people: People, game: str
) -> None:
    mira = people.arrives("mira")
    page = mira.page
    held: list[Route] = []
    page.route(OFFLINE_BUNDLE, lambda route: keep(held, route))
    opens(mira, game)
    until(page, "() => Boolean(window.floor?.queue)")
    hand = Hand(mira)
    hand.holds = True
    hand.taps(*hand.throw(2))
    expect(page.locator('.play[data-state="sending"]')).to_be_visible()

    for route in held:
        route.continue_()
    expect(page.locator("#main[data-ahead]")).to_be_visible()
    assert "another device" not in page.locator("#say").inner_text()
    hand.lets_through()
    expect(page.locator("#main[data-ahead]")).to_have_count(0)
    assert "another device" not in page.locator("#say").inner_text()
    assert len(hand.sent) == 1


@pytest.mark.parametrize("game", [ALL[0], ALL[2]])
def test_a_die_stays_while_the_throw_before_it_has_to_be_waited_for(
    people: People, game: str
) -> None:
    """The answer is lost on its way, and so is what would have let the device go on alone."""
    mira = people.arrives("mira")
    page = mira.page
    opens(mira, game)
    foresees(page)
    hand = Hand(mira)
    hand.holds = True
    hand.taps(*hand.throw(2))
    expect(page.locator("#main[data-ahead]")).to_be_visible()
    hand.taps(3)
    page.route(NEWS_AHEAD, lambda route: route.abort())
    while not hand.held:
        page.wait_for_timeout(10)
    hand.held[0].fetch()
    hand.held.pop(0).abort()
    expect(page.locator("#board .play[data-state]")).to_be_visible()
    hand.lets_through()
    until(page, "() => !window.floor.queue.waiting().length && !window.floor.flying")
    expect(page.locator("#board .play[data-state]")).to_have_count(0)

    expect(page.locator(FILLED)).to_have_count(1)
    assert not page.locator("#say").inner_text()


@pytest.mark.rows(2)
@pytest.mark.parametrize("alone", [False, True], ids=["asks the house", "foresees"])
@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_tapped_at_whatever_pace_no_die_goes_to_another_throw(
    people: People, seed: int, *, alone: bool
) -> None:
    rng = random.Random(seed)  # noqa: S311 - no secret
    mira = people.arrives("mira")
    page = mira.page
    if not alone:
        page.route(OFFLINE_BUNDLE, lambda route: route.abort())
    opens(mira, "Stone Hand")
    if alone:
        foresees(page)
    hand = Hand(mira)
    # Ada's throws and Bo's have no face in common: a die that went astray is seen.
    tapped = [[2, 2, 7] if at % 2 == 0 else [5, 5, 6] for at in range(8)]
    for throw in tapped:
        hand.holds = rng.random() < 0.5
        for face in throw:
            if rng.random() < 0.2:
                hand.lets_through()
            page.wait_for_timeout(rng.choice([0, 0, 10, 30, 60, 200]))
            hand.taps(face)
    hand.lets_through()
    until(page, "() => !window.floor.queue.waiting().length")

    assert hand.sent
    assert all(throw in ([2, 2, 7], [5, 5, 6]) for throw in hand.sent)
    if alone:
        assert hand.sent == tapped


@pytest.mark.long
def test_who_goes_on_after_dice_were_dropped_is_asked_before_it_is_the_next_throw(
    people: People, house: House
) -> None:
    """A throw that was recorded elsewhere, such as a late entry that a supervisor puts."""
    mira = people.arrives("mira")
    opens(mira, "Stone Hand")
    hand = Hand(mira)
    mira.hears_no_news()
    house.put("sela", mira.game, "throw", player="Ada", dice=[2, 2, 7])
    hand.taps(2, 2)

    mira.hears_news()
    expect(mira.next_action).to_have_text("Bo to throw")
    hand.taps(7)
    mira.page.wait_for_timeout(SEEN)
    hand.taps(7, 5, 5)  # the first of these, at least, is taken for a die of Bo's

    hand.said("Some taps were not taken. Is this the throw?")
    assert hand.sent == []


# --- Left alone ----------------------------------------------------------------------------------


@pytest.mark.long
def test_a_throw_that_is_left_half_entered_begins_anew(people: People) -> None:
    mira = people.arrives("mira")
    page = mira.page
    opens(mira, "Stone Hand")
    hand = Hand(mira)
    hand.taps(2, 2)
    page.wait_for_timeout(PATIENCE - 3_000)
    expect(page.locator(FILLED)).to_have_count(2)
    expect(page.locator(FILLED)).to_have_count(0)

    hand.said("Left half entered: begin with the first die.")
    page.wait_for_timeout(SEEN)
    hand.taps(3, 3, 4)
    mira.sees("Bo to throw")
    assert hand.sent == [[3, 3, 4]]

    hand.taps(2, 2)
    expect(page.locator("#say [data-enter]")).to_be_visible()
    page.locator("#say [data-enter]").click()
    expect(page.locator(FILLED)).to_have_count(2)
    hand.taps(7)
    mira.sees("Cyd to throw")
    assert hand.sent == [[3, 3, 4], [2, 2, 7]]
    assert not mira.wrong


@pytest.mark.long
def test_hits_that_are_left_half_entered_begin_anew(people: People) -> None:
    mira = people.arrives("mira")
    page = mira.page
    opens(mira, "Dice Breaker")
    for value in (2, 5, 3):
        mira.presses(page.locator(f'.entry-breaker [data-face="{value}"]'))
    mira.sees("Ada throws, 5 dice left")
    page.keyboard.type("k")
    expect(page.locator("[data-asked]")).to_contain_text("Who catches")

    expect(page.locator("[data-asked]")).not_to_contain_text("Who catches")
    hand = Hand(mira)
    hand.said("Left half entered: begin with the first die.")


CLOCK_ON = "seconds => { const now = Date.now() + 1000 * seconds; Date.now = () => now; }"


def test_a_device_that_slept_begins_the_throw_anew_and_undoes_nothing(
    people: People, house: House
) -> None:
    """Its timers slept, too: by the clock nobody has touched the table for a while."""
    mira = people.arrives("mira")
    page = mira.page
    opens(mira, "Stone Hand")
    hand = Hand(mira)
    mira.throws(3, 3, 4, then="Bo to throw")
    hand.taps(2, 2)
    expect(page.locator(FILLED)).to_have_count(2)

    page.evaluate(CLOCK_ON, 3600)
    page.locator("#do-undo").click()  # it said that it takes a die back

    hand.said("Left half entered: begin with the first die.")
    expect(page.locator(FILLED)).to_have_count(0)
    page.wait_for_timeout(SEEN)
    assert house.events(mira.game).count("voided") == 0
    page.locator("#say [data-enter]").click()
    expect(page.locator(FILLED)).to_have_count(2)


def test_what_was_left_before_a_reload_begins_anew_after_it(people: People) -> None:
    mira = people.arrives("mira")
    opens(mira, "Stone Hand")
    Hand(mira).taps(2, 2)
    mira.page.add_init_script(f"({CLOCK_ON})(3600)")

    mira.page.reload()

    asked = mira.page.locator("#say").filter(has_text="Left half entered")
    expect(asked).to_be_visible(timeout=PATIENCE / 2)  # sooner than if nobody had looked at a clock
    expect(mira.page.locator(FILLED)).to_have_count(0)


# --- A key that is held down ---------------------------------------------------------------------


@pytest.mark.parametrize("key", ["u", pytest.param("Enter", marks=pytest.mark.long)])
def test_a_key_that_is_held_down_says_what_it_says_once(
    people: People, house: House, key: str
) -> None:
    mira = people.arrives("mira")
    opens(mira, "Stone Hand")
    foresees(mira.page)
    mira.throws(2, 2, 7, then="Bo to throw")
    mira.throws(3, 3, 4, then="Cyd to throw")
    if key == "Enter":
        mira.page.locator("#do-undo").focus()

    for _ in range(4):
        mira.page.keyboard.down(key)
    mira.page.keyboard.up(key)

    mira.sees("Bo to throw")
    mira.page.wait_for_timeout(300)
    mira.sees("Bo to throw")
    assert house.events(mira.game).count("voided") == 1
