"""The guests' pages on phones and screens: readable, reachable, and without a cookie."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest

from casino.platform import spelled
from tests.browser.test_looks import look
from tests.browser.test_wall import configured

if TYPE_CHECKING:
    from tests.browser.conftest import People
    from tests.browser.running import House

pytestmark = [pytest.mark.browser, pytest.mark.once]


def test_the_guests_pages_are_readable_and_leave_nothing_behind(
    people: People, house: House
) -> None:
    configured(house, "house", None, guests=True)
    [[at]] = house.rows("SELECT id FROM establishments_establishment")
    page = f"/g/{spelled.compact(uuid.UUID(str(at)))}/"
    guest = people.arrives()
    found = []
    for part in ("", "rules/stone-hand/", "odds/threes-away/"):
        guest.page.goto(f"{page}{part}")
        found += look(guest, f"guests {part}")

    assert not found
    assert not guest.wrong
    assert not guest.page.context.cookies()
