"""Who else is in a database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from django.db.backends.utils import CursorWrapper

OTHERS: Final = """
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
        AND backend_type = 'client backend' AND pid <> pg_backend_pid()
        AND application_name !~ '^citus'"""
"""Clients, without the sessions in which Citus' servers speak to each other."""


def others(cursor: CursorWrapper) -> int:
    """How many other sessions are in this database now, also within a transaction."""
    cursor.execute("SELECT pg_stat_clear_snapshot()")
    cursor.execute(OTHERS)
    return int(cursor.fetchone()[0])
