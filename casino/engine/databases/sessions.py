"""
Sessions of PostgreSQL: with each new one, what this process remembers of the ledger is forgotten;
and how many others there are.

A session ends when its server does. The next one may be of a standby that took over or of a backup
that was restored, and either may lack the last events. What was read before must not be taken
together with what is read from there: other events may have the same versions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db import DEFAULT_DB_ALIAS
from django.db.backends.signals import connection_created
from django.dispatch import receiver

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.backends.utils import CursorWrapper

_FORGETS: Final[list[Callable[[], None]]] = []
_BEGUN: Final = [0]


def forgets(forget: Callable[[], None]) -> None:
    """Call this whenever a session begins."""
    _FORGETS.append(forget)


def session_count() -> int:
    """
    Grows with each session. Whoever recalls something, asks the database for what came since and
    finds another number then has to begin again.
    """
    return _BEGUN[0]


@receiver(connection_created)
def _forget(connection: Any, **_signal: object) -> None:
    if connection.alias == DEFAULT_DB_ALIAS and connection.vendor == "postgresql":
        _BEGUN[0] += 1
        for forget in _FORGETS:
            forget()


# Who else is in a database.


OTHERS: Final = """
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
        AND backend_type = 'client backend' AND pid <> pg_backend_pid()
        AND application_name !~ '^citus'"""
"""Clients, without the sessions in which Citus' servers speak to each other."""


def other_sessions(cursor: CursorWrapper) -> int:
    """How many other sessions are in this database now, also within a transaction."""
    cursor.execute("SELECT pg_stat_clear_snapshot()")
    cursor.execute(OTHERS)
    return int(cursor.fetchone()[0])
