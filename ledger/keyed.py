"""
Questions that each command and each event asks several times, in SQL that is written down.

To put together the same statement anew each time took Django longer than the database took to
answer it. Everything else asks through the models.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.backends.utils import CursorWrapper

Value = UUID | str | int | bool | date | datetime


def rows(
    statement: str, establishment: UUID, *values: Value, using: str = DEFAULT_DB_ALIAS
) -> list[tuple[Any, ...]]:
    """All that a statement answers whose first ``%s`` stands for the house; UUIDs as they are."""
    connection = connections[using]
    return fetched(connection.cursor(), statement, _adapted(connection, establishment, *values))


def bulk(
    statement: str, establishment: UUID, *values: Value, using: str = DEFAULT_DB_ALIAS
) -> list[tuple[Any, ...]]:
    """The same of many bodies: numbers, texts and bytes."""
    connection = connections[using]
    parameters = _adapted(connection, establishment, *values)
    return fetched(in_binary(connection), statement, parameters)


def fetched(cursor: CursorWrapper, statement: str, parameters: Any) -> list[tuple[Any, ...]]:
    """All that a statement answers; the cursor is closed."""
    with cursor:
        cursor.execute(statement, parameters)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def _adapted(connection: BaseDatabaseWrapper, *values: Value) -> list[Any]:
    return [adapted(connection, value) for value in values]


def in_binary(connection: BaseDatabaseWrapper) -> CursorWrapper:
    """
    A cursor to which PostgreSQL sends values as they are, not as text.

    Bytes would come as digits, twice as many, and cost more to read than to hash. Only for numbers,
    texts and bytes: of other kinds Django reads but the texts as its models want them.
    """
    if connection.vendor != "postgresql":
        return connection.cursor()
    import psycopg  # noqa: PLC0415 - where it is the database; else it need not be there

    connection.ensure_connection()
    cursor = psycopg.Cursor(connection.connection)
    cursor.format = psycopg.pq.Format.BINARY
    return connection._prepare_cursor(cursor)  # type: ignore[attr-defined, no-any-return]  # noqa: SLF001


def marks(values: Collection[object]) -> str:
    """A place for each of some values, for a list in a statement."""
    return ", ".join(["%s"] * len(values))


def key(connection: BaseDatabaseWrapper, value: UUID) -> UUID | str:
    """A UUID as the database has it: SQLite keeps 32 digits."""
    return value if connection.features.has_native_uuid_field else value.hex


def adapted(connection: BaseDatabaseWrapper, value: Value) -> Any:
    """A value as the database takes it: SQLite has neither UUIDs nor moments."""
    match value:
        case UUID():
            return key(connection, value)
        case datetime():
            return connection.ops.adapt_datetimefield_value(value)
        case date():
            return connection.ops.adapt_datefield_value(value)
        case _:
            return value


def changed(statement: str, *values: Value) -> int:
    """How many rows a statement has changed."""
    connection = connections[DEFAULT_DB_ALIAS]
    parameters = [adapted(connection, value) for value in values]
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return int(cursor.rowcount)
