"""Pages of a house with long names, nine digits and many tables: whole, and named where cut off."""

from __future__ import annotations

from html import escape

import pytest
from django.urls import reverse

from casino.house.attendants.models import Role
from tests.kit.web.test_office_pages import signed_in
from tests.support import wide_house

pytestmark = pytest.mark.django_db
PAGES = ("start", "floor", "games", "payouts", "pots", "cash", "players", "settings-tables", "find")


def test_main_pages_have_names_and_amounts_whole() -> None:
    house = wide_house.house(tables=3, events=12)
    manager = signed_in(house.people[Role.MANAGER])

    pages = {name: manager.get(reverse(name)) for name in PAGES}

    assert {name: page.status_code for name, page in pages.items() if page.status_code != 200} == {}
    for name, page in pages.items():
        assert f'title="{wide_house.HOUSE}"' in page.text, name
    assert wide_house.LONG_TABLE in pages["cash"].text
    assert escape(wide_house.PLAYERS[1]) in pages["players"].text
