"""The API's description as a page: found from the office, grouped, under the strict policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from tests.browser.conftest import People

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.long]


def test_the_api_is_read_from_the_office_and_only_reading_is_tried(people: People) -> None:
    ines = people.arrives("ines")
    blocked: list[str] = []
    ines.page.on(
        "console", lambda said: blocked.append(said.text) if said.type == "error" else None
    )
    ines.page.goto("/me/")
    ines.page.get_by_role("link", name="The API").click()
    subject = ines.page.locator('.opblock-tag[data-tag="payouts"]')
    expect(subject).to_be_visible(timeout=30_000)
    subject.click()
    listed = ines.page.locator(".opblock-get", has_text="/payouts/").first
    listed.locator(".opblock-summary-control").click()

    expect(listed.get_by_role("button", name="Try it out")).to_be_visible()
    expect(ines.page.locator(".opblock-post .try-out")).to_have_count(0)
    assert blocked == []
