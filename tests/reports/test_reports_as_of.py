"""
Every report as of a position has the content that it had when the ledger was as long, whatever came
since (E6); and its sums are those of the ledger's accounts and transfers (A1, A3, B1, P2, P3).
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest

from casino.kit.documents.report import SUMMED
from ledger import journal
from tests.forms import LONG_FORM, every
from tests.support import builders, full_house, module_data
from tests.support.playing import nothing_parked, settled
from tests.support.random_player import RandomPlayer
from tests.support.reported import REPORTS, content, disagreeing, query
from tests.support.staff import Staff

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import DjangoDbBlocker

    from tests.support.builders import House
    from tests.support.reported import Content

pytestmark = pytest.mark.django_db
LOOKS, STEP = 3, 90  # events between two looks
BESIDE = {"regrade"}
"""No entries of the ledger: counted by what they covered."""


@pytest.fixture(autouse=True, scope="module")
def _marked_often() -> Iterator[None]:
    with full_house.marked_often():
        yield


def played(house: House, chance: Random, events: int) -> None:
    """Anything that may happen at a house, so many events long."""
    croupier = RandomPlayer(replace(house, tables=house.tables[2:]), chance)
    staff = Staff(house, chance, croupier)
    head = journal.head(establishment=house.id) + events
    while journal.head(establishment=house.id) < head:
        staff.does_something()
        croupier.does_something()
        settled(house)


@pytest.fixture(scope="module")
def lived(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[House]:
    del django_db_setup

    def build() -> House:
        house = full_house.house(5)
        settled(house)
        return house

    yield from module_data.built_once(build, django_db_blocker)


@pytest.mark.long("postgresql")
@pytest.mark.rows(1)
@pytest.mark.parametrize("seed", [3, 8])
def test_a_report_as_of_a_position_is_what_it_was_then(lived: House, seed: int) -> None:
    chance = Random(seed)  # noqa: S311 - of a test
    house = full_house.house(seed) if LONG_FORM else lived
    then: dict[int, dict[str, Content]] = {}
    for _ in range(LOOKS if LONG_FORM else 1):
        settled(house)
        head = journal.head(establishment=house.id)
        then[head] = {
            name: content(report, query(house)) for name, report in REPORTS.items()
        }  # fmt: skip
        wrong = {name: disagreeing(report, query(house)) for name, report in REPORTS.items()}
        assert {name: found for name, found in wrong.items() if found} == {}
        played(house, chance, STEP)
    assert nothing_parked(house)

    for head, reports in then.items():
        for name in REPORTS.keys() - BESIDE:
            assert content(REPORTS[name], query(house, head)) == reports[name], (name, head)


@pytest.mark.long("postgresql", but="citus")
def test_every_report_can_be_made_as_of_any_position(lived: House) -> None:
    for through in range(-1, journal.head(establishment=lived.id), 9 * every(12)):
        for report in REPORTS.values():
            content(report, query(lived, through))


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("name", REPORTS)
def test_cells_are_of_the_kinds_of_their_columns(lived: House, name: str) -> None:
    for table in REPORTS[name].tables:
        for line in table.lines(query(lived)):
            assert len(line.cells) == len(table.columns)
            for cell, column in zip(line.cells, table.columns, strict=True):
                if cell is not None and column.kind in SUMMED:
                    assert type(cell) is int, (table.name, column.name, cell)
                if column.kind == "text":
                    assert type(cell) is str, (table.name, column.name, cell)


def test_reports_of_a_house_where_nothing_happened_are_empty() -> None:
    house = builders.house()

    for name in REPORTS.keys() - {"dice-inventory"}:  # it has dice from the first day on
        report = REPORTS[name]
        found = content(report, query(house))
        tables = {table.name for table in report.tables} - {"thresholds"}  # one is in force, too
        assert [each for table in tables for each in found[table]] == [], name
