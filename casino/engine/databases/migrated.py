"""
Migrations: which a database has had, which this version has, and whether one is running; whether a
database belongs to this version; and the base class of an app's first migration.

Django's own way imports every migration and builds a graph of them, only to find at each start that
there is nothing to do. Here it is one query and a list of files.
"""

from __future__ import annotations

import fcntl
import os
import pkgutil
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django.apps import apps
from django.db import (
    DatabaseError,
    InterfaceError,
    OperationalError,
    ProgrammingError,
    connection,
    migrations,
    transaction,
)
from django.db.migrations.state import ProjectState

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor

Migration = tuple[str, str]
"""App and name of a migration."""
MIGRATING: Final = 0x6D69_6772_6174  # "migrat": the advisory lock of who migrates


def migrations_had(database: BaseDatabaseWrapper) -> AbstractSet[Migration]:
    """The migrations that a database has had; none if it has no table of them yet."""
    with database.cursor() as cursor:
        try:
            cursor.execute("SELECT app, name FROM django_migrations")
        except (OperationalError, ProgrammingError):
            return frozenset()
        return frozenset((app, name) for app, name in cursor.fetchall())


def on_disk() -> AbstractSet[Migration]:
    """The migrations of this version, found by their files as Django finds them."""
    return frozenset(
        (config.label, found.name)
        for config in apps.get_app_configs()
        for found in pkgutil.iter_modules([str(Path(config.path) / "migrations")])
        if not found.ispkg and found.name[0] not in "_~"
    )


def whole() -> bool:
    """Whether the database has had every migration that there is."""
    return on_disk() <= migrations_had(connection)


@contextmanager
def migration_lock(database: Any) -> Iterator[None]:
    """
    A block in which this process migrates a database: others wait to do so, and know of it
    (`no_migration`). The lock ends with the process, however that ends.

    On PostgreSQL it is a transaction's, in a session of its own: a migration has many transactions,
    and a pooler lends a session to others after each. On SQLite it is one of the database's folder.
    """
    lock = _server_lock if database.vendor == "postgresql" else _folder_lock
    with lock(database):
        database.migrates = True
        try:
            yield
        finally:
            database.migrates = False


@contextmanager
def no_migration(database: Any) -> Iterator[bool]:
    """
    A block of reading in which no migration begins. False: one runs in another process, and what
    the database has now may be half of what it will have.
    """
    if getattr(database, "migrates", False):
        yield True
    elif database.vendor != "postgresql":
        with _folder_lock(database, fcntl.LOCK_SH | fcntl.LOCK_NB) as is_free:
            yield is_free
    else:
        with transaction.atomic(using=database.alias), database.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_xact_lock_shared(%s)", [MIGRATING])
            yield cursor.fetchone() == (True,)
            # So that the lock ends here, also within a transaction.
            transaction.set_rollback(True, using=database.alias)


@contextmanager
def _server_lock(database: Any) -> Iterator[None]:
    own = database.copy()
    try:
        own.set_autocommit(autocommit=False)
        with own.cursor() as cursor:
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [MIGRATING])
        yield
    finally:
        # A server notices some time later that a session was closed, and keeps its lock until then.
        with suppress(DatabaseError, InterfaceError):
            own.rollback()
        own.close()


@contextmanager
def _folder_lock(database: Any, how: int = fcntl.LOCK_EX) -> Iterator[bool]:
    """
    A block with a lock of the folder of SQLite's file; False: somebody else has it.

    A database in memory, or without a folder, is nobody else's.
    """
    folder = Path(database.settings_dict["NAME"]).parent
    if database.is_in_memory_db() or not folder.is_dir():
        yield True
        return
    at = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(at, how)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(at)


# Whether a database belongs to this version, judged by the migrations that it has had.


BEFORE: Final = frozenset({("ledger", "0002_keys_of_postgresql"), ("days", "0001_initial")})
"""
Migrations that only databases of earlier versions have: the first from before the migrations of
each app became one, the second from before each thing that people talk about had an app of its own.
"""

INSTEAD: Final = {
    "sqlite": "Move it aside, or let HOME_THROW_DATA name another folder.",
    "postgresql": "Make an empty one, and let DATABASE_URL name it.",
}


def unknown_migration(
    applied: Iterable[Migration], known: Collection[Migration]
) -> Migration | None:
    """
    The first migration that this version does not know; preferably one that tells of an earlier
    version.
    """
    strange = sorted(set(applied).difference(known))
    return next(iter(sorted(BEFORE.intersection(strange))), next(iter(strange), None))


def refusal_of_database(
    connection: BaseDatabaseWrapper, applied: Iterable[Migration], known: Collection[Migration]
) -> str | None:
    """A sentence why this version refuses that database; None if the database belongs to it."""
    strange = unknown_migration(applied, known)
    if strange is None:
        return None
    whose = f"The database {connection.settings_dict['NAME']} was made by"
    name = " ".join(strange)
    if strange in BEFORE:
        return (
            f"{whose} an earlier version, whose tables this one cannot bring up to date ({name}). "
            f"Nothing in it was changed. {INSTEAD[connection.vendor]}"
        )
    return (
        f"{whose} a newer version: this one does not know {name}. Nothing in it was changed. "
        "Start it with that version."
    )


# A base class for an app's first migration: it builds all tables from one state of all models.


class Initial(migrations.Migration):
    """
    A first migration that is faster than Django's own way.

    For each table that a migration makes, Django builds all related models again, and here all of
    them are related to the house: that took longer than all else. No operation needs the state
    before a new table, so the models are built once.
    """

    initial = True

    def apply(
        self,
        project_state: ProjectState,
        schema_editor: BaseDatabaseSchemaEditor,
        collect_sql: bool = False,  # noqa: FBT001, FBT002 - as Django calls it
    ) -> ProjectState:
        """Apply the migration; go Django's way to collect SQL or for other operations."""
        new = (migrations.CreateModel, migrations.RunPython)
        if collect_sql or not all(isinstance(each, new) for each in self.operations):
            return super().apply(project_state, schema_editor, collect_sql)
        state = ProjectState(project_state.models, project_state.real_apps)
        self.mutate_state(state, preserve=False)
        for operation in self.operations:
            operation.database_forwards(self.app_label, schema_editor, state, state)
        return state
