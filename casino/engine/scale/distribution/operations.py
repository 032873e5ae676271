"""
Distribute a database by house, and bring it back to one server.

Each table moves in a transaction of its own, together with its triggers, so there is never a table
of the ledger that anybody could change. Both directions can be stopped at any moment and go on from
there the next time.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Literal

from django.db import transaction

from casino.engine.databases.append_only import WRITTEN_ONCE
from casino.engine.databases.postgresql import citus
from casino.engine.scale.distribution import removed
from casino.engine.scale.distribution.plan import NO_EXTENSION, Kind, plan
from ledger import install

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.backends.utils import CursorWrapper

SHARDS: Final = 32
"""
Into how many shards the houses go: the most servers that a chain can have without splitting one.
"""
WORKING: Final = 0x6469_7374  # "dist": the advisory lock under which one process distributes
POOLED: Final = (
    "A pooler in transaction mode keeps no session for this. Name the database past the pooler:"
    " DATABASE_OWNER_URL and --database owner."
)
TRIGGERS = """
    SELECT quote_ident(tgname), pg_get_triggerdef(oid) FROM pg_trigger
    WHERE tgrelid = to_regclass(%s) AND NOT tgisinternal AND tgname !~ '^truncate_trigger_'"""
FUNCTION = """
    SELECT pg_proc.oid::regprocedure::text, EXISTS (
        SELECT FROM pg_dist_object
        WHERE objid = pg_proc.oid AND distribution_argument_index IS NOT NULL)
    FROM pg_proc
    WHERE proname = %s AND pronamespace = current_schema()::regnamespace"""

Step = tuple[Literal["keys", "table", "function", "back"], str]


class NotDistributed(RuntimeError):  # noqa: N818 - names the fact
    """Something is in the way; the message says what, one thing a line."""


def distribute(connection: BaseDatabaseWrapper, *, shards: int = SHARDS) -> Iterator[Step]:
    """
    Distribute the tables of houses by house and copy all others to every server; yield each step.

    What is done already is left alone.

    :param shards: into how many shards, the first time.
    :raises NotDistributed: before anything is changed, with all that is in the way.
    """
    with alone(connection):
        found = plan(connection)
        if in_the_way := [*found.obstacles, *filter(None, [found.in_use])]:
            raise NotDistributed("\n".join(in_the_way))
        if found.left:
            yield "keys", str(removed.remove(connection))
        for each in found.left:
            with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
                if each.now is Kind.MANAGED:
                    cursor.execute("SELECT undistribute_table(%s)", [each.table])
                with _triggers_off(cursor, each.table):
                    citus.place(cursor, each.table, shards=shards)
            yield "table", each.table
        put_guards_back(connection)
        for function in delegate(connection):
            yield "function", function
        for table in removed.put_back(connection):
            yield "back", table


def undistribute(connection: BaseDatabaseWrapper) -> Iterator[Step]:
    """
    Bring every table back to the server that is connected to; yield each step.

    :raises NotDistributed: if this database has no Citus, or others are in it.
    """
    with alone(connection):
        found = plan(connection)
        if not found.extension or found.in_use:
            raise NotDistributed(found.in_use or NO_EXTENSION)
        away = [each for each in found.places if each.now is not Kind.HERE]
        if away:
            yield "keys", str(removed.remove(connection))
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            for function in install.FUNCTIONS:  # they come back with the guards
                cursor.execute(f"DROP FUNCTION IF EXISTS {function}")
        for each in sorted(away, key=lambda each: each.table == citus.ANCHOR):
            with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
                if counts(cursor, each.table):
                    remake(connection, each.table)
                else:
                    with _triggers_off(cursor, each.table):
                        cursor.execute("SELECT undistribute_table(%s)", [each.table])
            yield "table", each.table
        put_guards_back(connection)  # before the keys, whose return says that all guards are there
        for table in removed.put_back(connection):
            yield "back", table


@contextmanager
def alone(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """A block that only one process is in, by a lock of the session."""
    if getattr(connection, "shares_sessions", False):
        raise NotDistributed(POOLED)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [WORKING])
        if cursor.fetchone() == (False,):
            raise NotDistributed("Another process distributes this database just now.")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [WORKING])


@contextmanager
def _triggers_off(cursor: CursorWrapper, table: str) -> Iterator[None]:
    """
    A block of a transaction in which a table has no triggers, so that rows which move fire none.

    A transfer that fired would be booked a second time.
    """
    cursor.execute(TRIGGERS, [table])
    triggers = cursor.fetchall()
    quoted = f'"{table}"'
    for name, _definition in triggers:
        cursor.execute(f"DROP TRIGGER {name} ON {quoted}")
    yield
    for _name, definition in triggers:
        cursor.execute(definition)


def delegate(connection: BaseDatabaseWrapper) -> list[str]:
    """
    Have the ledger's functions run on the server where their house is; the names of the new ones.

    They must, because they run with the rights of their owner: the same transaction writes
    projections as the role that runs the house, and Citus gives each role a connection of its own.
    And the lock of a house is one of the server that it is on.
    """
    return [each for each in install.FUNCTIONS if _is_delegated(connection, each)]


def _is_delegated(connection: BaseDatabaseWrapper, function: str) -> bool:
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        cursor.execute(FUNCTION, [function])
        found = cursor.fetchone()
        if found is None or found[1]:
            return False
        cursor.execute(
            "SELECT create_distributed_function(%s::regprocedure, 'p_establishment',"
            " colocate_with := %s, force_delegation := true)",
            [found[0], citus.ANCHOR],
        )
        return True


def put_guards_back(connection: BaseDatabaseWrapper) -> None:
    """Put back what guards append-only tables, as after every migrate."""
    install.install(connection)
    for each in WRITTEN_ONCE:
        each.install(connection)


# Tables that count their rows up: Citus copies them to every server, and never takes them back.
#
# `undistribute_table` refuses tables with identity columns. They are Django's own and small, so
# such a table is made anew, with the rows, the keys and the count it had.


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
