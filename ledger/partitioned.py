"""
The ledger's guards where its tables are in partitions (PostgreSQL, casino/engine/scale/partitions).

A trigger of rows on a partitioned table is on each of its pieces by itself; one of statements is
not, and guards what is addressed to the whole table alone. So each piece has its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.db.backends.utils import CursorWrapper

PARTITIONED = """
    SELECT EXISTS (
        SELECT FROM pg_class WHERE oid = to_regclass('ledger_event') AND relkind = 'p'
            AND to_regclass('partitions.of_table') IS NOT NULL)"""
STEP = "SELECT step FROM partitions.of_table WHERE name = 'ledger_event'"
PIECES = """
    SELECT pg_class.oid::regclass::text, tree.relid::regclass::text
    FROM pg_class, pg_partition_tree(oid) AS tree
    WHERE relkind = 'p' AND relnamespace = current_schema()::regnamespace AND isleaf"""


def is_in_pieces(cursor: CursorWrapper) -> bool:
    """Whether `ledger_event` is in pieces."""
    cursor.execute(PARTITIONED)
    return bool(cursor.fetchone()[0])


def step(cursor: CursorWrapper) -> int | None:
    """How many positions of a house a piece of `ledger_event` has; None: it is one table."""
    if not is_in_pieces(cursor):
        return None
    cursor.execute(STEP)
    return int(cursor.fetchone()[0])


def guard(cursor: CursorWrapper) -> None:
    """Put the triggers of statements onto each piece."""
    cursor.execute(PIECES)
    for table, piece in cursor.fetchall():
        cursor.execute("SELECT partitions.triggers(%s::regclass, %s, 'statements')", [table, piece])
        for (statement,) in cursor.fetchall():
            cursor.execute(statement)


def grant(cursor: CursorWrapper, role: str) -> None:
    """Let the role that runs the house call for new pieces, and see how large they are to be."""
    if step(cursor) is None:
        return
    cursor.execute(f"GRANT USAGE ON SCHEMA partitions TO {role}")
    cursor.execute(f"GRANT SELECT ON partitions.of_table TO {role}")
    cursor.execute(f"GRANT EXECUTE ON FUNCTION partitions.open_next() TO {role}")


def forget(cursor: CursorWrapper) -> None:
    """Take away what partitioned.sql installed, before `ledger_event` is one table again."""
    cursor.execute("DROP FUNCTION IF EXISTS ledger_check_once() CASCADE")
    cursor.execute("ALTER FUNCTION ledger_append RESET plan_cache_mode")
