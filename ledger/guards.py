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
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS

from ledger import install

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

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
        coalesce(conname::text, ''), tgisinternal, EXISTS (
            SELECT FROM pg_depend JOIN pg_extension ON pg_extension.oid = refobjid
            WHERE classid = 'pg_proc'::regclass AND objid = tgfoid AND deptype = 'e'
                AND extname = 'citus')
    FROM tree JOIN pg_class ON pg_class.oid = tree.oid
    LEFT JOIN pg_trigger ON tgrelid = tree.oid
    LEFT JOIN pg_constraint ON pg_constraint.oid = tgconstraint
    ORDER BY root, 2, tgname"""  # noqa: S608 - a constant

FUNCTIONS: Final = """
    SELECT proname::text, prosrc, prosecdef, coalesce(proconfig, '{}'), lanname::text,
        pg_get_userbyid(proowner)::text, ARRAY(
            SELECT CASE grantee WHEN 0 THEN '' ELSE pg_get_userbyid(grantee)::text END
            FROM aclexplode(coalesce(proacl, acldefault('f', proowner)))
            WHERE grantee <> proowner AND privilege_type = 'EXECUTE')
    FROM pg_proc JOIN pg_language ON pg_language.oid = prolang
    WHERE pronamespace = current_schema()::regnamespace AND proname = ANY (%(names)s)"""

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
            WHERE grantee <> relowner ORDER BY 1)
    FROM tree JOIN pg_class ON pg_class.oid = tree.oid ORDER BY root, 2"""  # noqa: S608 - a constant

OWNER: Final = """
    SELECT pg_get_userbyid(relowner)::text, coalesce((
        SELECT pg_has_role(pg_roles.oid, relowner, 'MEMBER') FROM pg_roles
        WHERE rolname = %(runs)s AND pg_roles.oid <> relowner), false)
    FROM pg_class WHERE oid = to_regclass('django_migrations')"""
"""Who migrates here, and whether the role that runs the house is another one that acts as this."""

SQLITE_TRIGGERS: Final = """
    SELECT type, name, tbl_name, sql FROM sqlite_master WHERE type IN ('table', 'trigger')"""
ABSENT: Final = (" is missing.", " is off.")
"""How the sentence of a trigger ends that does not fire at all."""

FIRES: Final = {"A": "in every session", "O": "unless rows are replicated", "R": "", "D": ""}
"""`pg_trigger.tgenabled`: when a trigger fires."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Rights:
    """
    Who may do what on PostgreSQL.

    :param runs: the role that runs the house; it may call `functions`, and besides the owner nobody
        else may. :param of: the privileges that anybody but the owner may have on a table.
    """

    runs: str
    functions: Collection[str]
    of: Callable[[str], Collection[str]]


# --- What the files install ------------------------------------------------------------

CREATES_TRIGGER: Final = re.compile(
    r"^CREATE OR REPLACE (TRIGGER (\w+) .*? ON (\w+)\s.*?);$", re.MULTILINE | re.DOTALL
)
ENABLES: Final = re.compile(
    r"^ALTER TABLE (\w+) ENABLE\s+(ALWAYS )?\s*TRIGGER (\w+);", re.MULTILINE
)
CREATES_FUNCTION: Final = re.compile(
    r"^CREATE OR REPLACE FUNCTION (\w+)\((.*?)\) RETURNS (.*?)\sAS \$\$(.*?)\$\$;",
    re.MULTILINE | re.DOTALL,
)
SETTING: Final = re.compile(r"\bSET (\w+) = (.+?)(?=\s+SET |\s*$|\n)", re.MULTILINE)
ALTERS_FUNCTION: Final = re.compile(r"^ALTER FUNCTION (\w+) SET (\w+) = (.+?);", re.MULTILINE)
EVENTS: Final = re.compile(r"\b(?:insert|update|delete|truncate)(?: or \w+)+")


def of_postgresql(text: str) -> Guards:
    """What statements for PostgreSQL install, each name filled in."""
    fires = {(table, name): "A" if always else "O" for table, always, name in ENABLES.findall(text)}
    later: dict[str, list[str]] = {}
    for name, setting, value in ALTERS_FUNCTION.findall(text):
        later.setdefault(name, []).append(f"{setting}={value}")
    return Guards(
        triggers={
            (table, name): Trigger(_definition(whole), fires.get((table, name), "O"))
            for whole, name, table in CREATES_TRIGGER.findall(text)
        },
        functions={
            name: _function(head, body, later.get(name, []))
            for name, _arguments, head, body in CREATES_FUNCTION.findall(text)
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


def _function(head: str, body: str, later: list[str]) -> Function:
    settings = [f"{name}={value.strip()}" for name, value in SETTING.findall(head)]
    [language] = re.findall(r"\bLANGUAGE (\w+)", head)
    return Function(body, "SECURITY DEFINER" in head, tuple(sorted(settings + later)), language)


def _definition(text: str) -> str:
    """A trigger's statement without what may be written otherwise: quotes, brackets, its table."""
    text = re.sub(r"^(CREATE )?(OR REPLACE )?(CONSTRAINT )?TRIGGER \S+", "", text)
    text = re.sub(r" ON \S+(?=\s)", " ", text)
    text = " ".join(re.sub(r"[()]", " ", re.sub(r"[\"']", "", text)).lower().split())
    return EVENTS.sub(lambda found: " or ".join(sorted(found[0].split(" or "))), text)


def installed(connection: BaseDatabaseWrapper) -> Guards:
    """The triggers and functions of the ledger that are installed in this database."""
    if connection.vendor != "postgresql":
        return of_sqlite(install.sqlite_triggers())
    with connection.cursor() as cursor:
        return of_postgresql(install.statements_here(cursor))


def granted() -> Rights:
    """What `install.grant` grants."""
    runs = settings.DATABASES[DEFAULT_DB_ALIAS].get("USER") or ""
    return Rights(runs=runs, functions=install.FUNCTIONS, of=install.table_rights)


# --- What the database has ------------------------------------------------------------


def differences(
    connection: BaseDatabaseWrapper, expected: Guards, tables: Collection[str], rights: Rights
) -> Iterator[str]:
    """
    Each guard that is not as it was installed, as a sentence; none if all are.

    :param tables: the tables that are looked at; on them nothing may stand that is not expected.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            yield from _of_triggers(cursor, expected, tables)
            owner, acts_as_owner = _owner(cursor, rights)
            if acts_as_owner:
                yield f"{rights.runs}, which runs the house, may act as {owner}, who owns it."
            yield from _of_functions(cursor, expected.functions, owner, rights)
            yield from _of_relations(cursor, tables, owner, rights)
        else:
            yield from _of_sqlite_triggers(cursor, expected, tables)


def absent_triggers(connection: BaseDatabaseWrapper, expected: Guards) -> list[str]:
    """
    A sentence for each trigger that is missing or switched off, whatever text it should have: for a
    database of another version. A table that is not there lacks none.
    """
    of = _of_triggers if connection.vendor == "postgresql" else _of_sqlite_triggers
    with connection.cursor() as cursor:
        return [each for each in of(cursor, expected, ()) if each.endswith(ABSENT)]


def changed_functions(cursor: CursorWrapper, expected: Mapping[str, Function]) -> list[str]:
    """The names of functions that are absent, or are not as they were installed."""
    there = _functions(cursor, expected)
    return [
        name
        for name, function in expected.items()
        if [found for found, _owner, _callers in there.get(name, [])] != [function]
    ]


def _of_sqlite_triggers(
    cursor: CursorWrapper, expected: Guards, tables: Collection[str]
) -> Iterator[str]:
    cursor.execute(SQLITE_TRIGGERS)
    rows = cursor.fetchall()
    has = {table for kind, _name, table, _sql in rows if kind == "table"}
    there = {(table, name): sql for kind, name, table, sql in rows if kind == "trigger"}
    for (table, name), trigger in expected.triggers.items():
        if table not in has:
            continue
        if (table, name) not in there:
            yield f"Trigger {name} on {table} is missing."
        elif there[table, name] != trigger.definition:
            yield f"Trigger {name} on {table} is another one."
    for table, name in there:
        if table in tables and (table, name) not in expected.triggers:
            yield f"A trigger that is not ours stands on {table}: {name}."


def _of_triggers(cursor: CursorWrapper, expected: Guards, tables: Collection[str]) -> Iterator[str]:
    wanted: dict[str, dict[str, Trigger]] = {}
    for (table, name), trigger in expected.triggers.items():
        wanted.setdefault(table, {})[name] = trigger
    cursor.execute(TRIGGERS, {"tables": [*{*tables, *wanted}]})
    for (root, table, in_between), rows in groupby(cursor.fetchall(), itemgetter(0, 1, 2)):
        here = wanted.get(root, {})
        if in_between:
            # A part of a table has no rows, and its pieces refuse what is addressed to it: triggers
            # of statements are on pieces and on the whole table (`ledger.partitioned`).
            here = {name: trigger for name, trigger in here.items() if trigger.of_rows}
        yield from _of_table(table, here, [row[3:] for row in rows])


def _of_table(
    table: str, wanted: Mapping[str, Trigger], rows: list[tuple[Any, ...]]
) -> Iterator[str]:
    there = {name: (fires, text) for name, fires, text, *_rest in rows}
    for name, trigger in wanted.items():
        if name not in there:
            yield f"Trigger {name} on {table} is missing."
            continue
        fires, text = there[name]
        if fires == "D":
            yield f"Trigger {name} on {table} is off."
        elif fires != trigger.fires:
            yield f"Trigger {name} on {table} does not fire {FIRES[trigger.fires]}."
        if _definition(text) != trigger.definition:
            yield f"Trigger {name} on {table} is another one: {text}"
    for name, fires, _text, constraint, internal, of_citus in rows:
        if name is None or name in wanted or of_citus:
            continue
        if not internal:
            yield f"A trigger that is not ours stands on {table}: {name}."
        elif fires == "D":
            yield f"The key {constraint} of {table} is not enforced: its trigger is off."


def _owner(cursor: CursorWrapper, rights: Rights) -> tuple[str, bool]:
    cursor.execute(OWNER, {"runs": rights.runs})
    owner, acts_as_owner = cursor.fetchone()
    return owner, acts_as_owner


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
    cursor: CursorWrapper, expected: Mapping[str, Function], owner: str, rights: Rights
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
            if name in rights.functions:
                for caller in {*callers} - {rights.runs or None}:
                    yield f"{caller or 'Everybody'} may call {name}."


def _of_relations(
    cursor: CursorWrapper, tables: Collection[str], owner: str, rights: Rights
) -> Iterator[str]:
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
            if privilege not in rights.of(root):
                more.setdefault(role, []).append(privilege)
        for role, privileges in more.items():
            yield f"{role or 'Everybody'} may {', '.join(privileges)} {table}."
