"""A round read afterwards: step by step, by mouse, by keyboard, and on paper."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.test_looks import look

if TYPE_CHECKING:
    from tests.browser.conftest import People
    from tests.browser.people import Person

pytestmark = pytest.mark.browser
A4 = {"width": 672, "height": 1000}  # what is left of the sheet between its margins, at 96 dpi

# What would be seen on paper and has no business there, and ink that is not black.
COLOURED = """() => [...document.querySelectorAll("main p, main dd, main td, main h1, main a")]
  .filter(part => part.checkVisibility() && part.textContent.trim())
  .map(part => getComputedStyle(part).color)
  .filter(colour => !["rgb(0, 0, 0)", "rgb(51, 51, 51)"].includes(colour))"""


def played(people: People) -> Person:
    orso = people.arrives("orso")
    orso.opens("Table 1", "Ada", "Bo", stake=40)
    orso.throws(2, 2, 7, then="Bo to throw")
    orso.throws(3, 4, 5, then=re.compile("to throw"))
    orso.page.goto(f"/floor/games/{orso.game}/rounds/1/")
    return orso


@pytest.mark.long
def test_any_step_is_one_click_away_and_the_arrows_go_on(people: People) -> None:
    orso = played(people)
    page, table = orso.page, orso.page.locator("#table")

    page.locator("#step-2 .step-number").click()
    expect(table).to_contain_text("The table after step 2")
    expect(table).to_contain_text("Bo to throw")
    page.keyboard.press("ArrowRight")
    expect(table).to_contain_text("The table after step 3")
    page.get_by_role("link", name="Step before").click()
    expect(table).to_contain_text("The table after step 2")
    found = look(orso, "step")

    assert not found
    assert not orso.wrong


@pytest.mark.long
def test_without_scripts_there_are_links(people: People) -> None:
    here = played(people).page.url
    quiet = people.arrives("orso", java_script_enabled=False)

    quiet.page.goto(here)
    quiet.page.locator("#step-3 .step-number").click()
    quiet.page.get_by_role("link", name="Step after").click()

    expect(quiet.page.locator("#table")).to_contain_text("after step 4")


@pytest.mark.long
def test_on_paper_it_is_black_on_white_and_whole(people: People) -> None:
    orso = played(people)
    page = orso.page
    page.evaluate("() => { document.documentElement.dataset.theme = 'dark'; }")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": A4["width"], "height": A4["height"]})

    expect(page.locator(".story-back")).to_be_hidden()
    expect(page.locator("#step-4")).to_be_visible()
    expect(page.locator(".quoted")).to_be_visible()
    assert page.evaluate(COLOURED) == []
    assert not page.evaluate("() => document.scrollingElement.scrollWidth > innerWidth")
    assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")
