"""
Restores a backup into an empty place, while the house is stopped.

Nothing is deleted or overwritten. The file is checked against its manifest before anything is
changed, and the restored database afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django.core.management import call_command
from django.db import connections
from django.db.migrations.loader import MigrationLoader

from casino.engine.databases import versions
from casino.engine.databases.postgresql import sessions
from casino.engine.processes import data_lock
from casino.proof.integrity import backup_manifest, backup_postgresql, backup_sqlite, backups
from casino.proof.integrity.backup_manifest import BackupRefused, Contents, Manifest
from ledger.conflicts import count_of

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.backends.base.base import BaseDatabaseWrapper

TABLES: Final = """
    SELECT count(*) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relkind IN ('r', 'p') AND nspname NOT IN ('pg_catalog', 'information_schema')
        AND nspname NOT LIKE 'pg_toast%'"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    manifest: Manifest
    moved: list[Path]
    """The files that were in the place before, under their new names."""
    same_key: bool
    """Whether SECRET_KEY is the one that the house had."""


def restore(*, file: Path, now: datetime, replace: bool = False, unsound: bool = False) -> Restored:
    """
    Restore a backup into the database that the settings name.

    :param replace: move an existing SQLite database aside.
    :param unsound: also restore a backup that was found to be unsound when it was written.
    :raises BackupRefused: with a sentence for the user. What was there before is still there.
    :raises StartRefused: if the house runs.
    """
    manifest = backup_manifest.read(file)
    if manifest.wrong and not unsound:
        raise BackupRefused(
            f"{file} was not sound when it was written: {manifest.wrong[0]} Use an older one; or,"
            " if there is none, --unsound restores it as it is."
        )
    alias = backups.alias()
    connection = connections[alias]
    connection.close()
    place = file if connection.vendor == "postgresql" else Path(connection.settings_dict["NAME"])
    with backups.sentences(place):
        _fits(manifest, connection, file)
        if connection.vendor == "postgresql":
            if replace:
                raise BackupRefused("--replace is for SQLite. Make an empty database beside it.")
            moved = _into_postgresql(connection, file, manifest)
        else:
            moved = _into_sqlite(connection, file, manifest, now, replace=replace)
    same_key = backup_manifest.key_check() == manifest.secret_key
    return Restored(manifest=manifest, moved=moved, same_key=same_key)


def _fits(manifest: Manifest, connection: BaseDatabaseWrapper, file: Path) -> None:
    kind = manifest.database["kind"]
    if kind != connection.vendor:
        raise BackupRefused(f"{file} is of {kind}, and this house runs on {connection.vendor}.")
    known = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    applied = [(app, name) for app, names in manifest.migrations.items() for name in names]
    if strange := versions.unknown(applied, known):
        which = "an earlier" if strange in versions.BEFORE else "a newer"
        raise BackupRefused(
            f"{file} was made by {which} version, {manifest.software}: this one does not know "
            f"{' '.join(strange)}. Restore it with that version."
        )


def _into_sqlite(
    connection: BaseDatabaseWrapper, file: Path, manifest: Manifest, now: datetime, *, replace: bool
) -> list[Path]:
    book = Path(connection.settings_dict["NAME"])
    with data_lock.alone_with(book.parent):
        if backup_sqlite.there(book) and not replace:
            raise BackupRefused(
                f"There is a book at {book}. With --replace it is moved aside, and kept."
            )
        part = book.with_name(f".{book.name}.part")
        part.unlink(missing_ok=True)  # left by a restore that was killed
        try:
            _same(file, backup_manifest.digest(file, copy_to=part), manifest)
            _holds(backup_sqlite.check_pages(part), manifest)
            moved = _move_aside(book, now)
            part.rename(book)
            backup_manifest.sync(book.parent)
        finally:
            part.unlink(missing_ok=True)
        _install_guards(connection)
    return moved


def _move_aside(book: Path, now: datetime) -> list[Path]:
    """Rename the old database and, if there is one, its write-ahead log."""
    if book.exists():
        backup_sqlite.fold_log(book)
    moved = []
    for path in backup_sqlite.there(book):
        suffix = path.name.removeprefix(book.name)
        aside = book.with_name(f"{book.name}.replaced-{now:%Y%m%dT%H%M%S%fZ}{suffix}")
        path.rename(aside)
        moved.append(aside)
    return moved


def _into_postgresql(connection: BaseDatabaseWrapper, file: Path, manifest: Manifest) -> list[Path]:
    with connection.cursor() as cursor:
        if tables := _count(cursor, TABLES):
            raise BackupRefused(
                f"The database {connection.settings_dict['NAME']} has"
                f" {count_of(tables, 'table')}. A backup is "
                "restored into an empty one: make it, and let the settings name it."
            )
        if others := sessions.others(cursor):
            raise BackupRefused(
                f"{count_of(others, 'other is', 'others are')} connected to"
                f" {connection.settings_dict['NAME']}. Stop web, "
                "workers and beat first."
            )
    _same(file, backup_manifest.digest(file), manifest)
    connection.close()
    backup_postgresql.load(connection, file)
    _holds(backup_postgresql.read(connection), manifest)
    _install_guards(connection)
    return []


def _count(cursor: Any, statement: str) -> int:
    cursor.execute(statement)
    (number,) = cursor.fetchone()
    return int(number)


def _same(file: Path, digest: str, manifest: Manifest) -> None:
    if digest != manifest.sha256:
        raise BackupRefused(
            f"{file} is not the file that its manifest tells of: its SHA-256 is another. Use "
            "another backup."
        )


def _holds(found: Contents, manifest: Manifest) -> None:
    if found != manifest.contents:
        raise BackupRefused(f"What {manifest.file} holds is not what its manifest says.")


def _install_guards(connection: BaseDatabaseWrapper) -> None:
    """Run `migrate`, which also installs triggers, functions and grants."""
    call_command("migrate", database=connection.alias, verbosity=0, interactive=False)
    connection.close()
