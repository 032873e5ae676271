"""
Every column of every table that only grows, changed by hand to another value that could be there.

The columns are read from the models: one that comes later cannot be forgotten here.
"""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.db import connection, models

from casino.engine.databases.postgresql import citus
from ledger import canonical
from ledger.models import Account, Checkpoint, CommandReceipt, Event, Tile, Transfer
from tests.ledger import checked
from tests.ledger.tampering import TABLES, unguarded
from tests.support.module_data import built_once

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_django import DjangoDbBlocker

    from ledger.checking.findings import Finding
    from tests.ledger.checked import Played

pytestmark = pytest.mark.django_db

LONG_AGO = timedelta(days=400)
TARGETS = (Event, Transfer, CommandReceipt, Account, Tile, Checkpoint)


@pytest.fixture(scope="module")
def untouched(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[checked.Played]:
    """Here, too, so that one process gets all tests of this module (tests/sharing.py)."""
    del django_db_setup
    yield from built_once(checked.sound, django_db_blocker)


COLUMNS = [
    pytest.param(model, each, id=f"{model._meta.db_table}.{each.name}")
    for model in TARGETS
    for each in model._meta.concrete_fields
    if not isinstance(each, models.CompositePrimaryKey)
]


def test_every_table_that_only_grows_is_tampered_with() -> None:
    assert {model._meta.db_table for model in TARGETS} == set(TABLES)


@pytest.mark.rows(20, postgresql=8)
@pytest.mark.parametrize(("model", "column"), COLUMNS)
def test_a_changed_column_is_found_and_its_row_is_named(
    played: Played, model: type[models.Model], column: models.Field[Any, Any]
) -> None:
    if column.name == "establishment" and citus.is_distributed(connection):
        pytest.skip("Citus refuses it: the house says on which server a row is.")
    row = victim(played, model, column)
    before, after = getattr(row, column.name), another(played, row, column)
    assert before != after

    with unguarded():
        changed = model._default_manager.filter(**named(row)).update(**{column.name: after})

    assert changed == 1
    found = played.found()
    assert any(names(each, row, {column.name: after}) for each in found), found


def victim(played: Played, model: type[models.Model], column: models.Field[Any, Any]) -> Any:
    """A row of the table, covered by the newest checkpoint."""
    rows = model._default_manager.filter(establishment=played.house)
    if model is Event:
        return played.event_in(0, played.kept.size)
    if model is Transfer:
        return rows.filter(position=played.event_in(0, played.kept.size).position).first()
    if model is CommandReceipt:
        refused = column.name.startswith("refusal")
        at = {"refusal_code__isnull": False} if refused else {"last_position__gte": 2}
        return rows.filter(**at).order_by("seq").first()
    if model is Account:
        return rows.get(kind="cage", name="main")
    if model is Checkpoint:
        return rows.order_by("-size").first()
    return rows.get(level=0, index=0)


def named(row: models.Model) -> dict[str, Any]:
    """The whole row, told from every other."""
    keys = {
        Event: ("establishment", "position"),
        Transfer: ("establishment", "position", "seq"),
        CommandReceipt: ("establishment", "seq"),
        Account: ("establishment", "kind", "name"),
        Tile: ("establishment", "level", "index"),
        Checkpoint: ("establishment", "epoch", "size"),
    }[type(row)]
    return {name: getattr(row, name) for name in keys}


def another(played: Played, row: Any, column: models.Field[Any, Any]) -> Any:
    """Another value that the column could have."""
    value = getattr(row, column.name)
    if column.name == "body":
        return another_body(bytes(value))
    if column.name == "note":
        return played.kept.note
    if column.name.endswith("kind"):
        return "receivable"
    return next(change(value) for kind, change in CHANGES.items() if isinstance(column, kind))


CHANGES: dict[type[models.Field[Any, Any]], Callable[[Any], Any]] = {
    models.UUIDField: lambda _: uuid4(),
    models.DateTimeField: lambda moment: moment - LONG_AGO,
    models.DateField: lambda day: day + timedelta(days=1),
    models.BinaryField: lambda found: bytes([bytes(found)[0] ^ 1]) + bytes(found)[1:],
    models.IntegerField: lambda number: number + 1000,
    models.Field: lambda text: f"{text}x",
}


def another_body(body: bytes) -> bytes:
    data = json.loads(body)
    data["data"]["forged"] = True
    return canonical.encode(data)


def names(found: Finding, row: Any, changed: dict[str, Any]) -> bool:
    """Whether it is the row's own: by what named it before, or, where that was changed, now."""

    def has(name: str) -> tuple[Any, ...]:
        return getattr(row, name), changed.get(name, getattr(row, name))

    match row:
        case Event():
            return found.first == row.position and found.last in {None, row.position}
        case Transfer():
            ours = found.check == "transfer" and found.first in has("position")
            return ours and found.row["transfer"] in has("seq")
        case CommandReceipt():
            first, last = found.row.get("receipt"), found.row.get("to")
            return first == row.seq or (last is not None and first <= row.seq <= last)  # type: ignore[operator]
        case Account():
            accounts = {f"{kind}:{name}" for kind in has("kind") for name in has("name")}
            return found.check == "account" and found.row["account"] in accounts
        case Tile():
            tiles = {f"{level}/{index}" for level in has("level") for index in has("index")}
            return found.check == "tile" and found.row["tile"] in tiles
        case _:
            return found.row.get("checkpoint") in has("size")
