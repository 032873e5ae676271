"""A database of a test's own in which the tables that only grow are in partitions."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connection, connections

from casino.engine.scale.partitions import operations
from tests import template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.backends.base.base import BaseDatabaseWrapper
    from pytest_django import DjangoDbBlocker

PARTS, STEP = 4, 20
on_postgresql = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="A file of SQLite has no partitions."
)
OF_ITS_OWN = ["test_pieces.py", "test_plans.py", "test_there_and_back.py"]
collect_ignore_glob = OF_ITS_OWN if os.environ.get("CITUS_WORKERS") else []


@contextmanager
def own_database(blocker: DjangoDbBlocker) -> Iterator[BaseDatabaseWrapper]:
    """While it lasts it is the default one, and nobody else is in it."""
    before = connections[DEFAULT_DB_ALIAS]
    given = os.environ.get(template.VARIABLE, "")
    with template.database(os.environ["DATABASE_URL"], given) as url, blocker.unblock():
        ours = before.copy(DEFAULT_DB_ALIAS)
        options = {**ours.settings_dict["OPTIONS"], "pool": False}
        name = urlsplit(url).path.removeprefix("/")
        ours.settings_dict |= {"NAME": name, "OPTIONS": options}
        connections[DEFAULT_DB_ALIAS] = ours
        try:
            if not given:
                call_command("migrate", verbosity=0)
            yield ours
        finally:
            ours.close()
            connections[DEFAULT_DB_ALIAS] = before


@pytest.fixture(scope="module")
def partitioned(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[BaseDatabaseWrapper]:
    del django_db_setup
    with own_database(django_db_blocker) as ours:
        list(operations.unpartition(ours))  # where the template has partitions of its own
        list(operations.partition(ours, parts=PARTS, step=STEP))
        yield ours
