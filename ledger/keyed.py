"""
Queries in plain SQL, for those that each command and each event makes several times.

Django took longer to compose such a statement each time than the database took to answer it. All
other queries go through the models.
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
    """All rows of a query. Its first ``%s`` is the house; UUIDs are passed as they are."""
    connection = connections[using]
    return fetch(connection.cursor(), statement, _adapt_all(connection, establishment, *values))


def bulk(
    statement: str, establishment: UUID, *values: Value, using: str = DEFAULT_DB_ALIAS
) -> list[tuple[Any, ...]]:
    """All rows of a query for many bodies: as `rows`, but only for numbers, texts and bytes."""
    connection = connections[using]
    parameters = _adapt_all(connection, establishment, *values)
    return fetch(in_binary(connection), statement, parameters)


def fetch(cursor: CursorWrapper, statement: str, parameters: Any) -> list[tuple[Any, ...]]:
    """Execute a statement, return all its rows, and close the cursor."""
    with cursor:
        cursor.execute(statement, parameters)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def _adapt_all(connection: BaseDatabaseWrapper, *values: Value) -> list[Any]:
    return [adapt(connection, value) for value in values]


def in_binary(connection: BaseDatabaseWrapper) -> CursorWrapper:
    """
    A cursor to which PostgreSQL sends values in binary format, not as text.

    As text, bytes come as hex digits, twice as long, and cost more to parse than to hash. Use it
    only for numbers, texts and bytes: for other types, Django expects the text format.
    """
    if connection.vendor != "postgresql":
        return connection.cursor()
    import psycopg  # noqa: PLC0415 - where it is the database; else it need not be there

    connection.ensure_connection()
    cursor = psycopg.Cursor(connection.connection)
    cursor.format = psycopg.pq.Format.BINARY
    return connection._prepare_cursor(cursor)  # type: ignore[attr-defined, no-any-return]  # noqa: SLF001


def marks(values: Collection[object]) -> str:
    """``%s, %s, …``: one placeholder for each value, for a list in a statement."""
    return ", ".join(["%s"] * len(values))


def key(connection: BaseDatabaseWrapper, value: UUID) -> UUID | str:
    """A UUID as the database stores it: SQLite stores 32 hex digits."""
    return value if connection.features.has_native_uuid_field else value.hex


def adapt(connection: BaseDatabaseWrapper, value: Value) -> Any:
    """A value as the database accepts it: SQLite has no types for UUIDs, moments and dates."""
    match value:
        case UUID():
            return key(connection, value)
        case datetime():
            return connection.ops.adapt_datetimefield_value(value)
        case date():
            return connection.ops.adapt_datefield_value(value)
        case _:
            return value


def change(statement: str, *values: Value) -> int:
    """Execute a statement; the number of rows that it changed."""
    connection = connections[DEFAULT_DB_ALIAS]
    parameters = [adapt(connection, value) for value in values]
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return int(cursor.rowcount)
