"""Rows held against what a replay makes of them, and rows that are changed by hand."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db import connection
from django.db.models import ForeignKey

from casino.engine.processes.queues import house_subscriber
from casino.play.core.subscriptions.tasks import SUBSCRIBERS
from casino.proof.verification import rebuild
from casino.proof.verification.replays import Difference, column_name, columns_to_compare, key_of
from tests.support import builders
from tests.support.playing import opened, round_played, settled

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest
    from django.db.models import Field, Model

    from ledger.subscriptions import Subscriber
    from ledger.wire import StoredEvent
    from tests.support.builders import House


def with_a_round_lost() -> House:
    """One game, one round of which Ada lost."""
    made = builders.house()
    round_played(made, opened(made))
    settled(made)
    return made


def found(house: House, *subscribers: Subscriber) -> list[Difference]:
    return [
        each
        for subscriber in subscribers or SUBSCRIBERS
        for each in rebuild.compare(house.id, subscriber)
    ]


def rows_of(subscriber: Subscriber, house: House) -> dict[type[Model], Any]:
    """A subscriber's tables, each with the house's rows."""
    return {
        model: model._default_manager.filter(establishment=house.id).order_by(
            *(each.attname for each in key_of(model))
        )
        for model in rebuild.derivation_of(subscriber).rows
    }


def reads_more(monkeypatch: pytest.MonkeyPatch, more: Callable[[StoredEvent], None]) -> None:
    """An area of the house's subscriber does something else, too."""
    first, *others = house_subscriber.areas()

    def both(event: StoredEvent) -> None:
        more(event)
        first.handle(event)

    read = [replace(first, handle=both), *others]
    monkeypatch.setattr(house_subscriber, "areas", lambda: read)


def table_of(model: type[Model]) -> str:
    return model._meta.db_table


def contents() -> list[Any]:
    """The versions of all rows that a check looks at; on SQLite whether anybody wrote anything."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA main.data_version")
            return list(cursor.fetchall())
        rows = []
        for table in sorted(connection.introspection.table_names()):
            cursor.execute(f'SELECT ctid::text, xmin::text FROM public."{table}"')  # noqa: S608
            rows.append((table, cursor.fetchall()))
        return rows


MOMENT = datetime.fromisoformat("2026-11-20T12:00:00+00:00")
WHERE_NONE_WAS = {
    "DateTimeField": MOMENT, "DateField": MOMENT.date(), "UUIDField": uuid.UUID(int=7),
    "PositiveBigIntegerField": 7, "PositiveIntegerField": 7, "BigIntegerField": 7,
    "CharField": "x", "TextField": "x", "BooleanField": True, "JSONField": ["x"],
    "IntegerField": 7, "FloatField": 0.5, "BinaryField": b"x",
}  # fmt: skip


def other(column: Field[Any, Any], value: Any) -> Any:
    """Another value that a column of its kind may have."""
    changed: Any = WHERE_NONE_WAS.get(column.get_internal_type())
    match value:
        case bool():
            changed = not value
        case int():
            changed = value + 10_000
        case date():  # and moments
            changed = value + timedelta(days=400)
        case uuid.UUID():
            changed = uuid.uuid4()
        case str() if value:
            changed = f"{value[:-1]}{'x' if value[-1] != 'x' else 'y'}"
    return changed


def apart_from_key(model: type[Model]) -> list[Field[Any, Any]]:
    return [each for each in columns_to_compare(model) if each not in key_of(model)]


def altered(row: Model) -> Difference:
    """A row with every column but its key changed, and the difference to expect."""
    was, now = {}, {}
    for column in apart_from_key(type(row)):
        if not isinstance(column, ForeignKey):
            was[column.attname] = getattr(row, column.attname)
            now[column.attname] = other(column, was[column.attname])
    type(row)._default_manager.filter(pk=row.pk).update(**now)
    return expected(row, "altered", found=now, expected=was)


def inserted(row: Model) -> Difference:
    """A copy of a row under another key, and the difference to expect."""
    last = key_of(type(row))[-1]
    setattr(row, last.attname, other(last, getattr(row, last.attname)))
    row.save(force_insert=True)
    return expected(row, "extra", found=columns_of(row))


def expected(row: Model, what: str, **columns: Any) -> Difference:
    key = {
        column_name(each): getattr(row, each.attname)
        for each in key_of(type(row))
        if each.column != "establishment_id"
    }
    return Difference(follower="", table=table_of(type(row)), what=what, key=key, **columns)


def columns_of(row: Model) -> dict[str, Any]:
    return {column_name(each): getattr(row, each.attname) for each in columns_to_compare(type(row))}


def comparable(each: Difference) -> tuple[Any, ...]:
    return each.table, each.what, each.key, each.found, each.expected
