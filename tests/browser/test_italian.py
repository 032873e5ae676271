"""A whole game of Stone Hand in Italian, by touch, with no word of English left on any page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.test_looks import look

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

    from tests.browser.conftest import People
    from tests.browser.people import Person

pytestmark = pytest.mark.browser
TABLET = {"width": 1280, "height": 800}
# What the house and its people are called, and the games, is not translated.
NAMES = re.compile(
    r"\b(Stone Hand|Cinnabar Gate|Threes Away|Dice Breaker|Home Throw|Opal River|Table \d+"
    r"|The Two Herons|English)\b"
)
ENGLISH = re.compile(
    r"\b(the|and|to|of|is|are|not|with|who|what|throws?|thrown|hands?|rounds?|tables?|stakes?"
    r"|seats?|players?|game|undo|stands?|more|booked|booking|online|pair|triple|empty|wins?"
    r"|leaves?|cash|office|sign|keys|night|close|open|opened|yes|pot|pool|pays?|amount|because"
    r"|rules?|steps?|before|after|log|day|house|nothing|recorded|waiting)\b",
    re.IGNORECASE,
)
SPOKEN = """() => {
  const said = [document.title, document.body.innerText];
  for (const node of document.querySelectorAll("*")) {
    for (const { name, value } of node.attributes) {
      if (/^(aria-label|title|placeholder|alt)$|^data-(say|sentence|head)/.test(name))
        said.push(value);
    }
  }
  return said;
}"""


@pytest.fixture
def mira(people: People) -> Iterator[Person]:
    """Mira at a tablet, who reads Italian for the time being."""
    person = people.arrives("mira", has_touch=True, viewport=TABLET)
    person.page.goto("/floor/")
    person.page.get_by_role("button", name="Italiano").tap()
    expect(person.page.locator("html")).to_have_attribute("lang", "it")
    yield person
    person.page.goto("/floor/")
    person.page.get_by_role("button", name="English").tap()
    expect(person.page.locator("html")).to_have_attribute("lang", "en")


def english_on(page: Page) -> list[tuple[str, str]]:
    """English words that somebody could see or hear on a page, each with its line."""
    said: list[str] = page.evaluate(SPOKEN)
    lines = [line for each in said for line in each.splitlines()]
    return [(word[0], line) for line in lines if (word := ENGLISH.search(NAMES.sub("", line)))]


def taps(mira: Person, *dice: int, then: str) -> None:
    for face in dice:
        mira.page.locator(f'.keys:not([hidden]) [data-face="{face}"]').tap()
    mira.sees(then)


@pytest.mark.long("postgresql")
def test_a_round_is_opened_and_thrown_without_a_word_of_english(mira: Person) -> None:
    """What is shorter than a whole game, for the short form."""
    page = mira.page
    opens(mira)
    taps(mira, 2, 2, 7, then="Tira Bo")
    taps(mira, 3, 4, 5, then="Tira Ada")
    expect(mira.event("Ada perde la mano 1")).to_be_visible()
    assert english_on(page) == []
    assert not mira.wrong


def opens(mira: Person) -> None:
    page = mira.page
    assert english_on(page) == []
    page.get_by_role("link", name="Table 1").tap()
    page.wait_for_url("**/floor/tables/**")
    assert english_on(page) == []
    for number, name in enumerate(("Ada", "Bo"), start=1):
        page.get_by_label(f"Nome al posto {number}").fill(name)
    page.get_by_label("Puntata di ogni giocatore").fill("12")
    page.get_by_role("button", name="Apri la partita").tap()
    page.wait_for_url("**/floor/games/*/")

    mira.sees("Tira Ada")
    assert english_on(page) == []


@pytest.mark.long
def test_a_whole_game_by_touch_without_a_word_of_english(mira: Person) -> None:
    page = mira.page
    opens(mira)
    assert look(mira, "una partita") == []
    taps(mira, 2, 2, 7, then="Tira Bo")
    page.get_by_role("button", name="Annulla", exact=True).tap()
    mira.sees("Tira Ada")
    taps(mira, 2, 2, 7, then="Tira Bo")
    taps(mira, 1, 2, 4, then="Vuoto: Bo ritira")
    taps(mira, 3, 4, 5, then="Tira Ada")
    expect(mira.event("Ada perde la mano 1")).to_be_visible()
    taps(mira, 4, 4, 8, then="Tira Bo")
    taps(mira, 3, 4, 5, then="Bo vince il monte")
    expect(page.locator(".head-settled")).to_have_text("registrato")
    assert english_on(page) == []

    page.goto(page.url + "rounds/1/")
    expect(page.locator(".verdict")).to_contain_text("Ada ha tirato 2-2-7, coppia, valore 7")
    assert english_on(page) == []
    page.go_back()
    page.get_by_role("button", name="Paga Bo: 24").tap()
    expect(mira.event("Bo ritira 24 r dal tavolo")).to_be_visible()
    assert english_on(page) == []
    assert not mira.wrong
