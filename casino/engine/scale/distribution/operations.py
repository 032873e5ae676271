"""
Distribute a database by house, and bring it back to one server: the plan, and carrying it out.

Each table moves in a transaction of its own, together with its triggers, so there is never a table
of the ledger that anybody could change. Both directions can be stopped at any moment and go on from
there the next time.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Literal

from django.db import transaction

from casino.engine.databases import sessions
from casino.engine.databases.guards import WRITTEN_ONCE
from casino.engine.databases.postgresql import citus
from ledger import install
from ledger.conflicts import count_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
        found = make_plan(connection)
        if in_the_way := [*found.obstacles, *filter(None, [found.in_use])]:
            raise NotDistributed("\n".join(in_the_way))
        if found.left:
            yield "keys", str(remove_keys(connection))
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
        for table in put_keys_back(connection):
            yield "back", table


def undistribute(connection: BaseDatabaseWrapper) -> Iterator[Step]:
    """
    Bring every table back to the server that is connected to; yield each step.

    :raises NotDistributed: if this database has no Citus, or others are in it.
    """
    with alone(connection):
        found = make_plan(connection)
        if not found.extension or found.in_use:
            raise NotDistributed(found.in_use or NO_EXTENSION)
        away = [each for each in found.places if each.now is not Kind.HERE]
        if away:
            yield "keys", str(remove_keys(connection))
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
        for table in put_keys_back(connection):
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


# What is off while rows move: foreign keys, remembered in the database until they are back.
#
# A table that refers to another one cannot be distributed before it, and some refer to each other
# in a circle. So all foreign keys go first and come back last. What is off stands in a table of its
# own, written in the transaction that removes it: whatever stops in between, the next run puts it
# back.


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


def remove_keys(connection: BaseDatabaseWrapper, tables: Sequence[str] | None = None) -> int:
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


def put_keys_back(connection: BaseDatabaseWrapper) -> Iterator[str]:
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


# The plan of a distribution: what is placed where, what will be, and what is in the way.
#
# Everything is read from the database's own catalogues, so the plan of a half-distributed house
# says what remains.


class Kind(StrEnum):
    """How the rows of a table are placed."""

    HERE = "on one server"
    DISTRIBUTED = "by house"
    REFERENCE = "a copy on every server"
    MANAGED = "on one server, with foreign keys to copies"
    """Citus makes a plain table such a one if it refers to a reference table."""


KINDS = {"h": Kind.DISTRIBUTED, "r": Kind.REFERENCE, "l": Kind.MANAGED}

TABLES = """
    SELECT relname::text, {kind}
    FROM pg_class
    WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace
        AND NOT relispartition
        AND NOT EXISTS (
            SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
    ORDER BY relname"""
KIND = """coalesce((
        SELECT CASE WHEN partmethod = 'h' THEN 'h' WHEN repmodel = 't' THEN 'r' ELSE 'l' END
        FROM pg_dist_partition WHERE logicalrelid = pg_class.oid), '')"""

UNKEYED = """
    SELECT indrelid::regclass::text, indexrelid::regclass::text FROM pg_index
    JOIN pg_class ON pg_class.oid = indrelid
    WHERE indisunique AND relnamespace = current_schema()::regnamespace AND NOT EXISTS (
        SELECT FROM pg_attribute WHERE attrelid = indrelid AND attnum = ANY (indkey::int2[])
            AND attname = ANY (%s))"""

NODES = """
    SELECT nodename, nodeport FROM pg_dist_node
    WHERE isactive AND noderole = 'primary' AND shouldhaveshards ORDER BY nodename, nodeport"""

LEAVES: Final = 2.0  # seconds that a session has to leave the database
PLUGINS = "output_plugin_libraries"
SETTINGS = {
    "citus.enable_unsafe_triggers": ("on", "the ledger's guards are triggers"),
    "citus.multi_shard_modify_mode": (
        "sequential",
        "the append function runs in transactions that may have asked all servers before",
    ),
    PLUGINS: ("citus", "houses move by logical replication"),
    "synchronous_commit": (
        "on",
        "a house that moves would lose what was acknowledged last: it is not in the log yet",
    ),
    "wal_level": ("logical", "houses move to another server while they play"),
}
"""What every server must have set, or in its list, and why."""


@dataclass(frozen=True, slots=True)
class Place:
    """One table: how it is placed, and how it will be."""

    table: str
    now: Kind
    then: Kind
    column: str | None = None

    @property
    def done(self) -> bool:
        return self.now is self.then


@dataclass(frozen=True, slots=True)
class Plan:
    """
    :param places: every table, the ledger's events first.
    :param nodes: the servers that hold houses: host and port.
    :param obstacles: what has to be put right first; each a sentence.
    :param in_use: a sentence, if others are in the database; neither direction goes on then.
    """

    places: tuple[Place, ...]
    nodes: tuple[tuple[str, int], ...] = ()
    obstacles: tuple[str, ...] = ()
    in_use: str = ""

    @property
    def extension(self) -> bool:
        """Whether the database has Citus at all."""
        return NO_EXTENSION not in self.obstacles

    @property
    def left(self) -> tuple[Place, ...]:
        return tuple(each for each in self.places if not each.done)


def make_plan(connection: BaseDatabaseWrapper) -> Plan:
    """What is placed where, what is to be, and what is in the way. Reads only."""
    with connection.cursor() as cursor:
        extension = citus.there(cursor)
        places = tuple(_places(cursor, KIND if extension else "''"))
        if not extension:
            return Plan(places, obstacles=(NO_EXTENSION,))
        cursor.execute(NODES)
        nodes = tuple(cursor.fetchall())
        obstacles = (
            *_servers(cursor, nodes), *_keys_without_house(cursor, places), *_partitions(cursor),
        )  # fmt: skip
        return Plan(places, nodes, obstacles, in_use(cursor))


NO_EXTENSION = (
    "This database has no Citus: as its superuser, CREATE EXTENSION citus, here and in a database"
    " of the same name on every other server, then citus_set_coordinator_host and citus_add_node"
    " (docs/scale/distribution.md)."
)


def _places(cursor: CursorWrapper, kind: str) -> Iterator[Place]:
    cursor.execute(TABLES.format(kind=kind))
    found = [(table, KINDS.get(kind, Kind.HERE)) for table, kind in cursor.fetchall()]
    for table, now in sorted(found, key=lambda each: (each[0] != citus.ANCHOR, each[0])):
        if table in citus.LOCAL:
            continue
        column = citus.column_of_house(cursor, table)
        yield Place(table, now, Kind.DISTRIBUTED if column else Kind.REFERENCE, column)


def _servers(cursor: CursorWrapper, nodes: tuple[tuple[str, int], ...]) -> Iterator[str]:
    if not nodes:
        yield "No server is to hold houses: citus_add_node says which (docs/scale/distribution.md)."
    for setting, (value, why) in SETTINGS.items():
        asked = _read(setting)
        cursor.execute(asked)
        found = [("this server", cursor.fetchone()[0])]
        cursor.execute(
            "SELECT nodename || ':' || nodeport, result FROM run_command_on_workers(%s)"
            " JOIN pg_dist_node USING (nodename, nodeport)",
            [asked],
        )
        for server, has in (*found, *cursor.fetchall()):
            if not _fits(setting, has or "", value):
                wrong = f"{server} has {setting} = {has or 'nothing'}"
                yield f"{wrong}: it takes {value}, because {why}."


def _read(setting: str) -> str:
    """The statement that reads a setting; of `PLUGINS`, which not every role may see, nothing."""
    if setting == PLUGINS:
        return f"SELECT (SELECT setting FROM pg_settings WHERE name = '{setting}')"  # noqa: S608
    return f"SELECT current_setting('{setting}', true)"


def _fits(setting: str, has: str, value: str) -> bool:
    """
    Whether a server's setting will do; "" where its version does not have it, or where a role may
    not see it.
    """
    if setting == PLUGINS and not has:
        return True
    if setting == "synchronous_commit":
        return has != "off"
    return value in has.replace(" ", "").split(",")


def _keys_without_house(cursor: CursorWrapper, places: tuple[Place, ...]) -> Iterator[str]:
    """What no distributed table can have: a unique index that does not say the house."""
    split = {each.table for each in places if each.then is Kind.DISTRIBUTED}
    cursor.execute(UNKEYED, [list(citus.HOUSE)])
    for table, index in cursor.fetchall():
        if table in split:
            yield f"{index} of {table} is unique over all houses, which no server could see alone."


def _partitions(cursor: CursorWrapper) -> Iterator[str]:
    cursor.execute(
        "SELECT relname::text FROM pg_class"
        " WHERE relkind = 'p' AND relnamespace = current_schema()::regnamespace"
        " AND NOT relispartition ORDER BY relname"
    )
    if tables := ", ".join(table for (table,) in cursor.fetchall()):
        yield f"{tables}: in partitions, where shards take their place: manage.py partition --undo."


def in_use(cursor: CursorWrapper) -> str:
    """A sentence, if others are in this database; who only looks at something has gone by then."""
    ends = time.monotonic() + LEAVES
    while others := sessions.other_sessions(cursor):
        if time.monotonic() >= ends:
            break
        time.sleep(0.1)
    if not others:
        return ""
    return (
        f"{count_of(others, 'other session is', 'other sessions are')} in this database: stop"
        " web, workers and beat first, because keys are off while rows move."
    )
