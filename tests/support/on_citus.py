"""What a test does otherwise where its database is spread over several servers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

import pytest
from django.db import connection

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

ON_CITUS: Final = "CITUS_WORKERS" in os.environ
of_one_server: Final = pytest.mark.skipif(
    ON_CITUS, reason="of one server; of several: tests/scale/citus"
)


def nothing_fires() -> None:
    """No trigger and no foreign key of PostgreSQL, until the transaction ends."""
    with connection.cursor() as cursor:
        if ON_CITUS:  # on every server
            cursor.execute("SET LOCAL citus.propagate_set_commands = local")
        cursor.execute("SET LOCAL session_replication_role = replica")


def keys_checked(connection: BaseDatabaseWrapper = connection) -> None:
    """
    Check foreign keys that wait. PostgreSQL alters no table on which one still does.

    :raises IntegrityError: if a row refers to nothing. SQLite checks at the end of a transaction.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
            if ON_CITUS:  # each server checks its own, where this transaction has been already
                cursor.execute("SET LOCAL citus.max_adaptive_executor_pool_size = 1")
                cursor.execute("SELECT tests.keys_checked() FROM tests.everywhere")
