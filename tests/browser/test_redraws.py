"""A redraw takes nothing away from whoever writes: every field of every sheet, whatever arrives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.people import until

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import People
    from tests.browser.people import Person
    from tests.browser.running import House

pytestmark = [pytest.mark.browser, pytest.mark.long("postgresql")]
THROWS = ([2, 2, 7], [3, 4, 5])
HALF, REST = "12 short 1", "27"
# What one can write in: in the board, whatever lies folded over it, and in the sheet that is open.
FIELDS = """within => [...document.querySelectorAll(within)]
    .flatMap(part => [...part.querySelectorAll("textarea, input")])
    .filter(each => !["hidden", "radio", "checkbox"].includes(each.type) && each.id)
    .map(each => each.id)"""
UNFOLD = """id => {
    const field = document.getElementById(id);
    for (let part = field; part; part = part.parentElement)
        if (part.matches("details")) part.open = true;
    field.focus();
    return field.checkVisibility();
}"""
WRITTEN = """() => {
    const field = document.activeElement;
    const folded = [...document.querySelectorAll("details[open]")].map(each => each.id);
    return [field.id, field.value, field.selectionStart, folded.join(" "),
        document.querySelector("#sheet").open];
}"""
SHEETS = """() => [...document.querySelectorAll("#board a[data-sheet]")].map(each => each.id)
    .filter(Boolean)"""
OPEN = """id => {
    document.getElementById(id)?.click();
    return Boolean(document.getElementById(id));
}"""
CLOSE_AT_ONCE = """() => {
    const sheet = document.querySelector("#sheet");
    sheet.addEventListener("submit", event => {
        event.preventDefault();
        event.stopImmediatePropagation();
        sheet.close();
    }, true);
}"""  # as if the house had answered between two keys
TYPE_FAST = """async keys => {
    for (const key of keys) {
        const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
        document.activeElement.dispatchEvent(event);
        await new Promise(done => setTimeout(done, 50));
    }
}"""  # within a second, on whatever machine
VERSION = "() => document.querySelector('#main').dataset.version"


def records(house: House, page: Page, game: str) -> None:
    """Somebody else enters the next throw, and the page has heard of it."""
    before = page.evaluate(VERSION)
    thrown = house.events(game).count("dice_thrown")
    house.put("tomas", game, "throw", player=("Ada", "Bo")[thrown % 2], dice=THROWS[thrown % 2])
    until(page, f"() => document.querySelector('#main').dataset.version !== '{before}'")


def writes_through_news(person: Person, house: House, field: str) -> None:
    page, game = person.page, person.game
    assert page.evaluate(UNFOLD, field), f"{field} is not to be seen"
    page.keyboard.press("Control+A")
    page.keyboard.type(HALF)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    before = page.evaluate(WRITTEN)
    assert before[0] == field
    records(house, page, game)
    thrown = house.events(game).count("dice_thrown")

    assert page.evaluate(WRITTEN) == before
    page.keyboard.type(REST)
    assert page.evaluate(WRITTEN)[0] == field
    expect(page.locator(".slot:not(:disabled)")).to_have_count(0)
    assert house.events(game).count("dice_thrown") == thrown


@pytest.mark.long
def test_every_field_of_the_board_keeps_who_writes_in_it(people: People, house: House) -> None:
    mira = people.arrives("mira")
    mira.opens("Table 1", "Ada", "Bo", stake=400)
    fields = mira.page.evaluate(FIELDS, "#board")
    assert "pause-note" in fields

    for field in fields:
        writes_through_news(mira, house, field)
    assert not mira.wrong


def test_a_note_is_written_to_its_end_while_somebody_else_records(
    people: People, house: House
) -> None:
    mira = people.arrives("mira")
    mira.opens("Table 1", "Ada", "Bo", stake=400)

    writes_through_news(mira, house, "pause-note")
    assert mira.page.locator("#pause-note").input_value() == "12 short 1"[:-2] + REST + " 1"
    assert not mira.wrong


@pytest.mark.long
def test_every_field_of_every_sheet_keeps_who_writes_in_it(people: People, house: House) -> None:
    mira = people.arrives("mira")
    page = mira.page
    mira.opens("Table 1", "Ada", "Bo", stake=400)
    records(house, page, mira.game)
    met = set()
    for sheet in page.evaluate(SHEETS):
        if not page.evaluate(OPEN, sheet):
            continue  # what was offered has gone by what was recorded
        expect(page.locator("#sheet-head")).to_be_visible()
        for field in page.evaluate(FIELDS, "#sheet"):
            if not page.evaluate(UNFOLD, field):
                continue  # for somebody who is not chosen
            met.add(field)
            writes_through_news(mira, house, field)
        page.keyboard.press("Escape")
        expect(page.locator("#sheet")).to_be_hidden()

    assert met
    assert not mira.wrong


@pytest.mark.long
def test_what_is_typed_after_a_field_is_lost_records_nothing(people: People, house: House) -> None:
    mira = people.arrives("mira")
    page, keys = mira.page, mira.page.keyboard
    game = mira.opens("Table 1", "Ada", "Bo", stake=400)
    assert page.evaluate(UNFOLD, "pause-note")
    keys.type("table ")
    house.put("sela", game, "close")
    mira.sees("The game is closed")
    keys.type("27 short")
    assert "dice_thrown" not in house.events(game)

    game = mira.opens("Table 1", "Ada", "Bo", stake=400)
    assert page.evaluate(UNFOLD, "pause-note")
    keys.type("table ")
    # As by a redraw that this page does not foresee.
    page.evaluate("() => document.getElementById('pause-note').remove()")
    keys.type("3")
    page.wait_for_timeout(1_200)
    keys.type("34")

    expect(page.locator("#say")).to_contain_text("You were writing.")
    expect(page.locator(".slot:not(:disabled)")).to_have_count(0)
    page.locator("h1.next").click()
    page.wait_for_timeout(1_200)
    keys.type("227")
    mira.sees("Bo to throw")
    assert house.events(game).count("dice_thrown") == 1


@pytest.mark.long
def test_what_one_was_writing_is_there_after_a_reload(people: People) -> None:
    mira = people.arrives("mira")
    page = mira.page
    mira.opens("Table 1", "Ada", "Bo")
    assert page.evaluate(UNFOLD, "pause-note")
    page.keyboard.type("table 2 short")
    page.keyboard.press("Home")
    before = page.evaluate(WRITTEN)

    page.reload()
    until(page, "() => document.querySelector('#board').hasAttribute('data-ready')")
    expect(page.locator("#pause-note")).to_be_focused()

    assert page.evaluate(WRITTEN) == before


def test_digits_after_a_reload_that_took_the_field_away_record_nothing(
    people: People, house: House
) -> None:
    mira = people.arrives("mira")
    page = mira.page
    game = mira.opens("Table 1", "Ada", "Bo", stake=400)
    assert page.evaluate(UNFOLD, "pause-note")  # nothing is written yet
    page.evaluate("() => { document.getElementById('pause-note').id = 'gone'; }")

    page.reload()
    until(page, "() => document.querySelector('#board').hasAttribute('data-ready')")
    page.keyboard.type("227")

    expect(page.locator("#say")).to_contain_text("You were writing.")
    expect(page.locator(".slot:not(:disabled)")).to_have_count(0)
    assert "dice_thrown" not in house.events(game)


@pytest.mark.long
def test_digits_in_a_sheet_record_no_throw(people: People, house: House) -> None:
    mira = people.arrives("mira")
    page = mira.page
    game = mira.opens("Table 1", "Ada", "Bo", stake=400)
    mira.throws(2, 2, 7, then="Bo to throw")
    page.locator("#log .goes-back").first.click()
    expect(page.locator("#sheet")).to_be_visible()
    page.wait_for_timeout(1_200)
    page.evaluate(TYPE_FAST, "334")  # 3: a die was touched

    expect(page.locator("#sheet")).to_be_hidden()
    mira.sees("Ada to throw")
    expect(page.locator(".slot:not(:disabled)")).to_have_count(0)
    assert house.events(game) == ["game_opened", "dice_thrown", "voided"]
    page.wait_for_timeout(1_200)
    page.keyboard.type("334")
    mira.sees("Bo to throw")


def test_a_digit_that_closes_a_sheet_is_no_die(people: People, house: House) -> None:
    mira = people.arrives("mira")
    page = mira.page
    game = mira.opens("Table 1", "Ada", "Bo", stake=400)
    mira.throws(2, 2, 7, then="Bo to throw")
    page.locator("#log .goes-back").first.click()
    expect(page.locator("#sheet")).to_be_visible()
    page.evaluate(CLOSE_AT_ONCE)

    page.evaluate(TYPE_FAST, "334")

    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator("#say")).to_contain_text("Not entered")
    assert not page.evaluate("() => window.floor.entries.some(each => each.half?.())")
    page.wait_for_timeout(500)
    assert house.events(game) == ["game_opened", "dice_thrown"]
