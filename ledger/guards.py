"""
What guards the ledger's tables in the database, compared with what the SQL files install.

Whoever owns the tables can change triggers, functions, owners and privileges, and nothing that is
written afterwards shows it. So each is read from the catalogue and held against the text that
installed it. Reads only; a few statements, however many rows there are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS

from ledger import install

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.backends.utils import CursorWrapper

TREE: Final = """
    WITH RECURSIVE tree (root, oid) AS (
        SELECT relname::text, oid FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
            AND relname = ANY (%(tables)s)
        UNION ALL
        SELECT root, inhrelid FROM tree JOIN pg_inherits ON inhparent = tree.oid)"""
"""Tables of the house, and whatever inherits from them: their pieces, if they are in partitions."""

TRIGGERS: Final = f"""{TREE}
    SELECT root, tree.oid::regclass::text, relkind = 'p' AND root <> relname, tgname::text,
        tgenabled::text, coalesce(pg_get_triggerdef(pg_trigger.oid, true), ''),
        CASE WHEN tgisinternal THEN conname::text END
    FROM tree JOIN pg_class ON pg_class.oid = tree.oid
    LEFT JOIN pg_trigger ON tgrelid = tree.oid AND NOT EXISTS (
        SELECT FROM pg_depend JOIN pg_extension ON pg_extension.oid = refobjid
        WHERE classid = 'pg_proc'::regclass AND objid = tgfoid AND deptype = 'e'
            AND extname = 'citus')
    LEFT JOIN pg_constraint ON pg_constraint.oid = tgconstraint
    ORDER BY root, 2, tgname"""  # noqa: S608 - a constant

FUNCTIONS: Final = """
    SELECT proname::text, prosrc, prosecdef, coalesce(proconfig, '{}'), lanname::text,
        pg_get_userbyid(proowner)::text, ARRAY(
            SELECT CASE grantee WHEN 0 THEN '' ELSE pg_get_userbyid(grantee)::text END
            FROM aclexplode(proacl) WHERE grantee <> proowner AND privilege_type = 'EXECUTE')
    FROM pg_proc JOIN pg_language ON pg_language.oid = prolang
    JOIN pg_namespace ON pg_namespace.oid = pronamespace
    WHERE nspname = ANY (current_schemas(true)) AND proname = ANY (%(names)s)"""
"""
Of all schemas in which a call finds a function. One that has no list of privileges, as after a
restore without them, is open to everybody until `migrate` closes it: that nobody has done.
"""

RELATIONS: Final = f"""{TREE}
    SELECT root, tree.oid::regclass::text, pg_get_userbyid(relowner)::text,
        relrowsecurity OR relforcerowsecurity,
        ARRAY(SELECT rulename::text FROM pg_rewrite WHERE ev_class = tree.oid ORDER BY 1),
        ARRAY(
            SELECT DISTINCT CASE grantee WHEN 0 THEN '' ELSE pg_get_userbyid(grantee)::text END
                || ' ' || privilege_type
            FROM (
                SELECT relacl AS list UNION ALL
                SELECT attacl FROM pg_attribute WHERE attrelid = tree.oid AND NOT attisdropped
            ) AS lists, aclexplode(list)
            WHERE grantee <> relowner AND privilege_type <> 'MAINTAIN' ORDER BY 1)
    FROM tree JOIN pg_class ON pg_class.oid = tree.oid ORDER BY root, 2"""  # noqa: S608 - a constant

ROLES: Final = """
    SELECT pg_get_userbyid(relowner)::text,
        coalesce(pg_has_role(runs.oid, relowner, 'MEMBER'), false),
        coalesce(pg_has_role(runs.oid, 'pg_write_all_data', 'MEMBER'), false),
        current_setting('session_replication_role') <> 'origin' OR EXISTS (
            SELECT FROM pg_db_role_setting, unnest(setconfig) AS setting
            WHERE setting ~ '^session_replication_role=(replica|local)'
                AND setrole IN (0, relowner, coalesce(runs.oid, 0)) AND setdatabase IN (
                    0, (SELECT oid FROM pg_database WHERE datname = current_database())))
    FROM pg_class LEFT JOIN pg_roles AS runs ON rolname = %(runs)s AND runs.oid <> relowner
    WHERE pg_class.oid = to_regclass('django_migrations')"""
"""
Who migrates here; whether the role that runs the house, if it is another one, acts as that or
writes whatever it wants; and whether keys and triggers are off in sessions of either.
"""

SQLITE_TRIGGERS: Final = """
    SELECT type, name, lower(tbl_name), sql FROM sqlite_master WHERE type IN ('table', 'trigger')"""
FIRES: Final = {"A": "in every session", "O": "unless rows are replicated"}
"""`pg_trigger.tgenabled`: when a trigger fires that is not switched off."""


@dataclass(frozen=True, slots=True)
class Trigger:
    """A trigger as its statement declares it. :param fires: as `pg_trigger.tgenabled` says it."""

    definition: str
    fires: str = "O"

    @property
    def of_rows(self) -> bool:
        return "for each row" in self.definition


@dataclass(frozen=True, slots=True)
class Function:
    """:param settings: what holds while it runs, as ``search_path=…``; sorted."""

    body: str
    definer: bool
    settings: tuple[str, ...]
    language: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Guards:
    """
    What must be there.

    :param triggers: by table and name. :param functions: by name; none on SQLite.
    """

    triggers: Mapping[tuple[str, str], Trigger]
    functions: Mapping[str, Function] = field(default_factory=dict)

    def __or__(self, other: Guards) -> Guards:
        return Guards(
            triggers={**self.triggers, **other.triggers},
            functions={**self.functions, **other.functions},
        )


@dataclass(frozen=True, slots=True)
class FoundGuard:
    """
    A trigger that stands on a table; or what PostgreSQL does for a key there.

    :param key: of which; None: it is a trigger.
    """

    name: str
    fires: str
    definition: str
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """
    What is wrong with triggers of a table.

    :param trigger: the one that is not as it must be, as ``table.name``; "": another one.
    :param absent: whether it does not fire at all.
    """

    says: str
    trigger: str = ""
    absent: bool = False


# --- What the files install ------------------------------------------------------------

CREATES_TRIGGER: Final = re.compile(
    r"^CREATE OR REPLACE (TRIGGER (\w+) .*? ON (\w+)\s.*?);$", re.MULTILINE | re.DOTALL
)
ENABLES: Final = re.compile(
    r"^ALTER TABLE (\w+) ENABLE\s+(ALWAYS )?\s*TRIGGER (\w+);", re.MULTILINE
)
CREATES_FUNCTION: Final = re.compile(
    r"^CREATE OR REPLACE FUNCTION (\w+)\(.*?\) (RETURNS .*?)\sAS \$\$(.*?)\$\$;",
    re.MULTILINE | re.DOTALL,
)
SETTING: Final = re.compile(r"\bSET (\w+) = (.+?)(?=\s+SET |\s*$|\n)", re.MULTILINE)
ALTERS_FUNCTION: Final = re.compile(r"^ALTER FUNCTION (\w+) (SET \w+ = .+?);", re.MULTILINE)
EVENTS: Final = re.compile(r"\b(?:insert|update|delete|truncate)(?: or \w+)+")


def of_postgresql(text: str) -> Guards:
    """What statements for PostgreSQL install, each name filled in."""
    fires = {(table, name): "A" if always else "O" for table, always, name in ENABLES.findall(text)}
    later = ALTERS_FUNCTION.findall(text)
    return Guards(
        triggers={
            (table, name): Trigger(_definition(whole), fires.get((table, name), "O"))
            for whole, name, table in CREATES_TRIGGER.findall(text)
        },
        functions={
            name: _function(" ".join([head, *(sets for of, sets in later if of == name)]), body)
            for name, head, body in CREATES_FUNCTION.findall(text)
        },
    )


def of_sqlite(statements: Mapping[str, str]) -> Guards:
    """:param statements: name of a trigger -> its CREATE statement, as sqlite_master stores it."""
    return Guards(
        triggers={
            (re.findall(r" ON (\w+)", statement)[0], name): Trigger(statement)
            for name, statement in statements.items()
        }
    )


def _function(head: str, body: str) -> Function:
    sets = sorted(f"{name}={value.strip()}" for name, value in SETTING.findall(head))
    [language] = re.findall(r"\bLANGUAGE (\w+)", head)
    return Function(body, "SECURITY DEFINER" in head, tuple(sets), language)


def _definition(text: str) -> str:
    """A trigger's statement without what may be written otherwise: quotes, brackets, its table."""
    text = re.sub(r"^(CREATE )?(CONSTRAINT )?TRIGGER \S+", "", text)
    text = re.sub(r" ON \S+(?=\s)", " ", text)
    text = " ".join(re.sub(r"[()]", " ", re.sub(r"[\"']", "", text)).lower().split())
    return EVENTS.sub(lambda found: " or ".join(sorted(found[0].split(" or "))), text)


def guards_of_database(connection: BaseDatabaseWrapper) -> Guards:
    """The triggers and functions of the ledger that are installed in this database."""
    if connection.vendor != "postgresql":
        return of_sqlite(install.sqlite_triggers())
    with connection.cursor() as cursor:
        return of_postgresql(install.statements_here(cursor))


# --- What the database has ------------------------------------------------------------


def differences(
    connection: BaseDatabaseWrapper, expected: Guards, tables: Collection[str]
) -> Iterator[str]:
    """
    Each guard that is not as it was installed, as a sentence; none if all are.

    :param tables: the tables that are looked at; on them nothing may stand that is not expected.
    """
    with connection.cursor() as cursor:
        yield from (each.says for each in of_triggers(cursor, expected, tables))
        if connection.vendor == "postgresql":
            runs = settings.DATABASES[DEFAULT_DB_ALIAS].get("USER") or ""
            cursor.execute(ROLES, {"runs": runs})
            owner, acts_as_owner, writes_all, off = cursor.fetchone()
            if acts_as_owner:
                yield f"{runs}, which runs the house, may act as {owner}, who owns it."
            if writes_all:
                yield f"{runs}, which runs the house, may write all tables."
            if off:
                yield "Sessions begin with session_replication_role: foreign keys are not enforced."
            yield from _of_functions(cursor, expected.functions, owner, runs)
            yield from _of_relations(cursor, tables, owner)


def names_that_differ(cursor: CursorWrapper, expected: Guards) -> list[str]:
    """The names of triggers (with their tables) and functions that are not as they must be."""
    wrong = [each.trigger for each in of_triggers(cursor, expected, ()) if each.trigger]
    there = _functions(cursor, expected.functions)
    return list(dict.fromkeys(wrong)) + [
        name
        for name, function in expected.functions.items()
        if [found for found, _owner, _callers in there.get(name, [])] != [function]
    ]


def of_triggers(
    cursor: CursorWrapper, expected: Guards, tables: Collection[str]
) -> Iterator[Difference]:
    """
    What is wrong with triggers; of a table that is not there, nothing.

    :param tables: tables that are looked at besides those that have triggers.
    """
    wanted: dict[str, dict[str, Trigger]] = {}
    for (table, name), trigger in expected.triggers.items():
        wanted.setdefault(table, {})[name] = trigger
    of = _on_postgresql if cursor.db.vendor == "postgresql" else _on_sqlite
    for root, table, in_between, there in of(cursor, {*tables, *wanted}):
        here = wanted.get(root, {})
        if in_between:
            # A part of a table has no rows, and its pieces refuse what is addressed to it: triggers
            # of statements are on pieces and on the whole table (`ledger.partitioned`).
            here = {name: trigger for name, trigger in here.items() if trigger.of_rows}
        yield from _of_table(table, here, there)


Found = tuple[str, str, bool, list[FoundGuard]]
"""A table of the house, the one of its tree that is looked at, whether in between; what stands."""


def _on_postgresql(cursor: CursorWrapper, tables: Collection[str]) -> Iterator[Found]:
    cursor.execute(TRIGGERS, {"tables": [*tables]})
    for (root, table, in_between), rows in groupby(cursor.fetchall(), itemgetter(0, 1, 2)):
        standing = [
            FoundGuard(name, fires, _definition(text), key)
            for _root, _table, _between, name, fires, text, key in rows
            if name is not None
        ]
        yield root, table, in_between, standing


def _on_sqlite(cursor: CursorWrapper, tables: Collection[str]) -> Iterator[Found]:
    cursor.execute(SQLITE_TRIGGERS)
    rows = cursor.fetchall()
    for table in sorted({on for kind, _name, on, _sql in rows if kind == "table"} & {*tables}):
        standing = [
            FoundGuard(name, "O", sql)
            for kind, name, on, sql in rows
            if kind == "trigger" and on == table
        ]
        yield table, table, False, standing


def _of_table(
    table: str, wanted: Mapping[str, Trigger], standing: list[FoundGuard]
) -> Iterator[Difference]:
    there = {each.name: each for each in standing}
    for name, trigger in wanted.items():
        full, begins = f"{table}.{name}", f"Trigger {name} on {table}"
        if (found := there.get(name)) is None:
            yield Difference(f"{begins} is missing.", full, absent=True)
            continue
        if found.fires == "D":
            yield Difference(f"{begins} is off.", full, absent=True)
        elif found.fires != trigger.fires:
            yield Difference(f"{begins} does not fire {FIRES[trigger.fires]}.", full)
        if found.definition != trigger.definition:
            yield Difference(f"{begins} is another one: {' '.join(found.definition.split())}", full)
    for each in standing:
        if each.key is None and each.name not in wanted:
            yield Difference(f"A trigger that is not ours stands on {table}: {each.name}.")
        elif each.key is not None and each.fires == "D":
            yield Difference(f"The key {each.key} of {table} is not enforced: its trigger is off.")


def _functions(
    cursor: CursorWrapper, names: Collection[str]
) -> dict[str, list[tuple[Function, str, list[str]]]]:
    """Name -> each function of that name, its owner, and who else may call it ("": everybody)."""
    cursor.execute(FUNCTIONS, {"names": [*names]})
    there: dict[str, list[tuple[Function, str, list[str]]]] = {}
    for name, body, definer, config, language, owner, callers in cursor.fetchall():
        found = Function(body, definer, tuple(sorted(config)), language)
        there.setdefault(name, []).append((found, owner, callers))
    return there


def _of_functions(
    cursor: CursorWrapper, expected: Mapping[str, Function], owner: str, runs: str
) -> Iterator[str]:
    there = _functions(cursor, expected)
    for name, function in expected.items():
        if not there.get(name):
            yield f"Function {name} is missing."
        if len(there.get(name, ())) > 1:
            yield f"There are several functions called {name}."
        for found, belongs, callers in there.get(name, ()):
            if found.body != function.body:
                yield f"Function {name} has another body."
            elif found != function:
                yield f"Function {name} runs with other rights or settings."
            if belongs != owner:
                yield f"Function {name} belongs to {belongs}, not to {owner}."
            if name in install.FUNCTIONS:
                for caller in {*callers} - {runs or None}:
                    yield f"{caller or 'Everybody'} may call {name}."


def _of_relations(cursor: CursorWrapper, tables: Collection[str], owner: str) -> Iterator[str]:
    cursor.execute(RELATIONS, {"tables": [*tables]})
    for root, table, belongs, row_security, rules, granted in cursor.fetchall():
        if belongs != owner:
            yield f"{table} belongs to {belongs}, not to {owner}."
        if row_security:
            yield f"Row security is on for {table}: it hides rows."
        for rule in rules:
            yield f"A rule that is not ours stands on {table}: {rule}."
        more: dict[str, list[str]] = {}
        for role, privilege in (each.rsplit(" ", 1) for each in granted):
            if privilege not in install.table_rights(root):
                more.setdefault(role, []).append(privilege)
        for role, privileges in more.items():
            yield f"{role or 'Everybody'} may {', '.join(privileges)} {table}."
