"""
The tamper matrix: every column that is truth or derived, changed by hand as the owner could.

Each table: a column changed, a row deleted, one put in, two exchanged; of the rows the first, one
in the middle and the last. Whatever it was, the verification finds it, and names table and row.
What screens read is changed in `test_tamper_projections`, where it can be made anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test import override_settings
from django.utils import timezone

from casino.house.establishments.models import Establishment
from casino.money.cash.models import SealedCount
from casino.proof.verification import verifying
from ledger.models import (
    Account,
    Checkpoint,
    CommandReceipt,
    Event,
    ParkedEvent,
    Subscription,
    Tile,
    Transfer,
)
from tests.support import module_data, tampered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from uuid import UUID

    from django.db.models import Model
    from pytest_django import DjangoDbBlocker

    from ledger.checking.findings import Finding
    from tests.support.builders import House
    from tests.support.tampered import Held

    Has = Callable[[str], set[str]]

pytestmark = pytest.mark.django_db

STAGES = verifying.stages(projections=False)
HELD = tampered.held_by(*STAGES)
GONE = "ledger_parkedevent"
"""One that is gone is missed where it would have been read: `test_tamper_projections`."""
PLACES = ("first", "middle", "last")


def short(number: int, *values: Any, on_postgresql: int = 1) -> Any:
    """
    Every tenth is of the short form, wherever in a table it stands.

    :param on_postgresql: on one server of it, every so many of those: the check is the same.
    """
    name = "-".join(value if isinstance(value, str) else value.table for value in values)
    tenth, left_over = divmod(number, 10)
    marks: tuple[pytest.MarkDecorator, ...] = ()
    if left_over:
        marks = (pytest.mark.long,)
    elif tenth % on_postgresql:
        marks = (pytest.mark.long("postgresql", but="citus"),)
    return pytest.param(*values, marks=marks, id=name)


def numbered(
    rows: list[tuple[Held, str | None, str]],
) -> Iterator[tuple[int, tuple[Held, str | None, str]]]:
    """Rows with their numbers; the first of a table that has no tenth one counts as one."""
    met = {held.table for held, *_ in rows[::10]}
    for number, row in enumerate(rows):
        table = row[0].table
        yield (number if table in met else 0), row
        met.add(table)


CHANGES = [
    short(number, *values, on_postgresql=3)
    for number, values in numbered(
        [
            (held, column.column, place)
            for held in HELD
            for column in held.columns
            for place in PLACES
            if (held.table, column.column) != (GONE, "establishment")
        ]
    )
]
DELETIONS = [
    short(number, *values)
    for number, values in enumerate(
        (held, place) for held in HELD for place in PLACES if held.table != GONE
    )
]
WHOLE = [short(number, held) for number, held in enumerate(HELD)]
NO_TWO = {  # of these no two rows differ here in anything but what names them
    "establishments_establishment",
    "ledger_parkedevent",
    "ledger_subscription",
    "ledger_tile",
    "settlement_prizerule",
}
SEVERAL = [
    short(number, held)
    for number, held in enumerate(each for each in HELD if each.table not in NO_TWO)
]


@pytest.fixture(scope="module")
def house(
    django_db_setup: None,  # noqa: ARG001 - the database is there
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: Any,
) -> Iterator[House]:
    """Played once; each test changes it and is undone."""
    keys: Path = tmp_path_factory.mktemp("keys")
    with override_settings(LEDGER_KEYS_DIR=keys, PRODUCTION=False):
        yield from module_data.built_once(lambda: tampered.house(events=260), django_db_blocker)


def found(house: UUID) -> list[Finding]:
    book = verifying.open_book(house, now=timezone.now())
    return [
        each
        for stage in STAGES
        for step in verifying.steps(book, stage, {})
        for each in step.findings
    ]


def test_untouched_it_is_sound(house: House) -> None:
    assert found(house.id) == []


@pytest.mark.parametrize(("held", "name", "place"), CHANGES)
def test_a_changed_column_is_found(house: House, held: Held, name: str, place: str) -> None:
    [column] = [each for each in held.columns if each.column == name]
    row = chosen(house, held, place, says=column.attname)
    with tampered.undone(held.model):
        value = tampered.change(row, column)
        findings = found(house.id)

    assert any(tells(each, row, {column.attname: value}) for each in findings), sentences(findings)


@pytest.mark.parametrize(("held", "place"), DELETIONS)
def test_a_deleted_row_is_found(house: House, held: Held, place: str) -> None:
    row = chosen(house, held, place)
    with tampered.undone(held.model):
        tampered.delete(row)
        findings = found(house.id)

    assert any(tells(each, row) for each in findings), sentences(findings)


@pytest.mark.parametrize("held", WHOLE)
def test_a_row_that_is_put_in_is_found(house: House, held: Held) -> None:
    row = chosen(house, held, "last")
    with tampered.undone(held.model):
        added = tampered.insert(row)
        findings = found(added.pk if isinstance(added, Establishment) else house.id)

    if held.model is SealedCount:  # no event tells of it, so nobody ever reads it
        assert findings == []
    else:
        assert any(tells(each, added) for each in findings), sentences(findings)


@pytest.mark.parametrize("held", SEVERAL)
def test_two_rows_that_are_exchanged_are_found(house: House, held: Held) -> None:
    row, *others = held.rows(house)
    other = next(each for each in others if not tampered.alike(row, each, held))
    with tampered.undone(held.model):
        tampered.exchange(row, other)
        findings = found(house.id)

    assert any(tells(each, row) or tells(each, other) for each in findings), sentences(findings)


def chosen(at: House, held: Held, place: str, says: str = "") -> Any:
    """:param says: a column that a receipt says something in: each kind of answer has its own."""
    rows = list(held.rows(at))
    if held.model is CommandReceipt and says:
        rows = [each for each in rows if getattr(each, says) is not None]
    assert rows, f"{held.table} tells of nothing that was played here."
    return rows[{"first": 0, "middle": len(rows) // 2, "last": -1}[place]]


def sentences(findings: list[Finding]) -> list[str]:
    return [f"{each.check}: {each.says}" for each in findings]


# --- Whether a finding names the row -------------------------------------------------------------


def tells(finding: Finding, row: Model, changed: dict[str, Any] | None = None) -> bool:
    """Whether it names table and row, by what named the row before or does now."""

    def has(name: str) -> set[str]:
        return {str(getattr(row, name)), str((changed or {}).get(name, getattr(row, name)))}

    if (matches := MATCHERS.get(type(row))) is not None:
        return matches(finding, has)
    named = set().union(*(has(each.attname) for each in row._meta.pk_fields))
    table, values = row._meta.db_table, set(map(str, finding.row.values()))
    return table in values and table in finding.says and bool(named & values)


def _answer(finding: Finding, has: Has) -> bool:
    first = finding.row.get("receipt")
    last = finding.row.get("to", first)
    if not (isinstance(first, int) and isinstance(last, int)):
        return False
    # A copy of an answer without events is told by the gap that ends before its number.
    return any(first <= int(each) <= last + 1 for each in has("seq"))


MATCHERS: dict[type[Model], Callable[[Finding, Has], bool]] = {
    Event: lambda finding, has: _within(finding, has("position")),
    Transfer: lambda finding, has: (
        finding.check == "transfer" and _within(finding, has("position"))
    ),
    CommandReceipt: _answer,
    Account: lambda finding, has: (
        finding.check == "account"
        and finding.row["account"]
        in {f"{kind}:{name}" for kind in has("kind") for name in has("name")}
    ),
    Tile: lambda finding, has: (
        finding.check == "tile"
        and finding.row["tile"]
        in {f"{level}/{index}" for level in has("level") for index in has("index")}
    ),
    Checkpoint: lambda finding, has: str(finding.row.get("checkpoint")) in has("size"),
    Subscription: lambda finding, has: str(finding.row.get("follower")) in has("name"),
    ParkedEvent: lambda finding, has: (
        finding.check == "parked"
        and str(finding.row["follower"]) in has("subscription")
        and "ledger_parkedevent" in finding.says
    ),
}
"""The words by which findings of the book name a row."""


def _within(finding: Finding, positions: set[str]) -> bool:
    first = finding.first
    last = first if finding.last is None else finding.last
    return (
        first is not None
        and last is not None
        and any(first <= int(each) <= last for each in positions)
    )


@pytest.mark.once
def test_every_table_is_met_in_the_short_form() -> None:
    """Of the matrix a tenth is short; on SQLite no table is left to the long form."""
    short_ones = [
        param.values[0].table
        for params in (CHANGES, DELETIONS, WHOLE)
        for param in params
        if pytest.mark.long not in param.marks
    ]

    assert set(short_ones) == {held.table for held in HELD}
    assert connection.vendor in {"sqlite", "postgresql"}
