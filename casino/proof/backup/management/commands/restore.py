"""``manage.py restore FILE``: restores a backup into the database of the settings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from casino.engine.databases import migrated, sessions
from casino.engine.processes import data_lock, private
from casino.engine.processes.command import CALLED
from casino.engine.processes.data_lock import StartRefused
from casino.proof.backup import backups, databases, manifests
from casino.proof.backup.manifests import BackupRefused, Contents, Manifest
from casino.proof.signing import copies
from ledger.conflicts import count_of

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from datetime import datetime

    from django.db.backends.base.base import BaseDatabaseWrapper

NEXT: Final = """
What to do next, for each house, before anybody plays. FILE is the newest checkpoint of it that
anybody outside has:
  1. Hold the book against it. Where FILE is ahead, this says "behind" and stops payouts.
       {called} verify_ledger --establishment {house} --checkpoint {file}
  2. Where FILE is ahead of the book, what lies between is lost: a new epoch says so for ever.
       {called} open_epoch --establishment {house} --checkpoint {file} --reason WHY --by MANAGER
  3. Start the house. What was played since the backup is entered again.
  4. Where payouts were stopped, two people resume them on the office's page Payouts.
  5. {called} health: every part is well."""
OTHER_KEY: Final = """
SECRET_KEY is not the one that the house had: nobody's password, PIN or authenticator app
holds any more; `changepassword NAME` sets a password. Better put the old one back first
({kept}/secret-key, or the variable)."""


class Command(BaseCommand):
    help = "Restore a backup into an empty database, while the house is stopped."
    requires_system_checks = ()  # there is no database yet that could be checked

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="as `backup` made it")
        parser.add_argument(
            "--replace", action="store_true", help="SQLite: move the book that is there aside"
        )

        parser.add_argument(
            "--unsound", action="store_true", help="also one that was not sound when it was written"
        )

    def handle(self, *, file: Path, replace: bool, unsound: bool, **_options: Any) -> None:
        try:
            restored = restore(file=file, now=timezone.now(), replace=replace, unsound=unsound)
        except (BackupRefused, StartRefused) as reason:
            raise CommandError(str(reason)) from reason
        self.say(restored)

    def say(self, restored: Restored) -> None:
        manifest = restored.manifest
        self.stdout.write(
            f"Restored as it was at {manifest.made_at} (version {manifest.software})."
        )
        for path in restored.moved:
            self.stdout.write(f"What was there before: {path}")
        for house in manifest.houses:
            self.stdout.write(f"  {house['name']} ({house['id']}): up to position {house['head']}")
            self.stdout.write(f"    {_checkpoint(house['checkpoint'])}")
        if not restored.same_key:
            self.stdout.write(OTHER_KEY.format(kept=settings.DATA_DIR))
        one = manifest.houses[0]["id"] if len(manifest.houses) == 1 else "ID"
        newest = [str(file) for house in manifest.houses for file in self.outside(house)]
        file = newest[0] if len(manifest.houses) == len(newest) == 1 else "FILE"
        self.stdout.write(NEXT.format(called=CALLED, house=one, file=file))

    def outside(self, house: dict[str, Any]) -> list[Path]:
        """The files in folders of copies that cover more than the ledger has; prints them too."""
        ahead = []
        for file, published in copies.in_folders(UUID(house["id"])):
            if published.size > house["head"] + 1:
                ahead.append(file)
                self.stdout.write(
                    f"{house['name']} has lost events: {file} is a checkpoint of {published.size},"
                    f" and the book has {house['head'] + 1}."
                )
        return ahead


def _checkpoint(signed: dict[str, Any] | None) -> str:
    if signed is None:
        return "no checkpoint was signed"
    return (
        f"newest checkpoint: {signed['origin']}, {count_of(signed['size'], 'event')}, root"
        f" {signed['root']}"
    )


# Restores a backup into an empty place, while the house is stopped.
#
# Nothing is deleted or overwritten. The file is checked against its manifest before anything is
# changed, and the restored database afterwards.


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
    manifest = manifests.read(file)
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
    same_key = manifests.key_check() == manifest.secret_key
    return Restored(manifest=manifest, moved=moved, same_key=same_key)


def _fits(manifest: Manifest, connection: BaseDatabaseWrapper, file: Path) -> None:
    kind = manifest.database["kind"]
    if kind != connection.vendor:
        raise BackupRefused(f"{file} is of {kind}, and this house runs on {connection.vendor}.")
    known = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    applied = [(app, name) for app, names in manifest.migrations.items() for name in names]
    if strange := migrated.unknown_migration(applied, known):
        which = "an earlier" if strange in migrated.BEFORE else "a newer"
        raise BackupRefused(
            f"{file} was made by {which} version, {manifest.software}: this one does not know "
            f"{' '.join(strange)}. Restore it with that version."
        )


def _into_sqlite(
    connection: BaseDatabaseWrapper, file: Path, manifest: Manifest, now: datetime, *, replace: bool
) -> list[Path]:
    book = Path(connection.settings_dict["NAME"])
    with data_lock.alone_with(book.parent):
        if databases.there(book) and not replace:
            raise BackupRefused(
                f"There is a book at {book}. With --replace it is moved aside, and kept."
            )
        part = book.with_name(f".{book.name}.part")
        part.unlink(missing_ok=True)  # left by a restore that was killed
        try:
            _same(file, manifests.digest(file, copy_to=part), manifest)
            _holds(databases.check_pages(part), manifest)
            moved = _move_aside(book, now)
            part.rename(book)
            private.sync(book.parent)
        finally:
            part.unlink(missing_ok=True)
        _install_guards(connection)
    return moved


def _move_aside(book: Path, now: datetime) -> list[Path]:
    """Rename the old database and, if there is one, its write-ahead log."""
    if book.exists():
        databases.fold_log(book)
    moved = []
    for path in databases.there(book):
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
        if others := sessions.other_sessions(cursor):
            raise BackupRefused(
                f"{count_of(others, 'other is', 'others are')} connected to"
                f" {connection.settings_dict['NAME']}. Stop web, "
                "workers and beat first."
            )
    _same(file, manifests.digest(file), manifest)
    connection.close()
    databases.load(connection, file)
    _holds(databases.read(connection), manifest)
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
