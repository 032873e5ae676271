"""Two tablets at one table (E5): one records, the other watches; what lapsed is put right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.people import foresees
from tests.browser.test_looks import IN_PLAY, SIZES, look

if TYPE_CHECKING:
    from tests.browser.conftest import People
    from tests.browser.people import Person

pytestmark = pytest.mark.browser
SOON = 15_000  # milliseconds; the longest time between two tries
PAGES: list[ViewportSize] = [SIZES[0], {"width": 390, "height": 844}]


def watched(person: Person) -> Any:
    return person.page.get_by_role("region", name="Another device records")


def takes_over(person: Person) -> None:
    """Asked once more, and then recording."""
    person.page.locator("#sure-take-over-here > summary").click()
    person.page.get_by_role("button", name="Record here from now on").click()
    expect(person.page.locator("#main")).to_have_attribute("data-lease", "mine")


def throw(person: Person, *dice: int) -> None:
    """Tap the dice; the page answers at once, whatever the line does."""
    version = person.page.locator("#main").get_attribute("data-version") or ""
    person.taps(*dice)
    expect(person.page.locator("#main")).not_to_have_attribute("data-version", version)


@pytest.mark.long
def test_one_records_the_other_watches_and_may_take_over(people: People) -> None:
    mira, sela = people.arrives("mira"), people.arrives("sela")
    mira.opens("Table 1", "Ada", "Bo")
    mira.throws(2, 2, 7, then="Bo to throw")

    sela.goes_to("Table 1")
    expect(watched(sela)).to_contain_text("Mira Solano records this table on another device")
    expect(watched(sela)).to_contain_text("in touch")
    expect(sela.page.locator("[data-face]")).to_have_count(0)
    found = look(sela, "watching", IN_PLAY)
    takes_over(sela)

    line = "Sela Okoye took the recording over on another device"
    for person in (mira, sela):
        expect(person.event(line)).to_be_visible(timeout=SOON)
    expect(watched(mira)).to_contain_text("Sela Okoye's tablet took this table over")
    expect(mira.page.locator("[data-face]")).to_have_count(0)
    found += look(mira, "taken over", IN_PLAY)
    sela.throws(3, 4, 5, then="Ada to throw")
    mira.sees("Ada to throw")
    assert not found
    assert not mira.wrong + sela.wrong


@pytest.mark.long
def test_what_a_tablet_without_a_line_recorded_is_put_right_by_a_supervisor(people: People) -> None:
    mira, sela = people.arrives("mira"), people.arrives("sela")
    game = mira.opens("Table 1", "Ada", "Bo")
    mira.throws(2, 2, 7, then="Bo to throw")
    foresees(mira.page)
    mira.page.context.set_offline(offline=True)
    throw(mira, 3, 4, 5)
    throw(mira, 5, 5, 2)
    sela.goes_to("Table 1")
    takes_over(sela)
    mira.page.context.set_offline(offline=False)

    expect(watched(mira)).to_contain_text("2 of your entries wait", timeout=SOON)
    expect(mira.event("Bo run 4")).to_have_count(0)
    sela.page.goto("/late/")
    found = look(sela, "late entries", PAGES)
    mine = f'.ask[id^="late-{game}"]'
    card = sela.page.locator(mine).filter(has_text="Bo throws")
    expect(card).to_contain_text("Entered by Mira Solano")
    card.get_by_role("button", name="Put to the game now").click()
    expect(sela.page.get_by_role("status")).to_contain_text("Recorded, as a late entry.")
    card = sela.page.locator(mine).filter(has_text="Ada throws")
    card.get_by_label("Reason").fill("Ada had thrown again by then.")
    card.get_by_role("button", name="Dismiss").click()
    expect(sela.page.get_by_role("status")).to_contain_text("stays on record")
    found += look(sela, "late entries dealt with", PAGES)

    expect(mira.event("Bo run 4")).to_be_visible(timeout=SOON)
    mira.sees("Ada to throw")
    assert mira.house.events(game).count("dice_thrown") == 2
    assert not found
    broken_off = (
        "htmx:sendAbort",
        "htmx:afterRequest",
    )  # the poll on its way as she left the table
    assert not [each for each in sela.wrong if not each.startswith(broken_off)]
