"""Asking what if, and looking back: in a browser, with scripts and without."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.test_looks import SIZES, look

if TYPE_CHECKING:
    from tests.browser.conftest import People
    from tests.browser.people import Person

pytestmark = pytest.mark.browser
SOON = 30_000  # milliseconds; a worker does it
PAGES: list[ViewportSize] = [SIZES[0], {"width": 390, "height": 844}]


def played(people: People) -> Person:
    """Orso, and a round in which Ada lost 7 to Bo; it is booked."""
    orso = people.arrives("orso")
    orso.opens("Table 1", "Ada", "Bo", stake=40)
    orso.throws(2, 2, 7, then="Bo to throw")
    orso.throws(3, 4, 5, then=re.compile("to throw"))
    orso.sees_booked()
    return orso


@pytest.mark.long
def test_without_scripts_the_same_form_asks(people: People) -> None:
    played(people)
    quiet = people.arrives("orso", java_script_enabled=False)
    quiet.page.goto("/what-if/?game=stone-hand")

    quiet.page.get_by_role("button", name="Play it again").click()
    expect(quiet.page.get_by_role("alert")).to_contain_text("Nothing is changed yet")
    quiet.page.get_by_label("Stake of each player").fill("80")
    quiet.page.get_by_role("button", name="Play it again").click()

    expect(quiet.page.get_by_text("stake of each player: 80")).to_be_visible()
    found = quiet.page.get_by_text("Decided again from the first event")
    expect(quiet.looks_until(found)).to_be_visible()


@pytest.mark.long
def test_a_manager_asks_and_watches_it_come(people: People) -> None:
    orso = played(people)
    page = orso.page
    page.goto("/")
    page.get_by_role("navigation", name="Office").get_by_role("link", name="Reports").click()
    page.get_by_role("navigation", name="Office").get_by_role("link", name="What if").click()
    page.get_by_role("button", name="Stone Hand").click()
    page.get_by_label("Stake of each player").fill("80")
    expect(page.locator("[data-changes]")).to_contain_text("Stake of each player")
    found = look(orso, "what if: asked", PAGES)

    page.get_by_role("button", name="Play it again").click()

    # It looks for itself: how far it has come, and then what came of it.
    expect(page.get_by_text("Decided again from the first event")).to_be_visible(timeout=SOON)
    expect(page.get_by_text("stake of each player: 80")).to_be_visible()
    expect(page.locator("progress")).to_have_count(0)
    found += look(orso, "what if: answered", PAGES)
    assert not found
    assert not orso.wrong


@pytest.mark.long
def test_a_game_is_found_by_its_receipt_and_gone_through(people: People) -> None:
    orso = people.arrives("orso")
    page, game = orso.page, orso.opens("Table 1", "Ada", "Bo", stake=5)
    orso.throws(2, 2, 7, then="Bo to throw")
    orso.taps(3, 4, 5)  # and Ada has lost all she had
    orso.sees_booked()
    page.goto("/payouts/")
    why = page.locator(f'a[href="/floor/games/{game}/rounds/1/"]')
    row = page.get_by_role("row").filter(has=why).filter(has_text="Bo")
    orso.looks_until(row.get_by_role("link", name="Bo")).first.click()
    page.get_by_role("link", name="Receipt").click()
    stands = page.locator(".receipt-proof dt", has_text="Position").locator("+ dd")
    position = stands.inner_text()

    page.goto("/games/")
    page.get_by_role("searchbox").fill(f"#{position}")
    page.get_by_role("button", name="Find").click()
    page.get_by_role("link", name="The table as it stood then").click()

    slider, at = page.get_by_role("slider"), page.locator("#at")
    expect(at).to_contain_text("as it stood after event 5 of 5")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(at).to_contain_text("as it stood after event 4 of 5")
    expect(page).to_have_url(re.compile(f"/games/{game}/at/4/$"))
    expect(slider).to_be_focused()
    page.keyboard.press("Home")
    expect(at).to_contain_text("as it stood after event 1 of 5")
    page.get_by_role("link", name="Event after").click()
    expect(at).to_contain_text("as it stood after event 2 of 5")
    assert not look(orso, "a game found", PAGES)
    assert not orso.wrong


@pytest.mark.long
def test_a_pots_slider_stands_where_it_is_asked_for(people: People) -> None:
    orso = played(people)
    page, game = orso.page, orso.game
    slider = page.get_by_role("slider")
    page.goto(f"/pots/{game}/at/?position=1")

    expect(slider).to_have_value("1")
    expect(page.locator("#at")).to_contain_text("Through ledger position 1,")
    page.get_by_role("link", name="As of now").click()
    expect(page.locator("#at")).not_to_contain_text("Through ledger position 1,")
    head = slider.input_value()  # of this very moment: the house's workers record, too
    expect(slider).to_have_attribute("max", head)
    expect(page.locator("#at")).to_contain_text(f"Through ledger position {head},")
    expect(page.locator(".at-slider output")).to_have_text(head)

    quiet = people.arrives("orso", java_script_enabled=False)
    quiet.page.goto(f"/pots/{game}/at/?position={head}")
    quiet.page.get_by_role("slider").focus()
    quiet.page.keyboard.press("Home")
    quiet.page.get_by_role("button", name="Go there").click()
    expect(quiet.page.locator("#at")).to_contain_text("Through ledger position")
