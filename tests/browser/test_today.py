"""The start page in a browser: it keeps itself up to date, and says so when it cannot."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from tests.browser.conftest import People

pytestmark = pytest.mark.browser


@pytest.mark.long
def test_a_game_that_opens_appears_by_itself(people: People) -> None:
    orso, mira = people.arrives("orso"), people.arrives("mira")
    orso.page.goto("/")
    tables = orso.page.get_by_role("region", name="Running tables")
    expect(orso.page.get_by_text("live", exact=True)).to_be_visible()
    expect(tables.get_by_role("link", name="Table 1")).to_have_count(0)

    mira.opens("Table 1", "Ada", "Bo", "Cyd")

    expect(tables.get_by_role("link", name="Table 1")).to_be_visible()
    assert not orso.wrong


@pytest.mark.long
def test_a_lost_line_is_told(people: People) -> None:
    orso = people.arrives("orso")
    orso.page.goto("/")
    expect(orso.page.get_by_text("live", exact=True)).to_be_visible()

    orso.page.context.set_offline(True)

    expect(orso.page.get_by_text("no line")).to_be_visible()
    orso.page.context.set_offline(False)
    expect(orso.page.get_by_text("live", exact=True)).to_be_visible()


@pytest.mark.long
def test_whoever_stands_on_a_link_stays_there(people: People) -> None:
    orso, mira = people.arrives("orso"), people.arrives("mira")
    orso.page.goto("/")
    link = orso.page.get_by_role("link", name="All tables")
    link.focus()

    mira.opens("Table 2", "Ada", "Bo", "Cyd")

    expect(orso.page.locator("#today")).to_contain_text(re.compile("Table 2"))
    expect(link).to_be_focused()
