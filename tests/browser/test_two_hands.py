"""River with two tablets at one table, in the hands of two attendants."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests import processes
from tests.browser.test_leases import takes_over
from tests.browser.test_river import opens_river, seals_all, sold

if TYPE_CHECKING:
    from tests.browser.conftest import People
    from tests.browser.people import Person
    from tests.browser.running import House

pytestmark = pytest.mark.browser
TABLET = {"width": 1112, "height": 834}


DICE = (4, 6, 8, 10, 12)
FITS = "() => document.querySelector('#do-more').getBoundingClientRect().bottom <= innerHeight"


def state(person: Person) -> list[str]:
    """What a tablet shows of the game: who is asked, the seats, and what happened."""
    parts = "h1.next, .seat-name, .seat-stake, #log li:not(:has(.ahead-word)):not(.took-over)"
    return person.page.locator(parts).all_inner_texts()


def records(person: Person) -> None:
    """Take the recording over to this tablet, if it has not got it."""
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
    processes.eventually(lambda: state(one) == state(two) != [])


@pytest.mark.long
def test_two_attendants_sell_in_turn_and_at_once(people: People, house: House) -> None:
    """Whatever both do at once is recorded once, or goes to a supervisor, and is said to."""
    one = people.arrives("mira", viewport=TABLET, has_touch=True)
    two = people.arrives("sela", viewport=TABLET, has_touch=True)
    game = opens_river(one, "Ada", "Bo", "Cyd")
    seals_all(one)
    for sides, face in zip(DICE, (2, 5, 8, 9, 3), strict=True):
        one.presses(one.page.locator(f"#key-{sides}-{face}"))
    one.sees("Who bids for the d4?")
    two.page.goto(one.page.url)
    two.sees("Who bids for the d4?")

    # The d4, bid by bid and in turn; then a bid while the other takes over.
    records(two)
    two.presses(two.page.locator("#bid-1"))
    one.sees("Ada bids 1 r")
    records(one)
    one.presses(one.page.locator("#bid-2"))
    two.sees("Bo bids 2 r")
    two.page.locator("#sure-take-over-here > summary").click()
    at_once((two, "#do-take-over-here"), (one, "#bid-3"))
    expect(two.page.locator("#main")).to_have_attribute("data-lease", "mine")
    expect(one.page.locator("#watching")).to_be_visible()
    agree(one, two)
    if house.events(game).count("bid_made") == 2:  # the third came after the other had taken over
        expect(one.page.locator("#asks")).to_contain_text("1 entry went to the supervisor's list")
        expect(one.page.locator(".watching-lost")).to_be_hidden()  # it says the same
        assert one.page.evaluate(FITS)
        one.presses(one.page.get_by_role("button", name="Understood"))
        expect(one.page.locator(".watching-lost")).to_contain_text("1 of your entries waits")
    two.presses(two.page.locator("#do-sell"))

    # The d6 under the hammer; the d8 withdrawn while the other takes over.
    two.sees("Who bids for the d6?")
    two.presses(two.page.get_by_text("Only the hammer price"))
    for key in sold(two, "Cyd", "3"):
        two.presses(key)
    one.sees("Who bids for the d8?")
    records(one)
    two.page.locator("#sure-take-over-here > summary").click()
    at_once((one, "#do-withdraw"), (two, "#do-take-over-here"))
    expect(two.page.locator("#main")).to_have_attribute("data-lease", "mine")
    agree(one, two)
    for person in (one, two, one):
        if two.next_action.inner_text() != "Who shows their dice?":
            records(person)
            person.presses(person.page.locator(".gavel-do:visible").first)
            agree(one, two)
    for person in (one, two):
        person.sees("Who shows their dice?")
    booked = house.events(game)
    assert booked.count("lot_sold") + booked.count("lot_withdrawn") == len(DICE)
