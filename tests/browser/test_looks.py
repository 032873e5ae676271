"""
Every page, in both themes and four sizes: readable, reachable, nothing from elsewhere.

In the short form a tablet by night and a phone by day; axe, which takes longest, reads each page in
one of the two, by turns.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

import pytest
from axe_core_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize, expect

from tests.forms import LONG_FORM

if TYPE_CHECKING:
    from tests.browser.conftest import People
    from tests.browser.people import Person

pytestmark = [pytest.mark.browser, pytest.mark.once]
SIZES: list[ViewportSize] = [
    {"width": 1280, "height": 800},
    {"width": 800, "height": 1280},
    {"width": 390, "height": 844},
    {"width": 1440, "height": 900},
]
SMALLEST = [SIZES[0], SIZES[2]]
IN_PLAY = SIZES[:1] + SIZES[3:]
THEMES = ("light", "dark")
SHORT_THEMES = {SMALLEST[0]["width"]: ("dark",), SMALLEST[1]["width"]: ("light",)}
TAP = 44  # pixels
PICTURES = os.environ.get("PICTURES", "")  # a folder, for who wants to look for themselves
RULES = {
    "resultTypes": ["violations"],
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"],
}

# What can be pressed and is smaller than a finger; a box is as large as its label, and a link in a
# sentence or a row as large as the words. Points of a plot are for pointers: the table beside it
# has the same links.
SMALL = """least => [...document.querySelectorAll("a, button, summary, input, select, textarea")]
  .map(thing => thing.matches("[type=radio], [type=checkbox]") ? thing.closest("label") : thing)
  .filter(thing => thing.checkVisibility() && !thing.matches(".skip, p a, td a, [type=hidden]"))
  .filter(thing => !thing.closest(".section-head, #log li, .figures, svg.plot"))
  .map(thing => [thing, thing.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.height < least - 0.5 || box.width < least - 0.5))
  .map(([thing, box]) => `${thing.outerHTML.slice(0, 90)} ${box.width}x${box.height}`)"""
OVERFLOWS = """() => [...document.querySelectorAll("html, .play, .seats, .head")]
  .filter(part => part.scrollHeight > part.clientHeight + 1
    || part.scrollWidth > part.clientWidth + 1)
  .map(part => `${part.className || part.tagName} ${part.scrollWidth}x${part.scrollHeight}`)"""


@dataclass(frozen=True)
class Finding:
    page: str
    size: str
    theme: str
    what: str


def look(person: Person, name: str, sizes: list[ViewportSize] = SIZES) -> list[Finding]:
    """Look at the page as it is now, in every size and theme."""
    page, found = person.page, []
    page.wait_for_load_state()  # of a page that has just begun to come, nothing can be read yet
    read = sizes if LONG_FORM else [SMALLEST[crc32(name.encode()) % 2]]
    for size in sizes if LONG_FORM else SMALLEST:
        page.set_viewport_size(size)
        for theme in THEMES if LONG_FORM else SHORT_THEMES[size["width"]]:
            page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
            if PICTURES:
                kept = f"{name}-{size['width']}-{theme}.png"
                page.screenshot(path=Path(PICTURES) / kept.replace("/", " "), full_page=True)
            said = [*(unreadable(page) if size in read else ()), *page.evaluate(SMALL, TAP)]
            found += [Finding(name, f"{size['width']}", theme, what) for what in said]
        if page.evaluate("() => document.scrollingElement.scrollWidth > innerWidth"):
            found.append(Finding(name, f"{size['width']}", "", "scrolls sideways"))
    page.set_viewport_size(SIZES[0])
    return found


def unreadable(page: Page) -> list[str]:
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(Axe().axe_script)
    violations: list[dict[str, Any]] = page.evaluate(
        "rules => axe.run(document, rules).then(found => found.violations)", RULES
    )
    return [f"{each['id']}: {node['html'][:90]}" for each in violations for node in each["nodes"]]


@pytest.mark.long
def test_the_sign_in(people: People) -> None:
    somebody = people.arrives()
    somebody.page.goto("/sign-in/")
    found = look(somebody, "sign-in")
    somebody.page.get_by_label("Name").fill("mira")
    somebody.page.get_by_label("Password").fill("wrong")
    somebody.page.get_by_role("button", name="Sign in").click()
    expect(somebody.said).to_be_visible()

    assert not [*found, *look(somebody, "sign-in refused")]
    assert not somebody.wrong


@pytest.mark.long
def test_hall_and_opening(people: People) -> None:
    mira = people.arrives("mira")
    mira.opens("Table 1", "Adalgisa Castelfranco-Veneto", "Bo", "Cyd", "Dara", "Elio", "Fenn")
    mira.page.goto("/floor/")
    found = look(mira, "hall")
    mira.goes_to("Table 2")
    mira.page.get_by_text("House options").click()
    mira.page.get_by_text("Each player's own").click()
    mira.page.get_by_label("The house's fee").select_option("for time")
    found += look(mira, "opening")

    assert not found
    assert not mira.wrong


@pytest.mark.long
def test_every_game_s_opening(people: People) -> None:
    mira = people.arrives("mira")
    mira.goes_to("Table 2")
    mira.seats("Ada", "Bo")
    found = []
    games = mira.page.get_by_role("group", name="The game").get_by_role("button")
    for number in range(games.count()):
        games.nth(number).click()
        expect(games.nth(number)).to_have_attribute("aria-pressed", "true")
        expect(mira.page.get_by_label("Name at seat 2")).to_have_value("Bo")
        mira.page.get_by_text("House options").click()
        found += look(mira, f"opening of {mira.page.locator('h1').inner_text()}", SMALLEST)

    assert not found
    assert not mira.wrong


@pytest.mark.long
def test_the_table(people: People) -> None:
    mira, sela = people.arrives("mira"), people.arrives("sela")
    mira.opens("Table 1", "Ada", "Bo", "Cyd", stake=3)
    mira.throws(2, 2, 7, then="Bo to throw")
    mira.taps(1, 2)
    found = look(mira, "table")
    mira.page.locator("#do-more").click()
    found += look(mira, "table, more", SMALLEST)
    mira.page.keyboard.press("Escape")
    mira.page.locator("#do-no-throw").click()
    found += look(mira, "table, no throw", SMALLEST)
    mira.page.keyboard.press("Escape")
    mira.page.keyboard.press("Backspace")
    mira.page.keyboard.press("Backspace")
    mira.throws(3, 4, 5, then="Cyd to throw")
    mira.throws(3, 4, 5, then="Bo to throw")
    mira.sees_booked()
    mira.asks_to_void()
    sela.goes_to("Table 1")
    expect(sela.page.locator(".asks")).to_be_visible()
    found += look(sela, "table, a request")
    mira.taps(1, 4)
    sela.page.get_by_role("button", name="Reject").click()
    expect(mira.page.locator(".asks")).to_have_count(0)
    mira.throws(7, then="Cyd wins the pool")
    found += look(mira, "table, closed")

    assert not found
    assert not mira.wrong
    assert not sela.wrong


@pytest.mark.long
def test_today_and_what_was_recorded(people: People) -> None:
    orso = people.arrives("orso")
    game = orso.opens("Table 1", "Ada", "Bo", stake=5)
    orso.throws(2, 2, 7, then="Bo to throw")
    orso.throws(3, 4, 5, then="Bo wins the pool")
    orso.sees_booked()
    orso.page.goto("/")
    orso.page.locator(".because").first.wait_for()
    found = look(orso, "today")
    orso.page.locator(".because a").first.click()
    expect(orso.page.locator("h1")).to_contain_text("Round 1")
    expect(orso.page.locator("main")).to_contain_text("Ada threw 2-2-7, a pair with score 7")
    expect(orso.page.locator("main")).to_contain_text("the worst hand loses")
    found += look(orso, "round")
    orso.page.goto(f"/floor/games/{game}/log/")
    found += look(orso, "everything recorded")

    assert not found
    assert not orso.wrong


@pytest.mark.long
def test_nothing_scrolls_in_play_on_a_tablet(people: People) -> None:
    mira, sela = people.arrives("mira"), people.arrives("sela")
    mira.opens("Table 1", "Ada", "Bo", "Cyd", "Dara", "Elio", "Fenn", stake=40)
    for size in IN_PLAY:
        mira.page.set_viewport_size(size)
        assert mira.page.evaluate(OVERFLOWS) == []
    for name in ("Bo", "Cyd", "Dara", "Elio", "Fenn"):
        mira.throws(2, 2, 7, then=f"{name} to throw")
    mira.throws(8, 8, 1, then="Tie: Ada throws again")
    for size in IN_PLAY:
        mira.page.set_viewport_size(size)
        assert mira.page.evaluate(OVERFLOWS) == []
    sela.goes_to("Table 1")
    assert sela.page.evaluate(OVERFLOWS) == []


@pytest.mark.long
@pytest.mark.parametrize(
    "address", ["/nowhere", "/floor/games/00000000-0000-4000-8000-000000000000/"]
)
def test_pages_that_are_not_there_are_in_the_house_s_look(people: People, address: str) -> None:
    mira = people.arrives("mira")
    mira.page.goto(address)
    expect(mira.page.locator("h1")).to_have_text("There is nothing here")

    assert not look(mira, address, SMALLEST)
    assert not mira.wrong
