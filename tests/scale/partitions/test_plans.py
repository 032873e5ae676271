"""
Every statement of the floor and the office looks into the pieces of its house alone.

PostgreSQL itself counts the scans of each table, also those inside functions and triggers. Every
address is opened by somebody whose role lets them, and what can be sent there is sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.scale.partitions import scans
from tests.scale.partitions.conftest import on_postgresql
from tests.support import builders
from tests.support.addressed_house import AddressedHouse, furnished
from tests.support.of_one_house import OPENED, answered, played_and_followed

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

    from tests.support.access import Address

pytestmark = [on_postgresql, pytest.mark.long]


@pytest.fixture(scope="module")
def worlds(partitioned: BaseDatabaseWrapper) -> list[AddressedHouse]:
    del partitioned
    for _ in range(6):  # others, in other parts
        builders.opened(builders.house())
    return [furnished()]


@pytest.mark.parametrize(("address", "method"), OPENED)
def test_an_address_looks_into_the_pieces_of_its_house(
    worlds: list[AddressedHouse], address: Address, method: str
) -> None:
    with scans.of_one_part(worlds[0].house.id):
        answer = answered(worlds[0], address, method)

    assert answer.status_code < 500, answer.content


def test_what_workers_do_for_a_house_does_so_too(worlds: list[AddressedHouse]) -> None:
    del worlds
    house = builders.house()
    builders.opened(house)
    with scans.of_one_part(house.id):
        played_and_followed(house, table=str(house.tables[1].pk))
