"""
Shadows on SQLite: tables of the schema `temp`, with an authorizer that refuses all other writes.

A transaction that reads the database and writes temporary tables takes no lock for which a writer
would have to wait, because the database is in WAL mode.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.db import DatabaseError
    from django.db.backends.base.base import BaseDatabaseWrapper

IN_TEMP: Final = {
    "CREATE TABLE ": "CREATE TEMP TABLE ",
    "CREATE INDEX ": "CREATE INDEX temp.",
    "CREATE UNIQUE INDEX ": "CREATE UNIQUE INDEX temp.",
}
READS: Final = frozenset({
    sqlite3.SQLITE_READ, sqlite3.SQLITE_SELECT, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE,
    sqlite3.SQLITE_TRANSACTION, sqlite3.SQLITE_SAVEPOINT,
})  # fmt: skip


class SQLite:
    temporary = "temp"

    def settle(self, connection: BaseDatabaseWrapper) -> None:
        """Shadow transactions begin as readers: IMMEDIATE would take the house's write lock."""
        options = connection.settings_dict["OPTIONS"]
        connection.settings_dict["OPTIONS"] = {**options, "transaction_mode": "DEFERRED"}

    def real(self, connection: BaseDatabaseWrapper, table: str) -> str:
        return f"main.{connection.ops.quote_name(table)}"

    def make(self, connection: BaseDatabaseWrapper, tables: Mapping[str, str]) -> None:
        connection.disable_constraint_checking()  # foreign keys would find no parents in `temp`
        with connection.cursor() as cursor:
            for table in tables:
                cursor.execute(
                    "SELECT sql FROM main.sqlite_schema WHERE tbl_name = %s AND sql IS NOT NULL"
                    " AND type IN ('table', 'index') ORDER BY type = 'index'",
                    [table],
                )
                for [statement] in cursor.fetchall():
                    cursor.execute(_temporary(statement))

    def guard(self, connection: BaseDatabaseWrapper) -> None:
        connection.connection.set_authorizer(_authorise)

    def spelt(self, uuid: str) -> str:
        parts = ((1, 8), (9, 4), (13, 4), (17, 4), (21, 12))
        return " || '-' || ".join(f"substr({uuid}, {at}, {long})" for at, long in parts)

    def refused(self, error: DatabaseError) -> bool:
        return getattr(error.__cause__, "sqlite_errorcode", None) == sqlite3.SQLITE_AUTH


def _temporary(statement: str) -> str:
    """
    A CREATE statement, changed so that it creates the table or the index in `temp`.

    :raises ValueError: if the statement begins in an unknown way.
    """
    for plain, temporary in IN_TEMP.items():
        if statement.startswith(plain):
            return temporary + statement.removeprefix(plain)
    raise ValueError(f"Not known how to make this in temp: {statement}")


def _authorise(
    action: int, _name: str | None, _more: str | None, schema: str | None, _by: str | None
) -> int:
    allowed = action in READS or schema == SQLite.temporary
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY
