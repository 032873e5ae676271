"""
The sign-in log as the database keeps it: lines are added, none is changed or taken out (D2).

Put in by a migration and looked for after every migrate, as the ledger's triggers are: Django's
table rebuilds on SQLite drop triggers without a word. What a line says of a person is their id and
an address; names stand beside it and can be taken away there.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django.db import DEFAULT_DB_ALIAS, connections, transaction

if TYPE_CHECKING:
    from django.apps import AppConfig
    from django.db.backends.base.base import BaseDatabaseWrapper

SQL: Final = Path(__file__).parent / "sql"
TABLE: Final = "attendants_signin"
INSTALLING: Final = 0x7369_676E_696E  # "signin": the advisory lock under which one process installs


def after_migrate(sender: AppConfig, *, using: str = DEFAULT_DB_ALIAS, **_rest: Any) -> None:
    """`post_migrate` of this app, for whichever alias migrated. Idempotent and quiet."""
    del sender
    connection = connections[using]
    if TABLE in connection.introspection.table_names():
        install(connection)


def install(connection: BaseDatabaseWrapper) -> None:
    """Put in what is missing."""
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # The lock first: processes that run the same DDL at once fail one another.
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [INSTALLING])
            if missing(connection):
                cursor.execute((SQL / "postgresql.sql").read_text())
            return
        for trigger in missing(connection):
            cursor.execute(f'DROP TRIGGER IF EXISTS "{trigger}"')
            cursor.execute(sqlite_triggers()[trigger])


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """Which triggers are absent, switched off or another version."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT tgname FROM pg_trigger WHERE tgrelid = to_regclass(%s) AND tgenabled = 'A'",
                [TABLE],
            )
            on = {name for (name,) in cursor.fetchall()}
            return [name for name in postgresql_triggers() if name not in on]
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        there = dict(cursor.fetchall())
        return [name for name, sql in sqlite_triggers().items() if there.get(name) != sql]


@cache
def sqlite_triggers() -> dict[str, str]:
    """Trigger name -> its CREATE statement, as sqlite_master keeps it."""
    text = (SQL / "sqlite.sql").read_text()
    statements = re.findall(r"^CREATE TRIGGER \w+ .*?^END(?=;$)", text, re.MULTILINE | re.DOTALL)
    return {statement.split()[2]: statement for statement in statements}


@cache
def postgresql_triggers() -> list[str]:
    """The triggers that must be there and fire always."""
    text = (SQL / "postgresql.sql").read_text()
    return re.findall(r"ENABLE ALWAYS TRIGGER (\w+);", text)
