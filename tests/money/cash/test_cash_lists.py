"""The lists of cash: sorted and narrowed on their pages, the same lines as files, of one house."""

from __future__ import annotations

import csv
import io
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from casino.house.attendants.models import Role
from casino.money.cash.listings import COUNTS, INVENTORY, SHIFTS
from tests.support import builders, cashing, module_data
from tests.support.cashier import brought, fee_taken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import DjangoDbBlocker

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

DAY = "2026-11-20"
LISTS = {
    "cash/": "table",
    "cash/slips/": "number",
    "cash/shifts/": "opened_at",
    "cash/counts/": "at",
    "cash/inventory/": "table",
    "accounts/fee-boxes/": "table",
    "accounts/cage-and-bank/": "number",
}
"""Address of a list, and a column by which it is sorted."""


@pytest.fixture
def house() -> House:
    return cashing.house()


@pytest.fixture(scope="module")
def lived(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[House]:
    """A house with lines in every list, which all tests here only read."""
    del django_db_setup
    yield from module_data.built_once(lambda: filled(cashing.house()), django_db_blocker)


def filled(house: House) -> House:
    """Two lines at least in every list."""
    brought(house, 500)
    brought(house, 20, "to_bank")
    for table in house.tables:
        cashing.opened(house, table=table)
        fee_taken(house, table=table)
    cashing.slipped(house, "fill", {"25": 3})
    cashing.slipped(house, "fill", {"25": 1})
    cashing.shown(house)
    return house


def browser(at: House, role: Role = Role.AUDITOR) -> Client:
    client = Client()
    client.force_login(at.people[role])
    return client


def lines(client: Client, address: str, query: str = "") -> list[Any]:
    answer = client.get(f"/{address}?{query}")
    assert answer.status_code == HTTPStatus.OK
    return [line.cells[0].text for line in answer.context["table"].lines]


def of_file(client: Client, address: str, query: str, column: int) -> list[str]:
    answer: Any = client.get(f"/{address}?{query}&format=csv")
    assert answer.status_code == HTTPStatus.OK
    content = b"".join(answer) if answer.streaming else answer.content
    table = [row for row in csv.reader(io.StringIO(content.decode("utf-8-sig"))) if len(row) > 3]
    return [row[column] for row in table[1:]]


@pytest.mark.rows(postgresql=2)
@pytest.mark.parametrize(("address", "column"), LISTS.items())
def test_a_heading_sorts_both_ways_and_the_file_has_the_same_lines(
    lived: House, address: str, column: str
) -> None:
    client = browser(lived)

    rising = lines(client, address, f"sort={column}")
    falling = lines(client, address, f"sort=-{column}")

    assert len(rising) > 1
    assert falling == rising[::-1]
    assert len(of_file(client, address, f"sort={column}", 0)) == len(rising)


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("address", ["cash/slips/", "cash/shifts/", "cash/counts/"])
def test_a_list_is_narrowed_to_a_table_and_a_day(lived: House, address: str) -> None:
    client = browser(lived)
    everything = lines(client, address)
    first, second = (lines(client, address, f"table={table.pk}") for table in lived.tables[:2])

    assert len(first) + len(second) == len(everything)
    assert len(first) > 0
    assert lines(client, address, f"day={DAY}") == everything
    assert lines(client, address, "day=2026-11-19") == []


@pytest.mark.usefixtures("lived")
@pytest.mark.parametrize("address", LISTS)
def test_another_houses_lines_are_in_no_list(house: House, address: str) -> None:
    client = browser(house)

    mine = lines(client, address)

    assert mine == ([table.name for table in house.tables] if address == "cash/" else [])


@pytest.mark.parametrize("listing", [COUNTS, SHIFTS, INVENTORY])
def test_b1_nothing_is_sorted_by_what_may_be_hidden(listing: Any) -> None:
    """The order would tell what lies at a table, though the figure is hidden."""
    hidden = {"opener", "fills", "credits", "bought_in", "cashed_out", "boxed", "other", "closer",
              "standing", "counted", "expected"}  # fmt: skip

    assert not hidden & set(listing.sorts)


@pytest.mark.long("postgresql", but="citus")
@pytest.mark.parametrize("address", ["cash/", "cash/shifts/", "cash/counts/", "cash/inventory/"])
@pytest.mark.parametrize(("role", "sees"), [(Role.SUPERVISOR, False), (Role.AUDITOR, True)])
def test_b1_no_file_tells_what_is_to_be_counted(
    house: House, address: str, role: Role, *, sees: bool
) -> None:
    cashing.opened(house)
    cashing.counted(house, builders.employed(house.establishment, Role.ATTENDANT), {})
    cashing.shown(house)

    answer: Any = browser(house, role).get(f"/{address}?format=csv")
    content = b"".join(answer) if answer.streaming else answer.content
    cells = {cell for row in csv.reader(io.StringIO(content.decode())) for cell in row}

    assert ("50" in cells) is sees


@pytest.mark.long("postgresql")
def test_tables_stand_in_the_order_that_people_count_them_in() -> None:
    house = cashing.house(tables=10)
    for table in house.tables[::-1]:
        cashing.opened(house, table=table)
    cashing.shown(house)
    client = browser(house)
    in_order = [f"Table {number}" for number in range(1, 11)]

    assert lines(client, "cash/") == in_order
    answer = client.get("/cash/inventory/")
    assert [line.cells[1].text for line in answer.context["table"].lines] == in_order


@pytest.mark.long("postgresql")
def test_a_day_of_the_inventory_has_its_shifts_and_counts(lived: House) -> None:
    client = browser(lived)

    of_day = client.get(f"/cash/inventory/?day={DAY}").context

    assert len(of_day["shifts"].lines) == 2
    assert len(of_day["counts"].lines) == 2
    assert "shifts" not in client.get("/cash/inventory/").context
