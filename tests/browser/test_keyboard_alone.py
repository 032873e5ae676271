"""
Keys alone at a screen of 1280 pixels: each game from the hall to the end of a round, the list of
keys, and what Tab leaves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_games import tab_to

if TYPE_CHECKING:
    from tests.browser.conftest import People
    from tests.browser.people import Person

pytestmark = pytest.mark.browser

# What has the focus: its name, and whether somebody sees where it is.
FOCUSED: Final = """() => {
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  const hides = at.matches("[type=radio], [type=checkbox]");
  const drawn = (hides && at.closest("label")) || at;
  const parts = hides ? [drawn, ...drawn.querySelectorAll("*")] : [drawn];
  const rings = (style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  const box = drawn.getBoundingClientRect();
  const over = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return {
    name: at.id || at.name || at.textContent.trim().slice(0, 40),
    ring: parts.some((part) => [null, "::after"].some((of) => rings(getComputedStyle(part, of)))),
    sight: drawn.contains(over),
  };
}"""
ROWS: Final = """() => [...document.querySelectorAll("#help [data-way]")]
  .filter((row) => row.checkVisibility()).map((row) => row.dataset.way)"""

# What is typed, and what the table says then; "Enter" and the like in brackets.
ROUNDS: Final = {
    "Cinnabar Gate": (
        ("Ada", "Bo"),
        (
            ("", "Ada to throw"),
            ("227", "Bo to throw"),
            ("n2", "Bo to throw"),
            ("246", "Show-up: Bo throws again"),
            ("146", "Bo, junk 4: again (3 left) or stand"),
            ("s", "Bo to throw"),
        ),
    ),
    "Threes Away": (
        ("Ada", "Bo"),
        (
            ("", "Ada to throw"),
            ("33345", "Ada keeps one or more"),
            ("123[Enter]", "Ada throws the other 2"),
            ("31", "Ada keeps one or more"),
            ("a", "Bo to throw"),
            ("66661", "Bo keeps one or more"),
            ("a", "Ada to throw"),
        ),
    ),
    "Dice Breaker": (
        ("Ada", "Bo"),
        (
            ("", "Everybody breaks the starting die"),
            ("b2", "Ada breaks the starting die"),
            ("5", "Bo throws, 5 dice left"),
            ("1", "Bo throws, 4 dice left"),
            ("2", "Bo throws, 3 dice left"),
            ("3", "Bo throws, 2 dice left"),
            ("5", "Bo throws the last die"),
            ("6", "Ada throws, 5 dice left"),
            ("1", "Ada throws, 4 dice left"),
            ("2", "Ada throws, 3 dice left"),
            ("3", "Ada throws, 2 dice left"),
            ("5", "Ada throws the last die"),
            ("5", "Ada throws, 5 dice left"),
        ),
    ),
    "River": (
        ("Ada", "Bo"),
        (
            ("", "Start round 1"),
            ("[Enter]", "Everybody throws hidden"),
            ("x", "The banker throws all five"),
            ("2580.1", "Who bids for the d4?"),
            ("a", "Ada bids 1 r"),
            ("[Shift+S]", "Going for 1 r to Ada"),
            ("[Enter]", "Who bids for the d6?"),
            ("w", "Who bids for the d8?"),
            ("w", "Who bids for the d10?"),
            ("w", "Who bids for the d12?"),
            ("w", "Who shows their dice?"),
            ("a1123.2", "Bo shows the dice"),
            ("13331", "Start round 2"),
        ),
    ),
}


def types(person: Person, what: str) -> None:
    keys, rest = person.page.keyboard, what
    while rest:
        if rest[0] == "[":
            name, _, rest = rest[1:].partition("]")
            keys.press(name)
        else:
            keys.press(rest[0])
            rest = rest[1:]


def unseen(page: Page) -> list[str]:
    """Go by Tab through the whole page: where nobody sees that the focus is."""
    wrong: list[str] = []
    for _ in range(60):
        page.keyboard.press("Tab")
        if at := page.evaluate(FOCUSED):
            wrong += [f"no {each}: {at['name']}" for each in ("ring", "sight") if not at[each]]
    return sorted(set(wrong))


@pytest.mark.long
@pytest.mark.parametrize("title", list(ROUNDS))
def test_a_round_from_the_hall_on(people: People, title: str) -> None:
    names, steps = ROUNDS[title]
    mira = people.arrives("mira")
    page, keys = mira.page, mira.page.keyboard
    page.goto("/floor/")
    keys.press("1")
    page.wait_for_url("**/floor/tables/*/")
    tab_to(page, page.get_by_role("button", name=title))
    keys.press("Enter")
    expect(page.get_by_role("button", name=title)).to_have_attribute("aria-pressed", "true")
    assert unseen(page) == []
    tab_to(page, page.get_by_label("Name at seat 1"))
    for name in names:
        keys.type(name)
        keys.press("Enter")
    tab_to(page, page.get_by_role("button", name="Open the game"))
    keys.press("Enter")
    page.wait_for_url("**/floor/games/*/")
    expect(page.locator("#board[data-ready]")).to_be_attached()  # before it hears no key

    for typed, says in steps:
        types(mira, typed)
        mira.sees(says)
        if typed.startswith("n"):
            expect(mira.event("No throw")).to_be_visible()
    assert unseen(page) == []
    assert not mira.wrong


def test_what_the_list_of_keys_names_is_done_by_them(people: People) -> None:
    mira = people.arrives("mira")
    mira.opens("Table 1", "Ada", "Bo")
    page, keys = mira.page, mira.page.keyboard
    keys.press("?")
    rows = page.evaluate(ROWS)
    keys.press("Escape")

    assert {"pause", "no-throw", "dice-back", "close"} <= set(rows)
    assert not {"stand", "undo", "buy-in", "void", "enter"} & set(rows)
    keys.press("p")
    expect(page.locator("#do-break")).to_be_focused()
    keys.press("Escape")
    expect(page.locator("#menu-more")).not_to_have_attribute("open", "")
    keys.press("p")
    keys.press("p")
    mira.sees("The table is paused")
    assert not mira.wrong


def test_what_tab_has_left_is_closed(people: People) -> None:
    mira = people.arrives("mira")
    mira.opens("Table 1", "Ada", "Bo")
    page, keys = mira.page, mira.page.keyboard
    more = page.locator("#menu-more")
    tab_to(page, page.locator("#do-more"))
    keys.press("Enter")
    expect(more).to_have_attribute("open", "")
    keys.press("Tab")
    expect(more).to_have_attribute("open", "")
    for _ in range(30):
        keys.press("Tab")
        if not more.evaluate("menu => menu.contains(document.activeElement)"):
            break

    expect(more).not_to_have_attribute("open", "")
    assert page.evaluate("() => document.activeElement !== document.body")
    assert not mira.wrong
