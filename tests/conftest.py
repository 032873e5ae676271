"""
Who runs which test, and what transactional tests on append-only tables need: a flush.

Django empties tables with TRUNCATE or DELETE after such a test, and the ledger refuses both, as
does the sign-in log. Here the flush first switches the triggers off, as the owner of the tables,
and puts them back in the same transaction. The role that runs a house owns nothing and can do
neither.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import pytest
from django.conf import settings
from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.operations import BaseDatabaseOperations
from django.db.backends.utils import CursorWrapper

from casino.attendants import guarded
from ledger import install
from tests.sharing import Sharing

# People of tests sign in by a name; whether that will do is asked where the rule is tested (D2).
os.environ.setdefault("SECOND_FACTOR", "offered")
settings.SECOND_FACTOR = "offered"

EXECUTE_SQL_FLUSH = BaseDatabaseOperations.execute_sql_flush


@contextmanager
def unguarded(connection: BaseDatabaseWrapper) -> Iterator[CursorWrapper]:
    """A transaction in which the ledger's tables and the sign-in log may be emptied."""
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            for table in (*install.APPEND_ONLY, guarded.TABLE):
                cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        else:
            for trigger in (*install.sqlite_triggers(), *guarded.sqlite_triggers()):
                cursor.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        yield cursor
        if connection.vendor == "postgresql":
            for table, trigger in install.postgresql_triggers():
                cursor.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {trigger}")
        else:
            install.install(connection)
        guarded.install(connection)


def flush(self: BaseDatabaseOperations, sql_list: list[str]) -> None:
    with unguarded(self.connection):
        EXECUTE_SQL_FLUSH(self, sql_list)


@pytest.fixture(scope="session", autouse=True)
def _flush_empties_the_ledger() -> Iterator[None]:
    with mock.patch.object(BaseDatabaseOperations, "execute_sql_flush", flush):
        yield


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> Sharing:
    return Sharing(config, log)
