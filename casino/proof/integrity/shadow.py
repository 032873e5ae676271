"""
Shadow tables: a connection on which empty temporary tables replace real ones, and nothing else can
be written.

Both databases look up an unqualified name among temporary tables first. So what handlers read and
write by Django's names goes to the shadows, and neither rows nor locks of the real tables are
touched; the database itself refuses all other writes. The ledger is seen through a view, up to the
position that is shown. Everything disappears with the connection, however it ends.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn, Protocol

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, InterfaceError, connections

from casino.proof.integrity.shadow_postgresql import PostgreSQL
from casino.proof.integrity.shadow_sqlite import SQLite
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from uuid import UUID

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models import Model

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
