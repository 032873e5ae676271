"""
What a database is made of, object by object, in lines that can be compared.

Tables come by name, columns in their order, all else sorted. What belongs to a table is indented
below it. Functions and triggers of SQLite stand with the hash of their text, which is in the
project's SQL files. Who may do what is not told: names of roles are each house's own.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.backends.base.base import BaseDatabaseWrapper

WRITTEN_BY_DJANGO: Final = ("django_migrations", "django_content_type", "auth_permission")
"""Tables that have rows after every migrate."""


def described(connection: BaseDatabaseWrapper) -> list[str]:
    """Reads only. PostgreSQL 15 to 18 say the same of the same database."""
    told = postgresql(connection) if connection.vendor == "postgresql" else sqlite(connection)
    return [*told, *rows(connection)]


def rows(connection: BaseDatabaseWrapper) -> Iterator[str]:
    """What migrations left in the tables of a house that has not begun."""
    for table in sorted(connection.introspection.table_names()):
        if table not in WRITTEN_BY_DJANGO:
            quoted = connection.ops.quote_name(table)
            for row in asked(connection, f"SELECT * FROM {quoted}"):  # noqa: S608 - a name
                yield f"row of {table}: {row}"


# --- PostgreSQL ----------------------------------------------------------------------------------

HERE: Final = "current_schema()::regnamespace"

OF_TABLES: Final = {
    "column": """
        SELECT attrelid, attname, concat_ws(' ', format_type(atttypid, atttypmod),
            CASE WHEN attcollation <> typcollation
                THEN 'COLLATE ' || attcollation::regcollation END,
            CASE WHEN attnotnull THEN 'NOT NULL' END,
            'DEFAULT ' || pg_get_expr(adbin, adrelid),
            'IDENTITY ' || nullif(attidentity::text, ''),
            'GENERATED ' || nullif(attgenerated::text, ''))
        FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
            LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE attnum > 0 AND NOT attisdropped ORDER BY attnum""",
    # NOT NULL is a constraint with a name from PostgreSQL 18 on; the column tells of it.
    "constraint": """
        SELECT conrelid, conname, concat_ws(' ', pg_get_constraintdef(oid, true),
            CASE WHEN NOT convalidated THEN 'NOT VALIDATED' END)
        FROM pg_constraint WHERE contype <> 'n' ORDER BY conname""",
    "index": """
        SELECT indrelid, relname, concat_ws(' ', pg_get_indexdef(indexrelid, 0, true),
            array_to_string(reloptions, ', '), CASE WHEN NOT indisvalid THEN 'NOT VALID' END)
        FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid ORDER BY relname""",
    # By a letter: A fires always, O unless rows come from a replica, D never.
    "trigger": """
        SELECT tgrelid, tgname, concat_ws(' ', pg_get_triggerdef(oid, true), tgenabled)
        FROM pg_trigger WHERE NOT tgisinternal ORDER BY tgname""",
    "rule": """
        SELECT ev_class, rulename, pg_get_ruledef(oid, true) FROM pg_rewrite ORDER BY rulename""",
    "comment": """
        SELECT objoid, objsubid, description FROM pg_description
        WHERE classoid = 'pg_class'::regclass ORDER BY objsubid""",
}

TABLES: Final = f"""
    SELECT oid, relname, concat_ws(' ', CASE relkind WHEN 'r' THEN 'table' WHEN 'p' THEN
        'partitioned table' WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view'
        ELSE relkind::text END, relname, CASE WHEN relpersistence <> 'p' THEN 'unlogged' END,
        array_to_string(reloptions, ', '), CASE WHEN relrowsecurity THEN 'ROW SECURITY' END)
    FROM pg_class WHERE relnamespace = {HERE} AND relkind NOT IN ('i', 'I', 'S', 't')
    ORDER BY relname"""  # noqa: S608 - a constant

FUNCTIONS: Final = f"""
    SELECT concat_ws(' ', 'function', proname || '(' || pg_get_function_arguments(pg_proc.oid) ||
        ') returns', pg_get_function_result(pg_proc.oid), 'language', lanname, prokind, provolatile,
        proparallel, CASE WHEN proisstrict THEN 'STRICT' END,
        CASE WHEN prosecdef THEN 'SECURITY DEFINER' END,
        array_to_string(proconfig, '; ')), prosrc, obj_description(pg_proc.oid, 'pg_proc')
    FROM pg_proc JOIN pg_language ON pg_language.oid = prolang WHERE pronamespace = {HERE}
    ORDER BY proname, 1"""  # noqa: S608 - a constant

OTHERS: Final = (
    f"""
    SELECT concat_ws(' ', 'sequence', pg_class.relname, format_type(seqtypid, NULL), 'from',
        seqstart, 'by', seqincrement, 'to', seqmax, CASE WHEN seqcycle THEN 'CYCLE' END, 'of',
        refobjid::regclass, deptype)
    FROM pg_sequence JOIN pg_class ON pg_class.oid = seqrelid
        LEFT JOIN pg_depend ON objid = seqrelid AND classid = 'pg_class'::regclass
            AND refclassid = 'pg_class'::regclass
    WHERE relnamespace = {HERE} ORDER BY pg_class.relname""",  # noqa: S608 - a constant
    # Each table makes a type of its rows, and each type one of its arrays.
    f"""
    SELECT concat_ws(' ', 'type', typname, typtype, format_type(typbasetype, typtypmod))
    FROM pg_type WHERE typnamespace = {HERE} AND typtype NOT IN ('c', 'b')
    ORDER BY typname""",  # noqa: S608 - a constant
    "SELECT 'extension ' || extname FROM pg_extension ORDER BY extname",
)


def postgresql(connection: BaseDatabaseWrapper) -> Iterator[str]:
    of_tables: dict[int, list[str]] = {}
    for kind, statement in OF_TABLES.items():
        for table, name, told in asked(connection, statement):
            of_tables.setdefault(table, []).append(f"  {kind} {name}: {told}")
    for oid, _, told in asked(connection, TABLES):
        yield told
        yield from of_tables.get(oid, ())
    for told, source, comment in asked(connection, FUNCTIONS):
        yield f"{told} text {hashed(source)} comment {comment}"
    for statement in OTHERS:
        for (told,) in asked(connection, statement):
            yield told


# --- SQLite --------------------------------------------------------------------------------------

SQLITE_TABLES: Final = """
    SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
    ORDER BY name"""

OF_A_TABLE: Final = """
    SELECT type, name, sql FROM sqlite_master
    WHERE tbl_name = %s AND type <> 'table' AND sql IS NOT NULL ORDER BY type, name"""


def sqlite(connection: BaseDatabaseWrapper) -> Iterator[str]:
    """
    By the text of its statements, which is all that SQLite goes by.

    Where a column came later its definition stands behind the constraints; here all columns come
    first.
    """
    for table, text in asked(connection, SQLITE_TABLES):
        inside, options = text.partition("(")[2].rsplit(")", 1)
        parts = [spaced(part) for part in split(inside)]
        yield f"table {table}{options}"
        yield from (f"  column {part}" for part in parts if not constrains(part))
        yield from sorted(f"  {part}" for part in parts if constrains(part))
        for kind, name, sql in asked(connection, OF_A_TABLE, [table]):
            yield f"  {kind} {name}: {hashed(sql) if kind == 'trigger' else spaced(sql)}"
    for name, sql in asked(connection, "SELECT name, sql FROM sqlite_master WHERE type = 'view'"):
        yield f"view {name}: {spaced(sql)}"


def split(inside: str) -> Iterator[str]:
    """The definitions of a table: at the commas that stand in no brackets and no quotes."""
    part, depth = "", 0
    for token in re.findall(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|.", inside, re.DOTALL):
        depth += {"(": 1, ")": -1}.get(token, 0)
        if token == "," and not depth:
            yield part
            part = ""
        else:
            part += token
    yield part


def constrains(part: str) -> bool:
    return part.startswith(("CONSTRAINT ", "PRIMARY KEY", "UNIQUE", "CHECK", "FOREIGN KEY"))


def spaced(text: str) -> str:
    return " ".join(text.split())


# --- Both ----------------------------------------------------------------------------------------


def asked(
    connection: BaseDatabaseWrapper, statement: str, values: list[str] | None = None
) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())


def hashed(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]
