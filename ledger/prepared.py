"""
One statement that PostgreSQL plans once a connection. Imported where PostgreSQL is asked.

Django's cursors write values into the statement: a body as hexadecimal digits, and all of it to be
parsed and planned anew, which took longer than the append itself. Here values go beside it as the
bytes they are. Only this statement is prepared; whatever else goes over the connection is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

import psycopg

if TYPE_CHECKING:
    from django.db import DatabaseError
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.backends.utils import CursorWrapper
    from psycopg._queries import PostgresQuery

NOT_KEPT = {"26000", "42P05"}
"""SQLSTATEs of a prepared statement that is not there, and of one that is there already."""


class Prepared(psycopg.Cursor[Any]):
    kept: ClassVar[bool] = True
    """A session finds again what it prepared. False once it did not: behind a pooler."""

    def execute(self, query: Any, params: Any = None, **_as_told: Any) -> Self:
        connection = self.connection
        before, connection.prepare_threshold = connection.prepare_threshold, 0
        try:
            return super().execute(query, params, prepare=self.kept, binary=True)
        finally:
            connection.prepare_threshold = before

    def _convert_query(self, query: Any, params: Any = None) -> PostgresQuery:
        self._query = super()._convert_query(query, params)  # Django's log of statements asks it
        return self._query


def cursor(connection: BaseDatabaseWrapper) -> CursorWrapper:
    """Wrapped as Django wraps its own, so that what counts and logs statements sees this one."""
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    made: Any = Prepared(connection.connection)  # of the driver, as the stubs do not know
    if connection.queries_logged:
        return connection.make_debug_cursor(made)
    return connection.make_cursor(made)


def was_lost(error: DatabaseError) -> bool:
    """
    Whether nothing came of it because a pooler put the statement to another of its servers.

    From then on this process prepares nothing, and the same may be asked again.
    """
    if not Prepared.kept or getattr(error.__cause__, "sqlstate", None) not in NOT_KEPT:
        return False
    Prepared.kept = False
    return True
