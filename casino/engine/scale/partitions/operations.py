"""
Partition the tables that only grow, and make plain tables of them again: the plan, and its run.

Each table is rewritten in a transaction of its own, together with its keys, triggers and
privileges, so there is never a table of the ledger that anybody could change. Both directions can
be stopped at any moment and go on from there the next time.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from django.db import transaction

from casino.engine.databases.postgresql import citus
from casino.engine.scale.distribution import operations
from casino.engine.scale.distribution.operations import (
    NotDistributed,
    alone,
    in_use,
    put_guards_back,
)
from ledger import install, partitioned

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.backends.utils import CursorWrapper


# The plan of partitions: which tables have them, how they are now, and what is in the way.
#
# Partitioned are the tables whose rows are written once: three quarters of what an event takes on
# disk (docs/decisions/0093). How a table is now is read from the database's own catalogue, so the
# plan of a run that was stopped says what remains.


PARTS: Final = 16
"""Into how many parts houses are spread, the first time."""
STEP: Final = 1_000_000
"""How many positions of each house go into one piece: a year of ten tables."""

TABLES: Final[dict[str, str | None]] = {
    "ledger_event": "position",
    "ledger_transfer": None,
    "ledger_commandreceipt": None,
    "devices_deviceentry": None,
}
"""
Table -> the column by which its parts are split once more, so that old pieces can go elsewhere.

Of receipts one unique index has to go over all of a house's, because `ledger_append` finds a
repeated command by it; transfers and device entries are a tenth of the bytes.
"""

DISTRIBUTED: Final = (
    "This database is distributed with Citus, where every table of a house is in shards by house"
    " already: manage.py distribute."
)
FOUND: Final = """
    SELECT relkind::text = 'p', pg_total_relation_size(pg_class.oid), (
        SELECT count(*) FROM pg_partition_tree(pg_class.oid) WHERE isleaf)
    FROM pg_class WHERE oid = to_regclass(%s)"""


@dataclass(frozen=True, slots=True)
class Table:
    """
    One table that has partitions, or is to have them.

    :param pieces: how many tables its rows are in. :param size: of a table that has none, in bytes.
    """

    name: str
    range_column: str | None
    partitioned: bool
    pieces: int
    size: int


@dataclass(frozen=True, slots=True)
class Plan:
    """
    :param obstacles: what has to be put right first; each a sentence.
    :param in_use: a sentence, if others are in the database; neither direction goes on then.
    """

    tables: tuple[Table, ...]
    obstacles: tuple[str, ...] = ()
    in_use: str = ""

    @property
    def in_the_way(self) -> tuple[str, ...]:
        return (*self.obstacles, *filter(None, [self.in_use]))


def make_plan(connection: BaseDatabaseWrapper) -> Plan:
    """How tables are now, and what is in the way. Reads only; of PostgreSQL."""
    obstacles = (DISTRIBUTED,) if citus.is_distributed(connection) else ()
    with connection.cursor() as cursor:
        tables = tuple(_find_table(cursor, name, by) for name, by in TABLES.items())
        return Plan(tables, obstacles, in_use(cursor))


def _find_table(cursor: CursorWrapper, name: str, by: str | None) -> Table:
    cursor.execute(FOUND, [name])
    partitioned, size, pieces = cursor.fetchone()
    return Table(name, by, partitioned, pieces if partitioned else 1, size)


# Carrying it out.


SQL: Final = Path(__file__).parent / "sql" / "pieces.sql"
NEW: Final = "partitions_new"

FROZEN: Final = (
    "autovacuum_freeze_min_age=0",
    "autovacuum_vacuum_insert_scale_factor=0",
    "autovacuum_vacuum_insert_threshold=50000",
)
"""
Rows that nobody changes are frozen when they are first vacuumed, which is when there are so many
new ones: no later vacuum reads their pages again.
"""
MAKE: Final = "SELECT partitions.make(%s::regclass, %s, '', %s)"
KEYS: Final = "SELECT * FROM partitions.keys(%s::regclass, %s, '')"
TRIGGERS: Final = "SELECT partitions.triggers(%s::regclass, %s, 'all')"
PRIVILEGES: Final = """
    SELECT format('GRANT %%s ON %%s TO %%s%%s', privilege_type, %s,
        CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END,
        CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
    FROM pg_class, aclexplode(relacl)
    WHERE pg_class.oid = %s::regclass AND grantee <> relowner"""
ANY_PIECE: Final = """
    SELECT relid::text FROM pg_partition_tree(%s::regclass) WHERE isleaf ORDER BY 1 LIMIT 1"""
OPTIONS: Final = """
    SELECT coalesce(array_to_string(ARRAY(
        SELECT option FROM unnest(reloptions) AS option WHERE option <> ALL (%s)), ', '), '')
    FROM pg_class WHERE oid = %s::regclass"""

Step = tuple[Literal["keys", "table", "back"], str]
NotPartitioned = NotDistributed
"""Something is in the way; the message says what, one thing a line."""


def partition(
    connection: BaseDatabaseWrapper, *, parts: int = PARTS, step: int = STEP
) -> Generator[Step]:
    """
    Partition the tables that only grow; yield each step. What is done already is left alone.

    :param parts: into how many parts houses are spread. :param step: positions of a piece.
    :raises NotPartitioned: before anything is changed, with all that is in the way.
    """
    with alone(connection):
        found = make_plan(connection)
        if found.in_the_way:
            raise NotPartitioned("\n".join(found.in_the_way))
        left = [each for each in found.tables if not each.partitioned]
        if left:
            install_functions(connection)
            yield "keys", str(operations.remove_keys(connection, [each.name for each in left]))
        for each in left:
            with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
                _partition(cursor, each, parts, step)
                install.install(connection)  # keys that no index of the whole table holds
            yield "table", each.name
        yield from _finish(connection, left)


def install_functions(connection: BaseDatabaseWrapper) -> None:
    """Make or replace what makes pieces; `install.grant` says who may call for new ones."""
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        cursor.execute("SELECT quote_ident(current_schema())")
        [schema] = cursor.fetchone()
        text = SQL.read_text(encoding="utf-8").replace("{schema}", schema)
        for statement in install.statements(text):
            cursor.execute(statement)


def unpartition(connection: BaseDatabaseWrapper) -> Generator[Step]:
    """
    Make plain tables again; yield each step.

    :raises NotPartitioned: if others are in the database.
    """
    with alone(connection):
        found = make_plan(connection)
        if found.in_the_way:
            raise NotPartitioned("\n".join(found.in_the_way))
        left = [each for each in found.tables if each.partitioned]
        if left:
            yield "keys", str(operations.remove_keys(connection, [each.name for each in left]))
        for each in left:
            with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
                _unpartition(cursor, each)
            yield "table", each.name
        with connection.cursor() as cursor:
            cursor.execute("DROP SCHEMA IF EXISTS partitions CASCADE")
        yield from _finish(connection, left)


def _finish(connection: BaseDatabaseWrapper, moved: list[Table]) -> Iterator[Step]:
    put_guards_back(connection)  # before the keys, whose return says that all guards are there
    for table in operations.put_keys_back(connection):
        yield "back", table
    with connection.cursor() as cursor:
        for each in moved:
            cursor.execute(f'ANALYZE "{each.name}"')  # autovacuum does so for pieces alone


def _partition(cursor: CursorWrapper, table: Table, parts: int, step: int) -> None:
    house = citus.column_of_house(cursor, table.name)
    name, old = table.name, f'"{table.name}"'
    cursor.execute(f"LOCK TABLE {old} IN ACCESS EXCLUSIVE MODE")
    cursor.execute(
        "INSERT INTO partitions.of_table VALUES (%s, %s, %s)",
        [name, table.range_column, step if table.range_column else None],
    )
    like = f"(LIKE {old} INCLUDING ALL EXCLUDING INDEXES)"
    cursor.execute(f'CREATE TABLE {NEW} {like} PARTITION BY HASH ("{house}")')
    pieces = [piece for part in range(parts) for piece in _part(cursor, table, step, part, parts)]
    cursor.execute(f"INSERT INTO {NEW} SELECT * FROM {old}")  # noqa: S608 - our own names
    after = _definitions(cursor, name, name)
    keys = _rows(cursor, KEYS, [name, old])
    again = [
        statement
        for statement, is_unique, columns in keys
        if not is_unique or table.range_column in {None, *columns}
    ]
    cursor.execute(f"ALTER TABLE {old} RENAME TO {NEW}_old")
    cursor.execute(f"ALTER TABLE {NEW} RENAME TO {old}")
    for piece in pieces:
        cursor.execute("SELECT partitions.complete(%s::regclass, %s)", [f"{NEW}_old", piece])
    cursor.execute(f"DROP TABLE {NEW}_old")
    for statement in (*again, *after):
        cursor.execute(statement)


def _part(cursor: CursorWrapper, table: Table, step: int, part: int, parts: int) -> Iterator[str]:
    """Make one part of a table and its pieces; their names, without the schema."""
    name = f"{table.name}_h{part}"
    bound = f"FOR VALUES WITH (MODULUS {parts}, REMAINDER {part})"
    if table.range_column is None:
        cursor.execute(MAKE, [table.name, name, [*FROZEN]])
        cursor.execute(f"ALTER TABLE {NEW} ATTACH PARTITION partitions.{name} {bound}")
        yield name
        return
    cursor.execute(
        f"CREATE TABLE partitions.{name} PARTITION OF {NEW} {bound}"
        f' PARTITION BY RANGE ("{table.range_column}")'
    )
    house = citus.column_of_house(cursor, table.name)
    cursor.execute(
        f'SELECT coalesce(max("{table.range_column}") / %s + 1, 1) FROM "{table.name}"'  # noqa: S608
        f" WHERE satisfies_hash_partition('{NEW}'::regclass, %s, %s, \"{house}\")",
        [step, parts, part],
    )
    [full] = cursor.fetchone()
    for nth in range(full + 1):
        end = str((nth + 1) * step) if nth < full else "MAXVALUE"
        piece = f"{name}_p{nth}"
        cursor.execute(MAKE, [table.name, piece, [*FROZEN]])
        cursor.execute(
            f"ALTER TABLE partitions.{name} ATTACH PARTITION partitions.{piece}"
            f" FOR VALUES FROM ({nth * step}) TO ({end})"
        )
        yield piece


def _unpartition(cursor: CursorWrapper, table: Table) -> None:
    name, old = table.name, f'"{table.name}"'
    cursor.execute(f"LOCK TABLE {old} IN ACCESS EXCLUSIVE MODE")
    [[piece]] = _rows(cursor, ANY_PIECE, [name])
    [[options]] = _rows(cursor, OPTIONS, [[*FROZEN], piece])
    like = f"(LIKE {old} INCLUDING ALL EXCLUDING INDEXES)"
    cursor.execute(f"CREATE TABLE {NEW} {like}" + (f" WITH ({options})" if options else ""))
    cursor.execute(f"INSERT INTO {NEW} SELECT * FROM {old}")  # noqa: S608 - our own names
    keys = [statement for statement, *_ in _rows(cursor, KEYS, [piece, old])]
    if table.range_column:
        partitioned.forget(cursor)
    after = _definitions(cursor, name, name)
    cursor.execute(f"DROP TABLE {old}")
    cursor.execute(f"ALTER TABLE {NEW} RENAME TO {old}")
    for statement in (*keys, *after):
        cursor.execute(statement)
    cursor.execute("DELETE FROM partitions.of_table WHERE name = %s", [name])


def _definitions(cursor: CursorWrapper, source: str, target: str) -> list[str]:
    """The statements that make triggers and privileges of a table on another one."""
    triggers = _rows(cursor, TRIGGERS, [source, f'"{target}"'])
    privileges = _rows(cursor, PRIVILEGES, [f'"{target}"', source])
    return [statement for [statement] in (*triggers, *privileges)]


def _rows(cursor: CursorWrapper, statement: str, values: list[Any]) -> list[tuple[Any, ...]]:
    cursor.execute(statement, values)
    return list(cursor.fetchall())
