"""
A kept connection is checked by looking at its socket, not by a query.

Django sends ``SELECT 1`` over a kept connection at the beginning of each request; that round trip
took a tenth of a request's time. A server that stops says so, and the operating system notices
within seconds that a host is gone (`casino.platform.silence`): both make the socket readable, where
otherwise nothing has arrived.
"""

from __future__ import annotations

import select

from django.db.backends.postgresql import base
from psycopg.pq import ConnStatus, TransactionStatus

from casino.platform.postgresql.schema import DatabaseSchemaEditor


class DatabaseWrapper(base.DatabaseWrapper):
    SchemaEditorClass = DatabaseSchemaEditor

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
