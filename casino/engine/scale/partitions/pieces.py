"""
The pieces of `ledger_event`: one ahead of every head, and old ones on slower storage.

A piece moves by being copied beside itself, frozen, and exchanged in one short transaction. The
house plays meanwhile: only who writes to that piece, which is over, would wait.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db import OperationalError, transaction

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.backends.utils import CursorWrapper

EVENTS: Final = "ledger_event"
BUSY: Final = "55P03"  # SQLSTATE lock_not_available
WAIT: Final = "2s"  # for the moment in which two tables are exchanged

PARTITIONED: Final = "SELECT to_regclass('partitions.of_table') IS NOT NULL"
PIECES: Final = """
    SELECT piece.relname::text, part.relname::text,
        substring(bound FROM 'FROM \\(''?(\\d+)')::bigint,
        substring(bound FROM 'TO \\(''?(\\d+)')::bigint,
        coalesce(spcname::text, ''), pg_relation_size(piece.oid)
    FROM pg_partition_tree(%s::regclass) AS tree
    JOIN pg_class AS piece ON piece.oid = tree.relid
    JOIN pg_class AS part ON part.oid = tree.parentrelid
    LEFT JOIN pg_tablespace ON pg_tablespace.oid = piece.reltablespace
    CROSS JOIN LATERAL (SELECT pg_get_expr(piece.relpartbound, piece.oid) AS bound) AS its
    WHERE isleaf
    ORDER BY length(part.relname), 2, 3"""
MAKE: Final = "SELECT partitions.make(%s::regclass, %s, %s, '{}')"
PLACE: Final = """
    SELECT has_tablespace_privilege(oid, 'CREATE') FROM pg_tablespace WHERE spcname = %s"""


class NotMoved(RuntimeError):  # noqa: N818 - names the fact
    """Old pieces cannot go there; the message says why. They are where they were."""


@dataclass(frozen=True, slots=True)
class Piece:
    """
    Events of the houses of one part, from one position of each house to another.

    :param first: the first position. :param end: the position behind the last; None: open.
    :param tablespace: "" for the database's own. :param size: of its rows, in bytes.
    """

    name: str
    part: str
    first: int
    end: int | None
    tablespace: str
    size: int


def are_there(connection: BaseDatabaseWrapper) -> bool:
    """Whether this database has tables in partitions."""
    if connection.vendor != "postgresql":
        return False
    with connection.cursor() as cursor:
        cursor.execute(PARTITIONED)
        return bool(cursor.fetchone()[0])


def open_ahead(connection: BaseDatabaseWrapper) -> int:
    """
    End each open piece that has got rows, and have an empty one stand behind it; how many.

    Where somebody reads a part for long it is left for the next time: events go into the open piece
    as before, it only gets larger than the others.
    """
    if not are_there(connection):
        return 0
    made = 0
    try:
        while _open_pieces(connection):
            made += 1
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", None) != BUSY:
            raise
    return made


def _open_pieces(connection: BaseDatabaseWrapper) -> bool:
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        cursor.execute("SELECT partitions.open_next()")
        return bool(cursor.fetchone()[0])


def pieces(connection: BaseDatabaseWrapper) -> list[Piece]:
    """
    All pieces, part by part.

    :raises NotMoved: if the table has none.
    """
    if not are_there(connection):
        raise NotMoved(f"{EVENTS} is one table: manage.py partition makes pieces of it.")
    with connection.cursor() as cursor:
        cursor.execute(PIECES, [EVENTS])
        return [Piece(*row) for row in cursor.fetchall()]


def newest_day(connection: BaseDatabaseWrapper, piece: Piece) -> date | None:
    """The newest gaming day of a piece's events; None: it has none. Reads all of it."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT max(gaming_day) FROM partitions.{quote(piece.name)}")  # noqa: S608
        found: date | None = cursor.fetchone()[0]
        return found


def check_place(connection: BaseDatabaseWrapper, tablespace: str) -> None:
    """:raises NotMoved: if there is no such tablespace, or the role may not use it."""
    with connection.cursor() as cursor:
        cursor.execute(PLACE, [tablespace])
        if (may := cursor.fetchone()) is None:
            raise NotMoved(f"There is no tablespace {tablespace}: CREATE TABLESPACE makes one.")
        if may == (False,):
            raise NotMoved(f"This role may not use it: GRANT CREATE ON TABLESPACE {tablespace}.")


def move_back(connection: BaseDatabaseWrapper) -> Iterator[Piece]:
    """Move each piece that is in a tablespace back to the database's own; yield it."""
    for piece in pieces(connection):
        if piece.tablespace:
            move(connection, piece, "")
            yield piece


def move(connection: BaseDatabaseWrapper, piece: Piece, tablespace: str) -> None:
    """
    Copy the rows of a piece to a tablespace, exchange it for the copy, and freeze that.

    :param tablespace: "" for the database's own.
    :raises OperationalError: if somebody reads the part for long; then nothing has changed.
    """
    copy = f"{piece.name}n"
    old, new = f"partitions.{quote(piece.name)}", f"partitions.{quote(copy)}"
    part = f"partitions.{quote(piece.part)}"
    end = "MAXVALUE" if piece.end is None else str(piece.end)
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{WAIT}'")
        cursor.execute(f"LOCK TABLE {old} IN SHARE MODE")
        cursor.execute("SELECT pg_get_partition_constraintdef(%s::regclass)", [old])
        [bound] = cursor.fetchone()
        cursor.execute(
            "SELECT partitions.make(%s::regclass, %s, %s, '{}')", [old, copy, tablespace]
        )
        # Checked row by row as they come in; with it nobody waits while all are read once more.
        cursor.execute(f"ALTER TABLE {new} ADD CONSTRAINT partitions_bound CHECK ({bound})")
        cursor.execute(f"INSERT INTO {new} SELECT * FROM {old}")  # noqa: S608 - our own names
        cursor.execute("SELECT partitions.complete(%s::regclass, %s)", [old, copy])
        cursor.execute(f"LOCK TABLE {part} IN ACCESS EXCLUSIVE MODE")
        cursor.execute(f"ALTER TABLE {part} DETACH PARTITION {old}")
        cursor.execute(f"DROP TABLE {old}")
        cursor.execute(
            f"ALTER TABLE {part} ATTACH PARTITION {new} FOR VALUES FROM ({piece.first}) TO ({end})"
        )
        cursor.execute(f"ALTER TABLE {new} DROP CONSTRAINT partitions_bound")
        _rename(cursor, copy, piece.name)
    with connection.cursor() as cursor:
        cursor.execute(f"VACUUM (FREEZE, ANALYZE) {old}")


def _rename(cursor: CursorWrapper, copy: str, name: str) -> None:
    """Give a copy and its indexes the names that the piece had."""
    cursor.execute(
        "SELECT relname::text FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid"
        " WHERE indrelid = %s::regclass",
        [f"partitions.{quote(copy)}"],
    )
    for (index,) in cursor.fetchall():
        own = quote(index.removesuffix("n"))
        cursor.execute(f"ALTER INDEX partitions.{quote(index)} RENAME TO {own}")
    cursor.execute(f"ALTER TABLE partitions.{quote(copy)} RENAME TO {quote(name)}")


def quote(name: str) -> str:
    return f'"{name}"'
