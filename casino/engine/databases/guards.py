"""
The guards of the database: append-only tables, and everything that guards the ledger, compared with
what the project installs (triggers, functions, owners, privileges, constraints).

Whoever owns the tables can take a guard away, and hashes do not show it before somebody has used
the gap. So it is looked at by itself, before anything else: in each verification, whose findings
health tells, by `migrate`, and when the house starts.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

from django.apps import apps
from django.core.checks import CheckMessage, Error
from django.db import DEFAULT_DB_ALIAS, connections, transaction

from casino.engine.databases import migrated
from ledger import install
from ledger.checking.findings import Finding
from ledger.constraints import BY_HAND
from ledger.guards import TREE
from ledger.install import statements

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from django.apps import AppConfig
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.backends.utils import CursorWrapper

    from ledger.guards import Guards

CHECK: Final = "guard"
"""The word of such findings."""
PAUSE: Final = 5.0
"""Seconds until a verification looks again."""
MIGRATING: Final = "A migration is running: the database's guards are compared once it has ended."
MOVING: Final = """
    SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'distribution'),
        NOT coalesce(has_table_privilege(to_regclass('partitions.of_table'), 'SELECT'), true)"""
"""
Whether foreign keys are off (casino/engine/scale/distribution/operations.py); and whether who asks
may not see how large pieces are, which `migrate` of an earlier version did not grant.
"""


def compare(alias: str = DEFAULT_DB_ALIAS, *, pause: float = 0) -> tuple[list[str], str]:
    """
    Each guard that is not as this version installs it, as a sentence; and a sentence why they
    cannot be compared now, "" if they can. Reads only.

    Nothing is said of what a migration is about to make: while one runs they are not compared. What
    differs is looked at twice: while pieces of tables are made one look may see half of them.

    :param pause: seconds between both.
    """
    connection = connections[alias]
    found: list[str] = []
    for is_second in (False, True):
        with migrated.no_migration(connection) as is_still:
            if reason := not_compared(connection) if is_still else MIGRATING:
                return [], reason
            seen = _differences(connection)
        found = [each for each in seen if each in found or not is_second]
        if not found:
            break
        if not is_second:
            time.sleep(pause)
    return found, ""


def differences(alias: str = DEFAULT_DB_ALIAS) -> list[str]:
    """As `compare` finds them; none if they cannot be compared."""
    found, _reason = compare(alias)
    return found


def not_compared(connection: BaseDatabaseWrapper) -> str:
    """
    A sentence if the database's guards are those of another version than this program, as while
    one is being installed, or are off for a while; "" if they can be compared.
    """
    if migrated.migrations_had(connection) != migrated.on_disk():
        return "The database has other migrations than this version: its guards are not compared."
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(MOVING)
            moving, may_not_look = cursor.fetchone()
        if moving:
            return (
                "Foreign keys are off while tables move: the database's guards are not compared"
                " before partition or distribute has come to its end."
            )
        if may_not_look or install.is_of_another_version(connection):
            return (
                "The ledger's functions are those of another version: its guards are not compared."
                " Start this program again, or run migrate."
            )
    return ""


def absent_triggers(connection: BaseDatabaseWrapper) -> list[str]:
    """
    A sentence for each trigger of this version that is missing or off, also in a database of
    another one, whose triggers may have been others.
    """
    from ledger import guards  # noqa: PLC0415 - as below

    with connection.cursor() as cursor:
        found = guards.of_triggers(cursor, _guards_of_project(connection), ())
        return [each.says for each in found if each.absent]


def _guards_of_project(connection: BaseDatabaseWrapper) -> Guards:
    from ledger import guards  # noqa: PLC0415 - only who compares needs it

    expected = guards.guards_of_database(connection)
    for each in WRITTEN_ONCE:
        expected |= each.expected(connection)
    return expected


def _differences(connection: BaseDatabaseWrapper) -> list[str]:
    # IMPORT-GONE
    from ledger import guards  # noqa: PLC0415

    tables = constraints_of_models(connection.alias).keys()
    return [
        *guards.differences(connection, _guards_of_project(connection), tables),
        *differences_of_constraints(connection),
    ]


def findings(says: Iterable[str]) -> list[Finding]:
    return [Finding(check=CHECK, says=each) for each in says]


def check_database(
    *, databases: Sequence[str] | None = None, **_rest: object
) -> list[CheckMessage]:
    """System check: ``check --database default`` fails if a guard is not as it was installed."""
    return [
        Error(each, hint="docs/how-to/verify.md says what to do.", id="integrity.E002")
        for alias in databases or ()
        if "ledger_checkpoint" in connections[alias].introspection.table_names()
        for each in differences(alias)
    ]


# Constraints that the database has, compared with those that models declare: NOT NULL, CHECK,
# UNIQUE, PRIMARY KEY and FOREIGN KEY, of every table.
#
# What is declared is what Django's schema editor would make of the models. What is there is read
# from the catalogue. Both are taken to words, as each database writes the same condition in its own
# way; brackets are left out, since only their number differs. Names do not matter, nor does what a
# database has besides.


Words = tuple[str, ...]

COMMENT: Final = r"--[^\n]*|/\*.*?(?:\*/|$)"
TOKEN: Final = re.compile(
    rf"""{COMMENT}|'(?:[^']|'')*'|"[^"]+"|[\w$]+|[(),\[\]]|[^\s\w"'(),\[\];]+""", re.DOTALL
)
CAST: Final = re.compile(
    r"::(?:character varying|timestamp with(?:out)? time zone|double precision|text|bytea|uuid|date"
    r"|(?:small|big)int|integer|numeric|boolean|jsonb|interval)(?:\([\d,]+\))?(?:\[\])*(?![\w.])"
)
NEGATIVE: Final = re.compile(r"'(-\d+)'(?=::(?:small|big)?int)")
WRITTEN_OTHERWISE: Final[tuple[tuple[Words, Words], ...]] = (
    (("=", "any", "array"), ("in",)),
    (("<>", "all", "array"), ("not", "in")),
)
"""How PostgreSQL writes what was written behind it."""

KEPT: Final = 4096  # texts whose words are remembered: they hardly ever change
ON_POSTGRESQL: Final = f"""{TREE}
    SELECT root, tree.oid::regclass::text, root = relname, relkind = 'r', conname::text, definition
    FROM tree JOIN pg_class ON pg_class.oid = tree.oid, LATERAL (
        SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE conrelid = tree.oid AND contype IN ('c', 'u', 'p', 'f', 'x')
        UNION ALL
        SELECT '', pg_get_indexdef(indexrelid) FROM pg_index
        WHERE indrelid = tree.oid AND indisunique AND indisvalid AND indislive
        UNION ALL
        SELECT '', 'NOT NULL ' || attname FROM pg_attribute
        WHERE attrelid = tree.oid AND attnotnull AND attnum > 0
    ) AS found (conname, definition)"""  # noqa: S608 - a constant
ON_SQLITE: Final = """
    SELECT tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL AND type IN ('table', 'index')"""


@dataclass(frozen=True, slots=True)
class Constraint:
    """:param name: "" if none was given. :param words: what it says, kind first."""

    name: str
    words: Words

    def __str__(self) -> str:
        return f"{' '.join(self.words)}" + (f" ({self.name})" if self.name else "")


def differences_of_constraints(connection: BaseDatabaseWrapper) -> Iterator[str]:
    """Each declared constraint that the database lacks, as a sentence; none if it has all."""
    wanted = constraints_of_models(connection.alias)
    with connection.cursor() as cursor:
        found = there(connection, cursor, wanted)
    for table in sorted(wanted):
        if table not in found:
            yield f"Table {table} is missing."
            continue
        has = Counter(each.words for each in found[table])
        named = {each.name: each for each in found[table] if each.name}
        for each in wanted[table]:
            if has[each.words]:
                continue
            other = named.get(each.name)
            says = "is missing" if other is None else f"is another one: {' '.join(other.words)}"
            yield f"Constraint of {table} {says}: {each}."


@cache
def constraints_of_models(alias: str) -> Mapping[str, tuple[Constraint, ...]]:
    """Table -> the constraints that its model declares, as this database would be made of them."""
    connection = connections[alias]
    editor = connection.SchemaEditorClass(connection, collect_sql=True, atomic=False)
    editor.deferred_sql = []
    models = [
        each
        for each in apps.get_models(include_auto_created=True)
        if each._meta.managed and not each._meta.proxy  # noqa: SLF001 - documented Meta API
    ]
    for each in models:
        if not each._meta.auto_created:  # noqa: SLF001 - made with the model that has it
            editor.create_model(each)
    by_hand = BY_HAND if connection.vendor == "postgresql" else ()
    return of_statements([*editor.collected_sql, *map(str, editor.deferred_sql), *by_hand])


def there(
    connection: BaseDatabaseWrapper, cursor: CursorWrapper, tables: Collection[str]
) -> dict[str, list[Constraint]]:
    """Table -> the constraints that it has."""
    if connection.vendor != "postgresql":
        cursor.execute(ON_SQLITE)
        statements = [sql for table, sql in cursor.fetchall() if table in tables]
        return {table: [*each] for table, each in of_statements(statements).items()}
    cursor.execute(ON_POSTGRESQL, {"tables": [*tables]})
    of_piece: dict[str, dict[str, list[Constraint]]] = {}
    found: dict[str, list[Constraint]] = {}
    for root, table, is_root, has_rows, name, text in cursor.fetchall():
        made = Constraint(name or "", of_definition(text))
        if is_root:
            found.setdefault(root, []).append(made)
        elif has_rows:
            of_piece.setdefault(root, {}).setdefault(table, []).append(made)
    for root, pieces in of_piece.items():
        # What every piece has is held for the rows of the table, whether or not it is one of it.
        first, *others = ({each.words for each in has} for has in pieces.values())
        found[root] += [Constraint("", words) for words in first.intersection(*others)]
    return found


# --- Statements of SQL, in words ------------------------------------------------------------------


def of_statements(statements: Iterable[str]) -> dict[str, tuple[Constraint, ...]]:
    """Table -> what CREATE TABLE, ALTER TABLE and CREATE UNIQUE INDEX put on it, in their order."""
    found: dict[str, list[Constraint]] = {}
    for statement in statements:
        table, made = of_creation(statement)
        if table:
            found.setdefault(table, []).extend(made)
            continue
        match tokens(statement):
            case ["alter", "table", table, *inside]:
                for part in _parts([*inside, ")"]):
                    _alter(found.setdefault(table, []), part)
    return {table: tuple(each) for table, each in found.items()}


@lru_cache(maxsize=KEPT)
def of_creation(statement: str) -> tuple[str, tuple[Constraint, ...]]:
    """The table of CREATE TABLE or CREATE UNIQUE INDEX, and what is put on it; "": another one."""
    match tokens(statement):
        case ["create", "table", table, "(", *inside]:
            return table, tuple(made for part in _parts(inside) for made in _of_part(table, part))
        case ["create", "unique", "index", name, "on", table, *_]:
            return table, (Constraint(name, words_of(_without_place(statement))),)
        case _:
            return "", ()


@lru_cache(maxsize=KEPT)
def of_definition(text: str) -> Words:
    """What a constraint or an index of PostgreSQL says, as its catalogue writes it."""
    return words_of(_without_place(text))


def tokens(text: str) -> list[str]:
    """Words, numbers, quoted texts, brackets and signs; no casts or comments."""
    found = TOKEN.findall(CAST.sub("", NEGATIVE.sub(r"\1", text)))
    return [
        each if each[0] == "'" else each.strip('"').lower()
        for each in found
        if not each.startswith(("--", "/*"))
    ]


def words_of(text: str | Sequence[str]) -> Words:
    """What stands in a text, in one way of writing it, without brackets and commas."""
    read = tokens(text) if isinstance(text, str) else text
    words = tuple(each for each in read if each not in {"(", ")", ",", "[", "]"})
    if "array" in words:
        for theirs, ours in WRITTEN_OTHERWISE:
            words = _replace(words, theirs, ours)
    return words


def _replace(words: Words, old: Words, new: Words) -> Words:
    for at in range(len(words) - len(old), -1, -1):
        if words[at : at + len(old)] == old:
            words = words[:at] + new + words[at + len(old) :]
    return words


def _without_place(text: str) -> str:
    """A unique index as a constraint would say it; any other text as it is."""
    return re.sub(r"^CREATE UNIQUE INDEX .*? ON (?:ONLY )?\S+(?: USING btree)? ", "UNIQUE ", text)


def _parts(inside: Sequence[str]) -> Iterator[list[str]]:
    """What stands between commas, up to the bracket that ends it."""
    part: list[str] = []
    depth = 0
    for each in inside:
        depth += {"(": 1, ")": -1}.get(each, 0)
        if depth < 0:
            break
        if each == "," and not depth:
            yield part
            part = []
        else:
            part.append(each)
    yield part


def _of_part(table: str, part: list[str]) -> Iterator[Constraint]:
    """The constraints of a column's definition, or the one that a definition of its own makes."""
    match part:
        case ["constraint", name, *rest]:
            yield Constraint(name, words_of(rest))
        case ["unique" | "check" | "primary" | "foreign", *_]:
            yield Constraint("", words_of(part))
        case [column, *rest]:
            yield from _of_column(table, column, rest)


def _of_column(table: str, column: str, rest: list[str]) -> Iterator[Constraint]:
    if "conflict" in rest:
        return  # of SQLite: ON CONFLICT says that what is not allowed is not refused
    for at, outside in _outside_brackets(rest):
        behind = rest[at + 1 :]
        match outside:
            case "not" if behind[:1] == ["null"]:
                yield Constraint("", ("not", "null", column))
            case "unique":
                yield Constraint(f"{table}_{column}_key", ("unique", column))
            case "primary":
                yield Constraint(f"{table}_pkey", ("primary", "key", column))
                yield Constraint("", ("not", "null", column))
            case "check":
                condition = next(_parts(behind[1:]))
                yield Constraint(f"{table}_{column}_check", words_of(["check", *condition]))
            case "references":
                target = words_of(behind)
                yield Constraint("", ("foreign", "key", column, "references", *target))


def _outside_brackets(part: list[str]) -> Iterator[tuple[int, str]]:
    depth = 0
    for at, each in enumerate(part):
        if not depth and each != "(":
            yield at, each
        depth += {"(": 1, ")": -1}.get(each, 0)


def _alter(found: list[Constraint], part: list[str]) -> None:
    match part:
        case ["drop", "constraint", name, *_]:
            found[:] = [each for each in found if each.name != name]
        case ["add", "constraint", name, *rest]:
            found.append(Constraint(name, words_of(rest)))


# Append-only tables: rows can be added, and the database lets nobody change or delete one.
#
# A migration installs the triggers, and they are checked after every migrate, as the ledger's are:
# when Django rebuilds a table on SQLite, it drops triggers silently. Each table has a folder with
# one file of SQL for each database.


WRITTEN_ONCE: Final[list[WrittenOnce]] = []
"""Every table besides the ledger's that has triggers, once its app is ready."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenOnce:
    """
    One append-only table and its triggers.

    :param sql: the folder with ``postgresql.sql`` and ``sqlite.sql``.
    :param installing: a number unique to the table: the advisory lock under which one process
        installs.
    """

    table: str
    sql: Path
    installing: int

    def __post_init__(self) -> None:
        WRITTEN_ONCE.append(self)

    def after_migrate(
        self, sender: AppConfig, *, using: str = DEFAULT_DB_ALIAS, **_rest: Any
    ) -> None:
        """Handle `post_migrate` of the table's app, for one database. Idempotent and quiet."""
        del sender
        connection = connections[using]
        if self.table in connection.introspection.table_names():
            self.install(connection)

    def install(self, connection: BaseDatabaseWrapper) -> None:
        """Install the triggers that are missing."""
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                # Lock first: processes that run the same DDL at once make each other fail.
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [self.installing])
                if self.missing(connection):
                    for statement in statements((self.sql / "postgresql.sql").read_text()):
                        cursor.execute(statement)
                return
            for trigger in self.missing(connection):
                cursor.execute(f'DROP TRIGGER IF EXISTS "{trigger}"')
                cursor.execute(self.sqlite_triggers()[trigger])

    def missing(self, connection: BaseDatabaseWrapper) -> list[str]:
        """The names of triggers that are absent, switched off or of another version."""
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                from ledger import guards  # noqa: PLC0415 - an embedded house needs none of it

                return guards.names_that_differ(cursor, self.expected(connection))
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            there = dict(cursor.fetchall())
            return [name for name, sql in self.sqlite_triggers().items() if there.get(name) != sql]

    def expected(self, connection: BaseDatabaseWrapper) -> Guards:
        """The triggers and functions that are installed in this database."""
        from ledger import guards  # noqa: PLC0415 - to compare, which is seldom done

        if connection.vendor == "postgresql":
            return guards.of_postgresql((self.sql / "postgresql.sql").read_text())
        return guards.of_sqlite(self.sqlite_triggers())

    def sqlite_triggers(self) -> dict[str, str]:
        """Map each trigger's name to its CREATE statement, as sqlite_master stores it."""
        text = (self.sql / "sqlite.sql").read_text()
        found = re.findall(r"^CREATE TRIGGER \w+ .*?^END(?=;$)", text, re.MULTILINE | re.DOTALL)
        return {statement.split()[2]: statement for statement in found}
