"""
What is off while rows move: foreign keys, remembered in the database until they are back.

A table that refers to another one cannot be distributed before it, and some refer to each other in
a circle. So all foreign keys go first and come back last. What is off stands in a table of its own,
written in the transaction that removes it: whatever stops in between, the next run puts it back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.backends.utils import CursorWrapper

REMEMBERED = "distribution.removed_key"
MAKE = f"""
    CREATE SCHEMA IF NOT EXISTS distribution;
    CREATE TABLE IF NOT EXISTS {REMEMBERED} (
        of_table text NOT NULL, name text NOT NULL, definition text NOT NULL,
        PRIMARY KEY (of_table, name))"""
REMOVE = f"""
    INSERT INTO {REMEMBERED}
    SELECT quote_ident(relname), quote_ident(conname), pg_get_constraintdef(pg_constraint.oid)
    FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
    WHERE contype = 'f' AND conparentid = 0 AND relnamespace = current_schema()::regnamespace
        AND (%(tables)s::text[] IS NULL OR conrelid::regclass::text = ANY (%(tables)s)
            OR confrelid::regclass::text = ANY (%(tables)s))
    RETURNING of_table, name"""  # noqa: S608 - names of our own


def remove(connection: BaseDatabaseWrapper, tables: Sequence[str] | None = None) -> int:
    """
    Take foreign keys off and remember them, in one transaction. Return how many.

    :param tables: only keys from or to these; None: all.
    """
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        cursor.execute(MAKE)
        cursor.execute(REMOVE, {"tables": None if tables is None else [*tables]})
        keys = cursor.fetchall()
        for table, name in keys:
            cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
        return len(keys)


def count_keys_off(cursor: CursorWrapper) -> int:
    """How many foreign keys are off."""
    cursor.execute("SELECT to_regclass(%s)", [REMEMBERED])
    if cursor.fetchone() == (None,):
        return 0
    cursor.execute(f"SELECT count(*) FROM {REMEMBERED}")  # noqa: S608 - our own name
    return int(cursor.fetchone()[0])


def put_back(connection: BaseDatabaseWrapper) -> Iterator[str]:
    """
    Put the foreign keys back, each in a transaction of its own; yield the names of their tables.

    The database checks each against the rows that are there. What remembered them goes at last.
    """
    with connection.cursor() as cursor:
        if not count_keys_off(cursor):
            return
        cursor.execute(f"SELECT * FROM {REMEMBERED} ORDER BY of_table, name")  # noqa: S608
        keys = cursor.fetchall()
    for table, name, definition in keys:
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            cursor.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}")
            cursor.execute(
                f"DELETE FROM {REMEMBERED} WHERE of_table = %s AND name = %s",  # noqa: S608
                [table, name],
            )
        yield table
    with connection.cursor() as cursor:
        cursor.execute("DROP SCHEMA distribution CASCADE")
