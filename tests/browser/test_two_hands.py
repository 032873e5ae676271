"""River with two tablets at one table, in the hands of two attendants."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests import processes
from tests.browser.test_leases import takes_over
from tests.browser.test_river import opens_river, seals_all, shows, sold

if TYPE_CHECKING:
    from tests.browser.conftest import People
    from tests.browser.people import Person
    from tests.browser.running import House

pytestmark = pytest.mark.browser
TABLET = {"width": 1112, "height": 834}


LOT = (4, 6, 8, 10, 12)


def state(person: Person) -> list[str]:
    """What a tablet shows of the game: who is asked, the seats, and what happened."""
    parts = "h1.next, .seat-name, .seat-stake, #log li:not(:has(.ahead-word)):not(.took-over)"
    return person.page.locator(parts).all_inner_texts()


def records(person: Person) -> None:
    """This tablet takes the recording over, if it has not got it."""
    main = person.page.locator("#main")
    if main.get_attribute("data-lease") != "mine":
        expect(person.page.locator("#sure-take-over-here")).to_be_visible()
        takes_over(person)


def at_once(*taps: tuple[Person, str]) -> None:
    """Both hands come down before either tablet has heard of the other."""
    for person, selector in taps:
        person.page.evaluate(
            "(what) => { setTimeout(() => document.querySelector(what)?.click(), 50); }", selector
        )


def agree(one: Person, two: Person) -> None:
    processes.eventually(lambda: state(one) == state(two) and bool(state(one)))


@pytest.mark.long
def test_two_attendants_record_in_turn_and_at_once(people: People, house: House) -> None:
    one = people.arrives("mira", viewport=TABLET, has_touch=True)
    two = people.arrives("sela", viewport=TABLET, has_touch=True)
    game = opens_river(one, "Ada", "Bo", "Cyd")
    seals_all(one)
    for sides, face in zip(LOT, (2, 5, 8, 9, 3), strict=True):
        one.presses(one.page.locator(f"#key-{sides}-{face}"))
    one.sees("Who bids for the d4?")
    two.page.goto(one.page.url)
    two.sees("Who bids for the d4?")

    # The d4, bid by bid, from tablet to tablet.
    records(two)
    two.presses(two.page.locator("#bid-1"))
    two.sees("Ada bids 1 r")
    one.sees("Ada bids 1 r")
    records(one)
    one.presses(one.page.locator("#bid-2"))
    one.sees("Bo bids 2 r")
    # A bid on one while the other takes over: it counts once, or is said to wait.
    two.page.locator("#sure-take-over-here > summary").click()
    at_once((two, "#do-take-over-here"), (one, "#bid-3"))
    expect(two.page.locator("#main")).to_have_attribute("data-lease", "mine")
    expect(one.page.locator("#main")).not_to_have_attribute("data-lease", "mine")
    agree(one, two)
    two.page.screenshot(path="/tmp/eyes/two-a.png")
    one.page.screenshot(path="/tmp/eyes/one-a.png")
    print(state(one), house.events(game))
    two.presses(two.page.locator("#do-sell"))
    two.sees("Who bids for the d6?")

    # The d6 under the hammer here, and withdrawn there at the same moment.
    one.sees("Who bids for the d6?")
    two.presses(two.page.get_by_text("Only the hammer price"))
    for key in sold(two, "Cyd", "3"):
        two.presses(key)
    two.sees("Who bids for the d8?")
    one.sees("Who bids for the d8?")
    records(one)
    two.page.locator("#sure-take-over-here > summary").click()
    at_once((one, "#do-withdraw"), (two, "#do-take-over-here"))
    agree(one, two)
    print(state(one), house.events(game))
    for person in (one, two, one, two):
        if one.next_action.inner_text() == "Who shows their dice?":
            break
        records(person)
        person.presses(person.page.locator("#do-withdraw, #do-withdraw-hammer").locator("visible=true"))
        agree(one, two)
    one.sees("Who shows their dice?")
    two.sees("Who shows their dice?")
    print(house.events(game))

    # Throws in turn; a face on both at once.
    records(one)
    shows(one, "Ada", 1, 1, 2, 3, row=0)
    two.page.wait_for_timeout(500)
    print(state(one))
    agree(one, two)
    print(house.events(game), one.wrong, two.wrong)
