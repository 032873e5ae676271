"""Lists of players, people, devices, dice and settings: the page, its order and its CSV agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.play.core.subscriptions import tasks
from tests.support import addressed_house, builders, module_data
from tests.support.listed import as_csv, on_page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import DjangoDbBlocker

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]

LISTS = [
    ("players/", "name", "name"),
    ("players/excluded/", "since", "player"),
    ("players/excluded/turned-away/", "at", "named"),
    ("players/cash-log/", "cash_in", "flagged"),
    ("players/cash-log/transactions/", "cash_in", "recorded_at"),
    ("players/tips/", "amount", "attendant"),
    ("people/", "name", "username"),
    ("people/sign-ins/", "at", "address"),
    ("people/access/", "name", "second_factor"),
    ("late/", "state", "made_at"),
    ("dice/sets/", "number", "stands"),
    ("settings/tables/", "name", "stake_min"),
    ("settings/changes/", "at", "from_and_to"),
]
"""Address, a column that sorts, a column of the file."""
FILLED = {"players/", "players/cash-log/", "people/", "people/access/", "dice/sets/",
          "settings/tables/"}  # fmt: skip


@pytest.fixture(scope="module")
def house(
    django_db_setup: None,  # noqa: ARG001 - its database is there
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[House]:
    def build() -> House:
        house = addressed_house.furnished().house
        tasks.advance(HOUSE, house.id)
        return house

    yield from module_data.built_once(build, django_db_blocker)


def test_a_list_turns_and_its_csv_has_the_lines_of_its_page_and_no_other_house_s(
    house: House,
) -> None:
    builders.house()
    browser = Client()
    browser.force_login(house.manager)
    for path, sort, head in LISTS:
        rising = on_page(browser, f"/{path}?sort={sort}&limit=200")
        falling = on_page(browser, f"/{path}?sort=-{sort}&limit=200")
        assert sorted(map(key, rising)) == sorted(map(key, falling)), path
        if path in FILLED:
            assert rising, path
        assert {house_of(item) for item in rising} <= {house.id, None}, path
        if rising:
            lines = as_csv(browser, f"/{path}?sort={sort}&format=csv", head=head)
            assert len(lines) == len(rising), path


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("path", ["/settings/changes/", "/exceptions/"])
def test_what_is_no_game_is_not_said_to_be_one_that_is_missing(house: House, path: str) -> None:
    browser = Client()
    browser.force_login(house.manager)

    page = browser.get(path).content.decode()

    assert "<table" in page
    assert "not installed" not in page


def row_of(item: Any) -> Any:
    for name in ("row", "dice", "access"):
        if hasattr(item, name):
            return getattr(item, name)
    return item


def key(item: Any) -> str:
    return str(getattr(item, "id", None) or getattr(row_of(item), "pk", item))


def house_of(item: Any) -> Any:
    row = row_of(item)
    return getattr(getattr(row, "employment", row), "establishment_id", None)
