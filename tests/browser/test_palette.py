"""The box that finds everything, the list of keys, and the menu of a phone, in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from tests.browser.conftest import People

pytestmark = [pytest.mark.browser, pytest.mark.once]


@pytest.mark.long
def test_the_list_of_keys_has_what_works_on_the_page(people: People) -> None:
    mira = people.arrives("mira")
    mira.opens("Table 1", "Ada", "Bo")
    page = mira.page
    mira.throws(2, 2, 7, then="Bo to throw")

    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Everything by keyboard")
    expect(keys.get_by_text("undo the last throw")).to_be_visible()
    expect(keys.get_by_text("find or do anything")).to_be_visible()
    expect(keys.get_by_text("to the next row")).to_be_hidden()
    page.keyboard.press("Escape")
    page.keyboard.press("/")  # at a table it undoes
    expect(page.get_by_role("combobox", name="Find or do")).to_be_hidden()
    mira.sees("Ada to throw")

    page.goto("/floor/")
    page.keyboard.press("?")
    expect(keys.get_by_text("only tables that need somebody")).to_be_visible()
    expect(keys.get_by_text("undo the last throw")).to_be_hidden()
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    expect(page.get_by_label("Needs somebody")).to_be_checked()
    assert not mira.wrong


@pytest.mark.long
def test_it_opens_by_keys_finds_and_goes_there(people: People) -> None:
    orso = people.arrives("orso")
    page = orso.page
    page.keyboard.press("Control+k")
    box = page.get_by_role("combobox", name="Find or do")
    expect(box).to_be_focused()
    expect(page.get_by_role("option", name="Gaming days")).to_be_visible()

    box.press_sequentially("open a game")
    first, second = (page.get_by_role("option", name=f"Open a game at Table {n}") for n in (1, 2))
    expect(first).to_be_visible()
    box.press("ArrowDown")
    marked = page.get_by_role("option", selected=True)
    expect(box).to_have_attribute("aria-activedescendant", marked.get_attribute("id") or "none")
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    page.wait_for_function("!document.activeElement?.closest('dialog')")  # a letter there is text

    page.keyboard.press("/")  # the start page has no search box of its own
    box.fill("game at table 2")
    page.keyboard.press("Enter")
    page.wait_for_url("**/floor/tables/*/")
    expect(second).to_be_hidden()
    assert not orso.wrong


@pytest.mark.long
def test_on_a_phone_a_menu_has_every_entry_and_the_button_opens_the_box(people: People) -> None:
    orso = people.arrives("orso")
    page = orso.page
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/payouts/")
    office = page.get_by_role("navigation", name="Office")
    expect(office.get_by_role("link", name="Reports")).to_be_hidden()

    office.get_by_role("button", name="Menu").click()
    expect(office.get_by_role("link", name="Reports")).to_be_visible()
    page.keyboard.press("Escape")
    expect(office.get_by_role("link", name="Reports")).to_be_hidden()
    office.get_by_role("link", name="Pots").click()
    page.wait_for_url("**/pots/")

    page.get_by_role("link", name="Find or do").click()
    page.get_by_role("combobox", name="Find or do").fill("rules")
    page.get_by_role("option", name="Rules and fees Settings").click()
    page.wait_for_url("**/settings/rules/")
    assert not orso.wrong
