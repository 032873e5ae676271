"""
Who runs which test, and what transactional tests on append-only tables need: a flush.

Django empties tables with TRUNCATE or DELETE after such a test, and the ledger refuses both, as do
the sign-in log and the sequence book. Here the flush first switches the triggers off, as the owner
of the tables, and puts them back in the same transaction. The role that runs a house owns nothing
and can do neither.
"""

import gc
import math
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import urlsplit

import hypothesis
import pytest
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.management import create_permissions
from django.contrib.contenttypes.management import create_contenttypes
from django.core.management import sql
from django.core.management.commands import flush as flush_command
from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.operations import BaseDatabaseOperations
from django.db.backends.utils import CursorWrapper
from django.db.models.signals import post_migrate
from django.utils import translation
from pytest_django import Settings
from whitenoise.middleware import WhiteNoiseMiddleware

from casino.config import environment
from casino.engine.databases.guards import WRITTEN_ONCE
from casino.house.establishments import gaming_day
from casino.kit.web import pages
from casino.words.languages import locales
from ledger import guards, install
from tests import forms, template
from tests.sharing import Sharing
from tests.support.processes import Site, site

# People of tests sign in by a name; whether that will do is asked where the rule is tested (D2).
os.environ.setdefault("SECOND_FACTOR", "offered")
settings.SECOND_FACTOR = "offered"
# What a test has not committed no other connection sees; the one that only reads has its own tests.
settings.LEDGER_READER = "default"
if (process := os.environ.get("PYTEST_XDIST_WORKER")) and os.environ.get("REDIS_URL"):
    # On a waiting list that they shared one process would take what another put there.
    own = f"/{1 + int(process.removeprefix('gw')) % 15}"
    os.environ["REDIS_URL"] = urlsplit(os.environ["REDIS_URL"])._replace(path=own).geturl()
    settings.BROKER = environment.broker()
    settings.CELERY_BROKER_URL = settings.BROKER.celery
# Until all tests are collected next to nothing becomes garbage.
gc.set_threshold(200_000, 20, 20)

# Tests say nothing of time: how long a value takes to draw is the machine's, and what else it does.
hypothesis.settings.register_profile(
    "house", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("house")

EXECUTE_SQL_FLUSH = BaseDatabaseOperations.execute_sql_flush
# Whoever fills Django's own tables after a migration, and the name it is registered by.
FILLS = (
    (create_permissions, "django.contrib.auth.management.create_permissions"),
    (create_contenttypes, None),
)

Search = Callable[..., None]


@contextmanager
def unguarded(connection: BaseDatabaseWrapper) -> Iterator[CursorWrapper]:
    """A transaction in which the ledger's tables and others written once may be emptied."""
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            written_once = [each.table for each in WRITTEN_ONCE]
            for table in (*install.APPEND_ONLY, *install.INSERT_ONLY, *written_once):
                cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        else:
            triggers = [name for each in WRITTEN_ONCE for name in each.sqlite_triggers()]
            for trigger in (*install.sqlite_triggers(), *triggers):
                cursor.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        yield cursor
        if connection.vendor == "postgresql":
            for (table, name), found in guards.guards_of_database(connection).triggers.items():
                fires = install.ENABLED[found.fires]
                cursor.execute(f"ALTER TABLE {table} ENABLE {fires} TRIGGER {name}")
        else:
            install.install(connection)
        for each in WRITTEN_ONCE:
            each.install(connection)


def filled(cursor: CursorWrapper) -> list[str]:
    """Tables that have rows, but for those that Django itself has filled."""
    names = set(connection.introspection.django_table_names(only_existing=True))
    asked = [
        f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM \"{name}\")"  # noqa: S608 - our own tables
        for name in names - {"django_content_type", "auth_permission"}
    ]
    cursor.execute(" UNION ALL ".join(asked))
    return [name for (name,) in cursor.fetchall()]


def flush(self: BaseDatabaseOperations, _sql_list: list[str]) -> None:
    with unguarded(self.connection) as cursor:
        # TRUNCATE makes new files for all tables and indexes, which takes a third of a second.
        tables = [f'"{table}"' for table in filled(cursor)]
        sql_list = [f"DELETE FROM {table}" for table in tables]  # noqa: S608
        if os.environ.get("CITUS_WORKERS") and tables:  # its servers check keys one by one
            sql_list = [f"TRUNCATE {', '.join(tables)} CASCADE"]
        EXECUTE_SQL_FLUSH(self, sql_list)
        if self.connection.vendor == "postgresql":
            # Where rows were forged it could be put back for new ones only; they are gone.
            cursor.execute(f"ALTER TABLE ledger_event VALIDATE CONSTRAINT {install.LEAF_HASH}")


def emit_post_migrate_signal(*of: Any, **options: Any) -> None:
    """After a flush, to all but those who would fill what `filled` has left as it was."""
    for receiver, uid in FILLS:
        post_migrate.disconnect(receiver, dispatch_uid=uid)
    try:
        sql.emit_post_migrate_signal(*of, **options)
    finally:
        for receiver, uid in FILLS:
            post_migrate.connect(receiver, dispatch_uid=uid)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None) -> Iterator[None]:
    """pytest-django asks for this just before it makes its databases."""
    del django_db_modify_db_settings
    with template.copied():
        yield


@pytest.fixture(scope="session", autouse=True)
def _flush_empties_the_ledger() -> Iterator[None]:
    with (
        mock.patch.object(BaseDatabaseOperations, "execute_sql_flush", flush),
        mock.patch.object(flush_command, "emit_post_migrate_signal", emit_post_migrate_signal),
    ):
        yield


def once(search: Search) -> Search:
    """A search for static files whose finds are kept for the next that looks in the same place."""
    found: dict[tuple[str, ...], dict[str, object]] = {}

    def searched(self: WhiteNoiseMiddleware, *where: str) -> None:
        if where not in found:
            before, self.files = self.files, {}
            search(self, *where)
            found[where], self.files = self.files, before
        self.files.update(found[where])

    return searched


@pytest.fixture(scope="session", autouse=True)
def _static_files_are_looked_for_once() -> Iterator[None]:
    """Each of Django's test clients makes a house's middleware anew, and it reads all of them."""
    with ExitStack() as stack:
        for name in ("add_files_from_finders", "update_files_dictionary"):
            search = once(getattr(WhiteNoiseMiddleware, name))
            stack.enter_context(mock.patch.object(WhiteNoiseMiddleware, name, search))
        yield


@pytest.fixture(scope="session", autouse=True)
def _passwords_are_hashed_in_one_round() -> Iterator[None]:
    """By the house's own hasher, which is slow on purpose; processes of their own keep its pace."""
    with mock.patch.object(PBKDF2PasswordHasher, "iterations", 1):
        yield


@pytest.fixture(scope="session", autouse=True)
def _what_a_page_recalls_grows_no_older() -> Iterator[None]:
    """On a busy machine it did so between two looks, and the second one asked once more."""
    with (
        mock.patch.object(gaming_day, "RECENT", math.inf),
        mock.patch.object(pages, "RECENT", math.inf),
    ):
        yield


@pytest.fixture
def quick_passwords(settings: Settings) -> None:
    """Where many sign in: one round of the house's own hasher is slower than this one."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def _nobody_reads_in_the_language_of_the_last_request() -> Iterator[None]:
    """A request leaves its own behind; the next one chooses, but a test may have none."""
    yield
    translation.deactivate()
    locales.use(locales.USUAL)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> Sharing:
    return Sharing(config, log)


def pytest_configure(config: pytest.Config) -> None:
    for line in forms.MARKS:
        config.addinivalue_line("markers", line)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    config.stash[forms.COLLECTED] = list(items)
    out = forms.left_out(items, named=[forms.as_id(each, config) for each in config.args])
    uncounted = forms.more_of_the_same(items)
    if out:
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in out])
        items[:] = [item for item in items if item.nodeid not in out]
    forms.dear_ones_first(items)
    for item in items:
        # Counting lines makes a test take three quarters longer (docs/decisions/0058).
        if item.nodeid in uncounted:
            item.add_marker("no_cover")


def pytest_collection_finish(session: pytest.Session) -> None:
    """What has been imported and collected stays: looking through it for garbage cost 8 %."""
    if forms.COLLECTION in os.environ and not session.testsfailed:
        files = dict.fromkeys(item.nodeid.partition("::")[0] for item in session.items)
        Path(os.environ[forms.COLLECTION]).write_text("\n".join(files), encoding="utf-8")
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="module")
def module_keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the keys that `module_data.shared` signs with; tests that sign copy it."""
    return tmp_path_factory.mktemp("keys")


@pytest.fixture
def place(tmp_path: Path, transactional_db: None) -> Iterator[Site]:
    """A database that programs of their own work on, beside the test."""
    del transactional_db
    with site(tmp_path) as here:
        yield here
