"""
A kept connection is checked by looking at its socket, not by a query.

Django sends ``SELECT 1`` over a kept connection at the beginning of each request; that round trip
took a tenth of a request's time. A server that stops says so, and the operating system notices
within seconds that a host is gone (`casino.platform.silence`): both make the socket readable, where
otherwise nothing has arrived.

A pooler in transaction mode (PgBouncer) gives each transaction another session. The house is told
of it by `DATABASE_POOLER`, and then leaves nothing in a session. A pooler that it was not told of
is refused at the first connection.
"""

from __future__ import annotations

import select
from typing import Any, Final

from django.core.exceptions import ImproperlyConfigured
from django.db.backends.postgresql import base
from psycopg import OperationalError
from psycopg.pq import ConnStatus, TransactionStatus

from casino.platform.postgresql.schema import DatabaseSchemaEditor
from casino.platform.signals import unreached

OWN_PID: Final = "SELECT pg_backend_pid()"
UNKNOWN_POOLER: Final = (
    "Between this program and PostgreSQL is a pooler, at the address of the database {alias!r}. It"
    " lends its sessions to others and does not pass on their settings. Set"
    " DATABASE_POOLER=transaction and DATABASE_DIRECT_URL (docs/how-to/production.md), or"
    " name the address of PostgreSQL itself."
)


class DatabaseWrapper(base.DatabaseWrapper):
    SchemaEditorClass = DatabaseSchemaEditor

    @property
    def shares_sessions(self) -> bool:
        """Whether a pooler lends the session of each transaction to somebody else afterwards."""
        return bool(self.settings_dict.get("POOLER"))

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        try:
            return super().get_new_connection(conn_params)
        except OperationalError:
            unreached.send(None, service=self.alias)
            raise

    def init_connection_state(self) -> None:
        """:raises ImproperlyConfigured: if there is a pooler that the settings do not name."""
        super().init_connection_state()
        driver: Any = self.connection
        # Sent at the beginning, it is the pooler's own number; asked for, it is the server's.
        told = driver.info.backend_pid
        if not self.shares_sessions and driver.execute(OWN_PID).fetchone() != (told,):
            self.close()
            raise ImproperlyConfigured(UNKNOWN_POOLER.format(alias=self.alias))

    def chunked_cursor(self) -> Any:
        """A server-side cursor; outside a transaction no shared session could keep one."""
        if self.shares_sessions and not self.in_atomic_block:
            return self.cursor()
        return super().chunked_cursor()

    def is_usable(self) -> bool:
        if self.connection is None:
            return False
        line = self.connection.pgconn
        idle = line.transaction_status == TransactionStatus.IDLE
        if line.status == ConnStatus.OK and idle and _quiet(line.socket):
            return True
        return super().is_usable()


def _quiet(socket: int) -> bool:
    """Whether nothing has arrived on the socket, neither data nor an end."""
    looks = select.poll()
    looks.register(socket, select.POLLIN)
    return not looks.poll(0)
