"""
Shadows on PostgreSQL: tables of `pg_temp` in a session whose transactions only read.

Such a transaction can write nothing but temporary tables. To create them, a role needs the
privilege TEMPORARY on the database, which everybody has unless it was revoked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.db import DatabaseError
    from django.db.backends.base.base import BaseDatabaseWrapper

READ_ONLY: Final = "25006"  # SQLSTATE read_only_sql_transaction


class PostgreSQL:
    temporary = "pg_temp"

    def settle(self, connection: BaseDatabaseWrapper) -> None:
        """Use a session outside the pool, so that nobody else gets it afterwards."""
        options = connection.settings_dict["OPTIONS"]
        connection.settings_dict["OPTIONS"] = {**options, "pool": False}

    def real(self, connection: BaseDatabaseWrapper, table: str) -> str:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT format('%%I.%%I', nspname, relname) FROM pg_class"
                " JOIN pg_namespace ON pg_namespace.oid = relnamespace"
                " WHERE pg_class.oid = %s::regclass",
                [connection.ops.quote_name(table)],
            )
            [found] = cursor.fetchone()
        return str(found)

    def make(self, connection: BaseDatabaseWrapper, tables: Mapping[str, str]) -> None:
        with connection.cursor() as cursor:
            # pg_temp must be first: a search path that names pg_temp may name it last.
            cursor.execute(
                "SELECT set_config('search_path', 'pg_temp,' || current_setting('search_path'),"
                " false)"
            )
            for table, real in tables.items():
                name = connection.ops.quote_name(table)
                cursor.execute(f"CREATE TEMP TABLE {name} (LIKE {real} INCLUDING ALL)")

    def guard(self, connection: BaseDatabaseWrapper) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET default_transaction_read_only = on")

    def spelt(self, uuid: str) -> str:
        return f"{uuid}::text"

    def refused(self, error: DatabaseError) -> bool:
        return getattr(error.__cause__, "sqlstate", None) == READ_ONLY
