"""
A connection that is used again is looked at, not asked.

Django asks a kept connection ``SELECT 1`` at the beginning of each request, a way there and back
that took a request a tenth of its time. A server that goes says so, and one that is gone is found
by the system within seconds (`casino.platform.silence`): both can be read off the socket, where
otherwise nothing has come.
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
    """Whether nothing has come, neither words nor an end."""
    looks = select.poll()
    looks.register(socket, select.POLLIN)
    return not looks.poll(0)
