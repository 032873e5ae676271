"""
The plan of a distribution: what is placed where, what will be, and what is in the way.

Everything is read from the database's own catalogues, so the plan of a half-distributed house says
what remains.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from casino.engine.databases.postgresql import citus, sessions
from ledger.conflicts import count_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.backends.utils import CursorWrapper


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


def plan(connection: BaseDatabaseWrapper) -> Plan:
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
    while others := sessions.others(cursor):
        if time.monotonic() >= ends:
            break
        time.sleep(0.1)
    if not others:
        return ""
    return (
        f"{count_of(others, 'other session is', 'other sessions are')} in this database: stop"
        " web, workers and beat first, because keys are off while rows move."
    )
