"""Whole games through the page, as people play them; the transfers are what the rules say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, Page, expect

from casino.demo.house import PASSWORD

if TYPE_CHECKING:
    from tests.browser.conftest import People
    from tests.browser.people import Person
    from tests.browser.running import House

pytestmark = pytest.mark.browser
TABS_MAX = 40  # presses until a thing must have been reached


def test_a_question_behind_more_is_in_view_and_escape_leads_back_to_it(people: People) -> None:
    """With the button that answers it, by keys alone; who closes the menu stands on it again."""
    mira = people.arrives("mira")
    page, keys = mira.page, mira.page.keyboard
    mira.opens("Table 1", "Ada", "Bo", "Cyd")
    page.locator("#do-more").focus()
    keys.press("Enter")
    questions = page.locator("#menu-more details.sure")
    for question in questions.all():
        question.locator("summary").focus()
        keys.press("Enter")
        expect(question.locator("button").last).to_be_in_viewport(ratio=0.99)
    keys.press("Escape")
    expect(page.locator("#do-more")).to_be_focused()


@pytest.mark.long
def test_a_game_by_mouse_alone(people: People, house: House) -> None:
    mira = people.arrives("mira")
    page = mira.page
    page.get_by_role("link", name="Floor").click()
    page.get_by_role("link", name="Table 1").click()
    mira.seats("Ada", "Bo", "Cyd")
    page.get_by_label("Stake of each player").fill("12")
    page.get_by_text("House options").click()
    page.get_by_label("After a tie the loser owes").select_option("the throw that lost")
    page.get_by_role("button", name="Open the game").click()

    # Round 1: an empty, an undo, a no throw, and a tie for worst that costs the losing throw.
    mira.sees("Ada to throw")
    mira.throws(2, 2, 7, then="Bo to throw")
    mira.throws(1, 2, 4, then="Empty: Bo throws again")
    mira.throws(3, 4, 5, then="Cyd to throw")
    page.get_by_role("button", name="Undo").click()
    mira.sees("Empty: Bo throws again")
    mira.throws(3, 5, 4, then="Cyd to throw")
    page.get_by_text("No throw", exact=False).first.click()
    page.get_by_role("button", name="Cocked die").click()
    expect(mira.event("No throw by Cyd: cocked die")).to_be_visible()
    mira.throws(7, 2, 2, then="Tie: Ada throws again")
    mira.throws(3, 3, 8, then="Tie: Cyd throws again")
    mira.throws(4, 5, 6, then="Ada to throw")
    expect(mira.seat("Ada")).to_contain_text("4\N{NO-BREAK SPACE}r")

    # Round 2: Ada throws the house's own and sits out; Bo throws a triad.
    mira.throws(1, 3, 6, then="Bo to throw")
    expect(mira.seat("Ada")).to_contain_text("sits out")
    mira.throws(1, 4, 7, then="Bo to throw")
    expect(mira.seat("Bo")).to_contain_text("8\N{NO-BREAK SPACE}r")

    # Round 3: Cyd leaves before the first throw, Bo loses what is left.
    mira.chooses("Cyd leaves")
    page.get_by_role("button", name="Yes, Cyd leaves").click()
    expect(mira.seat("Cyd")).to_contain_text("left")
    mira.throws(2, 2, 8, then="Ada to throw")
    mira.throws(2, 3, 4, then="Ada wins the pool")

    mira.sees_booked()
    expect(mira.seat("Ada")).to_contain_text("36\N{NO-BREAK SPACE}r")
    page.get_by_role("button", name="Pay Ada out: 36").click()
    expect(mira.event("Ada takes 36 r from the table")).to_be_visible()
    mira.sees_booked()
    assert house.transfers(mira.game) == [
        ("float", "Ada", 12, "buy_in"),
        ("float", "Bo", 12, "buy_in"),
        ("float", "Cyd", 12, "buy_in"),
        ("Ada", "pot", 8, "SH4 SH5"),
        ("Bo", "pot", 4, "SH6"),
        ("Cyd", "pot", 12, "SH10"),
        ("Bo", "pot", 8, "SH4"),
        ("pot", "Ada", 32, "SH9"),
        ("Ada", "float", 36, "cash_out"),
    ]
    assert not mira.wrong


@pytest.mark.long
def test_a_game_by_keyboard_alone(people: People, house: House) -> None:
    somebody = people.arrives()
    open_by_keyboard(somebody.page)

    play_by_keyboard(somebody)

    assert house.transfers(somebody.game) == [
        ("float", "Dara", 10, "buy_in"),
        ("float", "Elio", 10, "buy_in"),
        ("Elio", "pot", 7, "SH4"),
        ("Elio", "pot", 3, "SH4 G2"),
        ("pot", "Dara", 10, "SH9"),
        ("Dara", "float", 20, "cash_out"),
    ]
    assert not somebody.wrong


def open_by_keyboard(page: Page) -> None:
    """From the sign-in to the first throw: two players, 10 each, a throw may be thrown again."""
    keys = page.keyboard
    page.goto("/")
    expect(page.get_by_label("Name")).to_be_focused()
    keys.type("mira")
    tab_to(page, page.get_by_label("Password"))
    keys.type(PASSWORD)
    keys.press("Enter")
    page.wait_for_url("**/")

    tab_to(page, page.get_by_role("link", name="Floor"))
    keys.press("Enter")
    page.wait_for_url("**/floor/")
    tab_to(page, page.get_by_role("link", name="Garden"))
    keys.press("Enter")
    page.wait_for_url("**/floor/tables/*/")
    expect(page.get_by_label("Name at seat 1")).to_be_focused()
    for name in ("Dara", "Elio"):
        keys.type(name)
        keys.press("Enter")
    keys.press("Enter")  # on an empty seat: on to the stake
    expect(page.get_by_label("Stake of each player")).to_be_focused()
    keys.press("Control+A")
    keys.type("10")
    tab_to(page, page.locator("summary", has_text="House options"))
    keys.press("Enter")
    tab_to(page, page.get_by_label("Throws again by choice"))
    keys.press("ArrowDown")
    tab_to(page, page.get_by_role("button", name="Open the game"))
    keys.press("Enter")
    page.wait_for_url("**/floor/games/*/")


def play_by_keyboard(somebody: Person) -> None:
    page, keys = somebody.page, somebody.page.keyboard
    # Round 1: Dara stands on a pair of 5, Elio's pair of 6 is worse.
    somebody.sees("Dara to throw")
    keys.type("11")
    keys.press("Backspace")
    keys.type("15")
    somebody.sees("Dara may throw again (1 left) or stand")
    keys.press("s")
    somebody.sees("Elio to throw")
    keys.press("n")
    keys.press("2")
    expect(somebody.event("No throw by Elio: off the table")).to_be_visible()
    keys.type("337")
    somebody.sees("Elio to throw")  # the round is over: Elio lost 7 and begins the next
    expect(somebody.seat("Elio")).to_contain_text("3\N{NO-BREAK SPACE}r")

    # Round 2: Elio throws again, for the worse; the last throw stands.
    keys.type("441")
    somebody.sees("Elio may throw again (1 left) or stand")
    keys.type("226")
    somebody.sees("Dara to throw")
    keys.press("u")
    somebody.sees("Elio may throw again (1 left) or stand")
    keys.type("225")
    somebody.sees("Dara to throw")
    keys.type("442")
    somebody.sees("Dara may throw again (1 left) or stand")
    keys.press("Enter")
    somebody.sees("Dara wins the pool")

    somebody.sees_booked()
    tab_to(page, page.get_by_role("button", name="Pay Dara out: 20"))
    keys.press("Enter")
    expect(somebody.event("Dara takes 20 r from the table")).to_be_visible()


def tab_to(page: Page, thing: Locator) -> None:
    """Press Tab until the thing has the focus, as somebody without a mouse does."""
    expect(thing).to_be_visible()
    for _ in range(TABS_MAX):
        page.keyboard.press("Tab")
        if thing.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError(f"{thing} is out of reach of Tab.")


@pytest.mark.long
def test_a_tap_leaves_the_lines_of_the_log_where_they_are(people: People) -> None:
    """Also where it takes one back: most of a board is its log."""
    mira = people.arrives("mira")
    mira.opens("Table 1", "Ada", "Bo")
    mira.throws(2, 2, 7, then="Bo to throw")
    mira.throws(3, 4, 5, then="Ada to throw")
    mira.page.evaluate(
        "document.querySelectorAll('#log li').forEach((each, of) => { each.of = of; })"
    )
    lines = "[...document.querySelectorAll('#log li')].map(({ of }) => of ?? null)"
    before = mira.page.evaluate(lines)

    mira.throws(2, 2, 8, then="Bo to throw")

    assert mira.page.evaluate(lines)[1:] == before
    mira.page.get_by_role("button", name="Undo").click()
    mira.sees("Ada to throw")
    expect(mira.page.locator("#log li.is-void")).to_have_count(1)
    assert mira.page.evaluate(lines)[-len(before) :] == before
    assert not mira.wrong
