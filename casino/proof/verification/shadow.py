"""
Shadow tables: a connection on which empty temporary tables replace real ones, and nothing else can
be written.

Both databases look up an unqualified name among temporary tables first. So what handlers read and
write by Django's names goes to the shadows, and neither rows nor locks of the real tables are
touched; the database itself refuses all other writes. The ledger is seen through a view, up to the
position that is shown. Everything disappears with the connection, however it ends.
"""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NoReturn, Protocol

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, InterfaceError, connections

from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from uuid import UUID

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models import Model


# Shadows on PostgreSQL: tables of `pg_temp` in a session whose transactions only read.
#
# Such a transaction can write nothing but temporary tables. To create them, a role needs the
# privilege TEMPORARY on the database, which everybody has unless it was revoked.


READ_ONLY: Final = "25006"  # SQLSTATE read_only_sql_transaction


class PostgreSQL:
    temporary = "pg_temp"

    def settle(self, connection: BaseDatabaseWrapper) -> None:
        """Use a session outside the pool, so that nobody else gets it afterwards."""
        options = connection.settings_dict["OPTIONS"]
        connection.settings_dict["OPTIONS"] = {**options, "pool": False}

    def real(self, connection: BaseDatabaseWrapper, table: str) -> str:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT format('%%I.%%I', nspname, relname) FROM pg_class"
                " JOIN pg_namespace ON pg_namespace.oid = relnamespace"
                " WHERE pg_class.oid = %s::regclass",
                [connection.ops.quote_name(table)],
            )
            [found] = cursor.fetchone()
        return str(found)

    def make(self, connection: BaseDatabaseWrapper, tables: Mapping[str, str]) -> None:
        with connection.cursor() as cursor:
            # pg_temp must be first: a search path that names pg_temp may name it last.
            cursor.execute(
                "SELECT set_config('search_path', 'pg_temp,' || current_setting('search_path'),"
                " false)"
            )
            for table, real in tables.items():
                name = connection.ops.quote_name(table)
                cursor.execute(f"CREATE TEMP TABLE {name} (LIKE {real} INCLUDING ALL)")

    def guard(self, connection: BaseDatabaseWrapper) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET default_transaction_read_only = on")

    def spelt(self, uuid: str) -> str:
        return f"{uuid}::text"

    def refused(self, error: DatabaseError) -> bool:
        return getattr(error.__cause__, "sqlstate", None) == READ_ONLY


# Shadows on SQLite: tables of the schema `temp`, with an authorizer that refuses all other writes.
#
# A transaction that reads the database and writes temporary tables takes no lock for which a writer
# would have to wait, because the database is in WAL mode.


IN_TEMP: Final = {
    "CREATE TABLE ": "CREATE TEMP TABLE ",
    "CREATE INDEX ": "CREATE INDEX temp.",
    "CREATE UNIQUE INDEX ": "CREATE UNIQUE INDEX temp.",
}
READS: Final = frozenset({
    sqlite3.SQLITE_READ, sqlite3.SQLITE_SELECT, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE,
    sqlite3.SQLITE_TRANSACTION, sqlite3.SQLITE_SAVEPOINT,
})  # fmt: skip


class SQLite:
    temporary = "temp"

    def settle(self, connection: BaseDatabaseWrapper) -> None:
        """Shadow transactions begin as readers: IMMEDIATE would take the house's write lock."""
        options = connection.settings_dict["OPTIONS"]
        connection.settings_dict["OPTIONS"] = {**options, "transaction_mode": "DEFERRED"}

    def real(self, connection: BaseDatabaseWrapper, table: str) -> str:
        return f"main.{connection.ops.quote_name(table)}"

    def make(self, connection: BaseDatabaseWrapper, tables: Mapping[str, str]) -> None:
        connection.disable_constraint_checking()  # foreign keys would find no parents in `temp`
        with connection.cursor() as cursor:
            for table in tables:
                cursor.execute(
                    "SELECT sql FROM main.sqlite_schema WHERE tbl_name = %s AND sql IS NOT NULL"
                    " AND type IN ('table', 'index') ORDER BY type = 'index'",
                    [table],
                )
                for [statement] in cursor.fetchall():
                    cursor.execute(_temporary(statement))

    def guard(self, connection: BaseDatabaseWrapper) -> None:
        connection.connection.set_authorizer(_authorise)

    def spelt(self, uuid: str) -> str:
        parts = ((1, 8), (9, 4), (13, 4), (17, 4), (21, 12))
        return " || '-' || ".join(f"substr({uuid}, {at}, {long})" for at, long in parts)

    def refused(self, error: DatabaseError) -> bool:
        return getattr(error.__cause__, "sqlite_errorcode", None) == sqlite3.SQLITE_AUTH


def _temporary(statement: str) -> str:
    """
    A CREATE statement, changed so that it creates the table or the index in `temp`.

    :raises ValueError: if the statement begins in an unknown way.
    """
    for plain, temporary in IN_TEMP.items():
        if statement.startswith(plain):
            return temporary + statement.removeprefix(plain)
    raise ValueError(f"Not known how to make this in temp: {statement}")


def _authorise(
    action: int, _name: str | None, _more: str | None, schema: str | None, _by: str | None
) -> int:
    allowed = action in READS or schema == SQLite.temporary
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


EVENTS = Event._meta.db_table  # noqa: SLF001 - Django's documented Meta API
BOUND, HIDDEN = "shadow_bound", "shadow_hidden"  # the last visible position; hidden positions
ASIDE = (
    f"CREATE TEMP TABLE {BOUND} (position bigint NOT NULL)",
    f"INSERT INTO {BOUND} VALUES (-1)",  # noqa: S608 - names of our own
    f"CREATE TEMP TABLE {HIDDEN} (position bigint PRIMARY KEY)",
)
VIEW = f"""
    CREATE TEMP VIEW {EVENTS} AS SELECT * FROM {{real}}
    WHERE establishment = '{{house}}' AND position <= (SELECT position FROM {BOUND})
      AND position NOT IN (SELECT position FROM {HIDDEN})"""  # noqa: S608


class Vendor(Protocol):
    """The operations on shadow tables that differ between PostgreSQL and SQLite."""

    temporary: str
    """The schema that qualifies the name of a shadow."""

    def settle(self, connection: BaseDatabaseWrapper) -> None:
        """Set the options of a connection before it connects."""

    def real(self, connection: BaseDatabaseWrapper, table: str) -> str:
        """The name of a real table, qualified and quoted; call this before it has a shadow."""

    def make(self, connection: BaseDatabaseWrapper, tables: Mapping[str, str]) -> None:
        """Create empty shadows with the columns, checks and indexes of the real tables."""

    def guard(self, connection: BaseDatabaseWrapper) -> None:
        """Refuse all writes from now on, except to temporary tables."""

    def spelt(self, uuid: str) -> str:
        """SQL that spells a column of UUIDs as events do."""

    def refused(self, error: DatabaseError) -> bool:
        """Whether an error means that the guard has refused a write."""


VENDORS: Mapping[str, Vendor] = {"postgresql": PostgreSQL(), "sqlite": SQLite()}


class NotShadowed(RuntimeError):  # noqa: N818 - it names the fact
    """A handler tried to write a table that has no shadow; the database refused it."""


@dataclass(frozen=True, slots=True)
class Shadows:
    """
    The shadow tables of a house and their connection.

    :param own: the thread's own connection.
    :param real: the name of a shadow -> the real table, qualified and quoted; also for the ledger's
        events.
    """

    connection: BaseDatabaseWrapper
    own: BaseDatabaseWrapper
    house: UUID
    real: Mapping[str, str]

    @property
    def vendor(self) -> Vendor:
        return VENDORS[self.connection.vendor]

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """A block in which the default connection of this thread is the one with the shadows."""
        with _standing(self.connection, behind=self.own):
            yield

    @contextmanager
    def out_of_place(self) -> Iterator[None]:
        """A block within `in_place` that uses the thread's own connection again."""
        with _standing(self.own, behind=self.connection):
            yield

    def show(self, position: int) -> None:
        """Show the ledger up to a position."""
        with self.connection.cursor() as cursor:
            cursor.execute(f"UPDATE {BOUND} SET position = %s", [position])  # noqa: S608 - our name

    def hide(self, positions: Iterable[int]) -> None:
        """Hide exactly these positions; all others are visible."""
        with self.connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM {HIDDEN}")  # noqa: S608 - our name
            cursor.executemany(
                f"INSERT INTO {HIDDEN} VALUES (%s)",  # noqa: S608 - our name
                [(each,) for each in positions],
            )


@contextmanager
def shadows(house: UUID, models: Iterable[type[Model]]) -> Iterator[Shadows]:
    """
    A connection with an empty shadow for the table of each model.

    :raises DatabaseError: e.g. where the role may make no temporary tables
        (docs/how-to/rebuild.md).
    """
    own = connections[DEFAULT_DB_ALIAS]
    # Temporary tables are of one session, which a pooler does not keep for us.
    connection = connections[settings.SESSION_DATABASE].copy(alias=DEFAULT_DB_ALIAS)
    vendor = VENDORS[connection.vendor]
    vendor.settle(connection)
    tables = sorted({model._meta.db_table for model in models})  # noqa: SLF001
    try:
        connection.ensure_connection()
        # A new connection would have neither shadows nor a guard.
        connection.connect = _raise_lost  # type: ignore[method-assign]
        real = {name: vendor.real(connection, name) for name in (*tables, EVENTS)}
        vendor.make(connection, {name: real[name] for name in tables})
        with connection.cursor() as cursor:
            for statement in (*ASIDE, VIEW.format(real=real[EVENTS], house=house.hex)):
                cursor.execute(statement)
        vendor.guard(connection)
        yield Shadows(connection, own, house, real)
    finally:
        connection.close()


@contextmanager
def _standing(connection: BaseDatabaseWrapper, *, behind: BaseDatabaseWrapper) -> Iterator[None]:
    connections[DEFAULT_DB_ALIAS] = connection
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = behind


def _raise_lost() -> NoReturn:
    raise InterfaceError("The connection that had the shadows is lost.")
