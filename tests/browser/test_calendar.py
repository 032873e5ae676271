"""The calendar beside fields for dates: by keys, in the house's order, and gone with Escape."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from tests.browser.conftest import People

pytestmark = [pytest.mark.browser, pytest.mark.long("postgresql")]


@pytest.mark.long
def test_a_day_is_chosen_by_keys(people: People) -> None:
    page = people.arrives("ines", locale="en-US").page  # the device's locale changes nothing
    page.goto("/exceptions/?since=2026-11-22")
    since = page.locator("[name=since]")
    expect(since).to_have_value("22/11/2026")
    button = page.get_by_role("button", name="Choose in a calendar").first
    button.focus()
    page.keyboard.press("Enter")
    calendar = page.get_by_role("dialog", name="Choose in a calendar")
    expect(calendar.get_by_role("button", name="Sunday, November 22, 2026")).to_be_focused()
    expect(calendar.locator("th").first).to_have_text("Mon")

    page.keyboard.press("Escape")
    expect(calendar).to_be_hidden()
    expect(button).to_be_focused()
    expect(since).to_have_value("22/11/2026")

    page.keyboard.press("Enter")
    for key in ("PageDown", "ArrowUp", "ArrowRight", "Home"):
        page.keyboard.press(key)
    expect(calendar.get_by_role("button", name="Monday, December 14, 2026")).to_be_focused()
    page.keyboard.press("Enter")

    expect(since).to_have_value("14/12/2026")
    expect(since).to_be_focused()


@pytest.mark.long
def test_a_period_is_set_in_a_form_without_losing_the_rest(people: People) -> None:
    page = people.arrives("ines").page
    page.goto("/what-if/")
    page.get_by_label("All that stands here").check()

    page.get_by_role("link", name="Last month").click()

    expect(page.locator("[name=since]")).to_have_value("01/10/2026")
    expect(page.get_by_label("All that stands here")).to_be_checked()
