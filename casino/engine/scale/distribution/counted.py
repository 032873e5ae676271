"""
Tables that count their rows up: Citus copies them to every server, and never takes them back.

`undistribute_table` refuses tables with identity columns. They are Django's own and small, so such
a table is made anew, with the rows, the keys and the count it had.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import transaction

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.backends.utils import CursorWrapper

IDENTITY: Final = """
    SELECT attname::text, pg_get_serial_sequence(attrelid::regclass::text, attname)
    FROM pg_attribute
    WHERE attrelid = to_regclass(%s) AND attidentity <> '' AND NOT attisdropped"""
CONSTRAINTS: Final = """
    SELECT format('ALTER TABLE %%s ADD CONSTRAINT %%I %%s',
                  conrelid::regclass, conname, pg_get_constraintdef(oid))
    FROM pg_constraint
    WHERE conrelid = to_regclass(%s) AND contype IN ('p', 'u', 'c', 'x') ORDER BY contype DESC"""
INDEXES: Final = """
    SELECT pg_get_indexdef(indexrelid) FROM pg_index
    WHERE indrelid = to_regclass(%s)
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)"""
NEW: Final = "distribution_new"


def counts(cursor: CursorWrapper, table: str) -> bool:
    """Whether a table has an identity column."""
    cursor.execute(IDENTITY, [table])
    return cursor.fetchone() is not None


def remake(connection: BaseDatabaseWrapper, table: str) -> None:
    """Make a copied table anew on this server alone. Its foreign keys are off (`removed`)."""
    quoted = connection.ops.quote_name(table)
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        cursor.execute(IDENTITY, [table])
        column, sequence = cursor.fetchone()
        again = [*_column(cursor, CONSTRAINTS, table), *_column(cursor, INDEXES, table)]
        left_out = "EXCLUDING INDEXES EXCLUDING CONSTRAINTS"  # they come back with their names
        cursor.execute(f"CREATE TABLE {NEW} (LIKE {quoted} INCLUDING ALL {left_out})")
        cursor.execute(f"INSERT INTO {NEW} OVERRIDING SYSTEM VALUE SELECT * FROM {quoted}")  # noqa: S608
        cursor.execute(f"DROP TABLE {quoted}")
        cursor.execute(f"ALTER TABLE {NEW} RENAME TO {quoted}")
        name = connection.ops.quote_name(sequence.rpartition(".")[2].strip('"'))
        cursor.execute(f"ALTER SEQUENCE {NEW}_{column}_seq RENAME TO {name}")
        for statement in again:
            cursor.execute(statement)
        counted = connection.ops.quote_name(column)
        cursor.execute(
            f"SELECT setval(%s, max({counted})) FROM {quoted} HAVING max({counted}) IS NOT NULL",  # noqa: S608
            [sequence],
        )


def _column(cursor: CursorWrapper, statement: str, table: str) -> list[str]:
    cursor.execute(statement, [table])
    return [str(found) for (found,) in cursor.fetchall()]
