"""
Append-only tables: rows can be added, and the database lets nobody change or delete one.

A migration installs the triggers, and they are checked after every migrate, as the ledger's are:
when Django rebuilds a table on SQLite, it drops triggers silently. Each table has a folder with one
file of SQL for each database.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db import DEFAULT_DB_ALIAS, connections, transaction

from ledger.install import statements

if TYPE_CHECKING:
    from pathlib import Path

    from django.apps import AppConfig
    from django.db.backends.base.base import BaseDatabaseWrapper

    from ledger.guards import Guards


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
