"""Whether a database is migrated is found out without importing one migration."""

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from pytest_django import DjangoAssertNumQueries

from casino.engine.databases import migrated

pytestmark = pytest.mark.django_db


def test_what_was_applied_and_what_there_is_are_what_django_finds() -> None:
    loader = MigrationLoader(connection)

    assert migrated.on_disk() == set(loader.disk_migrations)
    assert migrated.migrations_had(connection) == set(loader.applied_migrations)


def test_it_takes_one_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(1):
        assert migrated.whole()


def test_one_that_is_missing_is_missed() -> None:
    MigrationRecorder(connection).migration_qs.filter(app="ledger", name="0001_initial").delete()

    assert not migrated.whole()


def test_of_another_version_s_migrations_it_has_no_opinion() -> None:
    MigrationRecorder(connection).record_applied("ledger", "9999_of_tomorrow")

    assert migrated.whole()
