"""
Installs triggers, functions and grants after every migrate, and checks for them before writing.

Migrations alone cannot keep triggers: when Django rebuilds an SQLite table, it silently drops them.
"""

import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from ledger import partitioned
from ledger.accounts import PLAYERS_MONEY
from ledger.storage import Unguarded

SQL = Path(__file__).parent / "sql"
APPEND_ONLY = ("ledger_event", "ledger_transfer", "ledger_commandreceipt", "ledger_account")
"""
Tables that the runtime role may only read. The function `ledger_append`, which belongs to the owner
of the tables, writes them.
"""

INSERT_ONLY = ("ledger_tile", "ledger_checkpoint")
"""
Tables to which the runtime role may add rows: anybody may hash, and signing takes a secret key.
"""

LISTED = "ledger_unread"
"""
A house that is on the list for nothing costs a look, so the runtime role may put it there. Only the
function `ledger_rest` takes it off.
"""

FUNCTIONS = ("ledger_append", "ledger_rest")
"""What the runtime role may call, with the rights of the owner of the tables."""

SEQUENCE_RIGHTS = ("USAGE", "SELECT")
INSTALLING = 0x6C65_6467_6572  # "ledger": the advisory lock under which one process installs
LEAF_HASH = "ledger_event_leaf_hash"  # the CHECK made by the first migration


def after_migrate(sender: AppConfig, *, using: str = DEFAULT_DB_ALIAS, **_rest: Any) -> None:
    """Handler of this app's `post_migrate`, for any database alias. Idempotent and quiet."""
    del sender
    connection = connections[using]
    if "ledger_checkpoint" in connection.introspection.table_names():
        install(connection)


def install(connection: BaseDatabaseWrapper) -> None:
    """Install what is missing; on PostgreSQL also grant the runtime role what it needs."""
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # The lock first: processes that run the same DDL at once make each other fail.
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [INSTALLING])
            if missing(connection):
                _install_on_postgresql(cursor)
            for function in FUNCTIONS:  # a restored database has no privileges, so anybody may call
                cursor.execute(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
            if (role := runtime_role(connection)) is not None:
                grant(connection, role)
            return
        for trigger in missing(connection):
            cursor.execute(f'DROP TRIGGER IF EXISTS "{trigger}"')
            cursor.execute(sqlite_triggers()[trigger])


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """Guards of the ledger that are absent, switched off or of another version. Reads only."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            return _missing_on_postgresql(cursor)
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        there = dict(cursor.fetchall())
        return [name for name, sql in sqlite_triggers().items() if there.get(name) != sql]


def is_of_another_version(connection: BaseDatabaseWrapper) -> bool:
    """
    Whether the functions of PostgreSQL were installed by another version than this.

    Each version leaves its mark on them. Where there is none they were not installed by any.
    """
    with connection.cursor() as cursor:
        cursor.execute(MARKS, [LEAF_HASH])
        marks, _checked = cursor.fetchone()
        in_pieces = partitioned.is_in_pieces(cursor)
    return bool(marks) and _version(in_pieces=in_pieces) not in marks


def require(connection: BaseDatabaseWrapper) -> None:
    """
    Check the guards, once per SQLite connection: nothing is written to a ledger without them.

    PostgreSQL does not need this check: the role that writes there cannot switch anything off.

    :raises Unguarded: if a trigger is missing, or ``PRAGMA recursive_triggers`` is off.
    """
    if getattr(connection, "_ledger_required", None) is connection.connection:
        return
    if absent := missing(connection):
        raise Unguarded(f"The ledger's triggers are missing: {', '.join(absent)}. Run migrate.")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA recursive_triggers")
        if cursor.fetchone() != (1,):
            raise Unguarded("PRAGMA recursive_triggers is off: INSERT OR REPLACE could forge rows.")
    connection._ledger_required = connection.connection  # type: ignore[attr-defined]  # noqa: SLF001


@cache
def sqlite_triggers() -> dict[str, str]:
    """Trigger name -> its CREATE statement, as sqlite_master stores it."""
    text = _fill("sqlite.sql")
    statements = re.findall(r"^CREATE TRIGGER \w+ .*?^END(?=;$)", text, re.MULTILINE | re.DOTALL)
    return {statement.split()[2]: statement for statement in statements}


MARKS = """
    SELECT array_remove(ARRAY(
        SELECT obj_description(oid, 'pg_proc') FROM pg_proc
        WHERE proname = 'ledger_append' AND pronamespace = current_schema()::regnamespace), NULL),
        EXISTS (SELECT FROM pg_constraint WHERE conname = %s AND convalidated)"""
CITUS = "to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL"
DISTRIBUTED = """
    SELECT EXISTS (
        SELECT FROM pg_dist_partition
        WHERE logicalrelid = to_regclass('ledger_event') AND partmethod = 'h'
    )"""


STATEMENTS = re.compile(r";\n+(?=(?:--.*\n+|\n)*(?:CREATE|ALTER|DROP|REVOKE) )")


def statements(text: str) -> list[str]:
    """
    A file of SQL, statement by statement: a distributed PostgreSQL passes each on to its servers.

    A statement begins at the beginning of a line, which nothing within a function does.
    """
    return STATEMENTS.split(text)


def is_distributed(cursor: CursorWrapper) -> bool:
    """Whether the ledger of this PostgreSQL is distributed: Citus alone does not make it so."""
    cursor.execute(f"SELECT {CITUS}")
    if cursor.fetchone() == (False,):
        return False
    cursor.execute(DISTRIBUTED)
    return bool(cursor.fetchone()[0])


ENABLED = {"A": "ALWAYS", "O": ""}
"""What stands between ENABLE and TRIGGER, by `pg_trigger.tgenabled`."""
PLANS = "plan_cache_mode = force_custom_plan"  # of a function, while it runs
PLAIN = {"{firing}": ENABLED["A"], "{planning}": ""}
SPREAD = {"{firing}": ENABLED["O"], "{planning}": f" SET {PLANS}"}
"""
What the SQL says otherwise where the ledger is distributed (docs/decisions/0085).

- What guards inserted rows fires in all sessions but those that replicate, as Citus does with rows
  that it moves. They have passed the triggers where they were written. Fired again, a transfer
  would be booked a second time.
- A plan that a function keeps is used once: Citus adds to it whenever it runs, 75 kB for an event.
"""


def _install_on_postgresql(cursor: CursorWrapper) -> None:
    step = partitioned.step(cursor)
    for text in _texts(cursor, step):
        for statement in statements(text):
            cursor.execute(statement)
    if step is not None:
        partitioned.guard(cursor)
    cursor.execute(f"COMMENT ON FUNCTION ledger_append IS '{_version(in_pieces=step is not None)}'")


def _texts(cursor: CursorWrapper, step: int | None) -> list[str]:
    """
    The files of SQL that install the guards here, names filled in.

    :param step: of the pieces of `ledger_event`; None: it is one table.
    """
    cursor.execute(f"SELECT quote_ident(current_schema()), {CITUS}")
    schema, has_citus = cursor.fetchone()
    text = _fill("postgresql.sql")
    for name, value in (SPREAD if has_citus and is_distributed(cursor) else PLAIN).items():
        text = text.replace(name, value)
    texts = [text]
    if step is not None:
        texts.append(_fill("partitioned.sql").replace("{step}", str(step)))
    return [text.replace("{schema}", schema) for text in texts]


def statements_here(cursor: CursorWrapper) -> str:
    """
    The statements that install the guards in this PostgreSQL. As one text: a later file sets more
    of a function that an earlier one makes.
    """
    return "\n".join(_texts(cursor, partitioned.step(cursor)))


def _missing_on_postgresql(cursor: CursorWrapper) -> list[str]:
    from ledger import guards  # noqa: PLC0415 - an embedded house needs none of it

    step = partitioned.step(cursor)
    absent = guards.names_that_differ(cursor, guards.of_postgresql("\n".join(_texts(cursor, step))))
    cursor.execute(MARKS, [LEAF_HASH])
    marks, leaf_hash_checked = cursor.fetchone()
    if _version(in_pieces=step is not None) not in marks and "ledger_append" not in absent:
        absent.append("ledger_append")
    return absent + ([] if leaf_hash_checked else [LEAF_HASH])


def runtime_role(connection: BaseDatabaseWrapper) -> str | None:
    """The database role that runs the house; None: it is the one that migrates here."""
    role = settings.DATABASES[DEFAULT_DB_ALIAS].get("USER") or None
    return None if role == connection.settings_dict["USER"] else role


def table_rights(table: str) -> tuple[str, ...]:
    """The privileges on a table that the role which runs the house has, and nobody has more."""
    if table in (*APPEND_ONLY, "django_migrations"):
        return ("SELECT",)
    if table in INSERT_ONLY:
        return ("SELECT", "INSERT")
    if table == LISTED:
        return ("SELECT", "INSERT", "UPDATE")
    return ("SELECT", "INSERT", "UPDATE", "DELETE")


def grant(connection: BaseDatabaseWrapper, role: str) -> None:
    """
    Grant the role that runs the house what it needs on PostgreSQL, and no more.

    The role may read the ledger and call `ledger_append`, which alone writes there, with the rights
    of its owner, and `ledger_rest`. It may read and write all other tables of the owner, also those
    of other apps, but not change their definitions.
    """
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT relname, relkind = 'S' FROM pg_class
            WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'S')
                AND relowner = current_user::regrole
            """
        )
        for name, is_sequence in cursor.fetchall():
            rights = ", ".join(SEQUENCE_RIGHTS if is_sequence else table_rights(name))
            relation = f"{'SEQUENCE' if is_sequence else 'TABLE'} {quote(name)}"
            cursor.execute(f"REVOKE ALL ON {relation} FROM {quote(role)}")
            cursor.execute(f"GRANT {rights} ON {relation} TO {quote(role)}")
        for function in FUNCTIONS:
            cursor.execute(f"GRANT EXECUTE ON FUNCTION {function} TO {quote(role)}")
        partitioned.grant(cursor, quote(role))


def _version(*, in_pieces: bool) -> str:
    text = _fill("postgresql.sql") + (_fill("partitioned.sql") if in_pieces else "")
    return sha256(text.encode()).hexdigest()


@cache
def _fill(name: str) -> str:
    kinds = ", ".join(f"'{kind}'" for kind in sorted(PLAYERS_MONEY))
    return (SQL / name).read_text().replace("{players_money}", kinds)
