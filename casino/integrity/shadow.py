"""
A connection on which tables are replaced by empty temporary ones, and nothing else can be written.

Both databases look for an unqualified name among the temporary tables first. So what handlers read
and write by Django's names goes to the shadows, without a row, a lock or a version of the real
tables; the database itself refuses to write anything else. The ledger is seen through a view, as
far as it is shown. All of it goes with the connection, however that ends.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn, Protocol

from django.db import DEFAULT_DB_ALIAS, DatabaseError, InterfaceError, connections

from casino.integrity.shadow_postgresql import PostgreSQL
from casino.integrity.shadow_sqlite import SQLite
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from uuid import UUID

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models import Model

EVENTS = Event._meta.db_table  # noqa: SLF001 - Django's documented Meta API
BOUND, HIDDEN = "shadow_bound", "shadow_hidden"  # how far events are seen, and which are not
ASIDE = (
    f"CREATE TEMP TABLE {BOUND} (position bigint NOT NULL)",
    f"INSERT INTO {BOUND} VALUES (-1)",  # noqa: S608 - names of our own
    f"CREATE TEMP TABLE {HIDDEN} (position bigint PRIMARY KEY)",
)
VIEW = f"""
    CREATE TEMP VIEW {EVENTS} AS SELECT * FROM {{real}}
    WHERE establishment = '{{house}}' AND position <= (SELECT position FROM {BOUND})
      AND NOT EXISTS (SELECT 1 FROM {HIDDEN} WHERE {HIDDEN}.position = {{real}}.position)"""  # noqa: S608


class Vendor(Protocol):
    """What differs between the databases."""

    temporary: str
    """What qualifies the name of a shadow."""

    def settle(self, connection: BaseDatabaseWrapper) -> None:
        """Before it connects: how it is going to."""

    def real(self, connection: BaseDatabaseWrapper, table: str) -> str:
        """The real table, qualified and quoted, while nothing stands before it."""

    def make(self, connection: BaseDatabaseWrapper, tables: Mapping[str, str]) -> None:
        """Empty shadows with the columns, the checks and the indexes of real tables."""

    def guard(self, connection: BaseDatabaseWrapper) -> None:
        """From here on nothing but temporary tables is written."""

    def spelt(self, uuid: str) -> str:
        """A column of UUIDs as events spell them, in SQL."""

    def refused(self, error: DatabaseError) -> bool:
        """Whether that is the guard's answer."""


VENDORS: Mapping[str, Vendor] = {"postgresql": PostgreSQL(), "sqlite": SQLite()}


class NotShadowed(RuntimeError):  # noqa: N818 - it names the fact
    """Something was about to be written that is no shadow; the database has refused it."""


@dataclass(frozen=True, slots=True)
class Shadows:
    """
    :param own: the connection of this thread.
    :param real: the real table by the name of its shadow, qualified and quoted; of the ledger's
        events, too.
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
        """In this thread everybody's connection is this one."""
        with _standing(self.connection, behind=self.own):
            yield

    @contextmanager
    def out_of_place(self) -> Iterator[None]:
        """Within `in_place`, for what others do: on this thread's own connection again."""
        with _standing(self.own, behind=self.connection):
            yield

    def show(self, position: int) -> None:
        """Let the ledger be seen through a position."""
        with self.connection.cursor() as cursor:
            cursor.execute(f"UPDATE {BOUND} SET position = %s", [position])  # noqa: S608 - our name

    def hide(self, positions: Iterable[int]) -> None:
        """Let these events not be seen, and all others."""
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
    connection = own.copy()
    vendor = VENDORS[connection.vendor]
    vendor.settle(connection)
    tables = sorted({model._meta.db_table for model in models})  # noqa: SLF001
    try:
        connection.ensure_connection()
        # A new one would have neither shadows nor a guard.
        connection.connect = _lost  # type: ignore[method-assign]
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


def _lost() -> NoReturn:
    raise InterfaceError("The connection that had the shadows is lost.")
