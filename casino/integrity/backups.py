"""
Backups of the whole database while the house plays, each with a manifest beside it.

A backup has its name only once it is whole, looked through and on the disk.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.db import DEFAULT_DB_ALIAS, DatabaseError, InterfaceError, connections

from casino.integrity import backup_manifest, backup_postgresql, backup_sqlite
from casino.integrity.backup_manifest import BackupRefused, Manifest
from casino.storage import SAYS
from casino.version import VERSION
from ledger.storage import ailment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from django.db.backends.base.base import BaseDatabaseWrapper

    from casino.integrity.backup_manifest import Contents

ENDINGS: Final = {"sqlite": "sqlite3", "postgresql": "dump"}
LEFT_BESIDE: Final = ("", *backup_sqlite.BESIDE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    file: Path
    manifest: Manifest
    deleted: Sequence[Path]


def make(*, to: Path, now: datetime, keep: int | None = None) -> Made:
    """
    Back the database up to a new file, or into a folder under a name made from the time.

    :param keep: how many backups of this database stay in that folder, this one among them.
    :raises BackupRefused: with the sentence to say; nothing has come of it then.
    """
    connection = connections[alias()]
    file = to / default_name(connection, now) if to.is_dir() else to
    part = file.with_name(f".{file.name}.part")
    with sentences(file):
        for there in (file, backup_manifest.path_of(file)):
            if there.exists():
                raise BackupRefused(f"{there} is there already. A backup overwrites nothing.")
        _begun(part)
        try:
            told = _copied(connection, part)
            manifest = _manifest(connection, told, file.name, part, now)
            backup_manifest.synced(part)
            beside = backup_manifest.written(manifest, file)
            try:
                part.rename(file)
            except OSError:
                beside.unlink()
                raise
            backup_manifest.synced(file.parent)
        finally:
            for suffix in LEFT_BESIDE:
                part.with_name(part.name + suffix).unlink(missing_ok=True)
        deleted = _prune(file.parent, manifest, keep) if keep else []
    return Made(file=file, manifest=manifest, deleted=deleted)


def alias() -> str:
    """The database connection that may read everything."""
    default = connections[DEFAULT_DB_ALIAS]
    return DEFAULT_DB_ALIAS if default.vendor == "sqlite" else backup_postgresql.owner()


def name_of(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """Which database it is: backups of another may lie in the same folder."""
    given = connection.settings_dict
    if connection.vendor == "sqlite":
        return {"kind": "sqlite", "name": str(Path(given["NAME"]).resolve())}
    where = f"{given['HOST'] or 'localhost'}:{given['PORT'] or 5432}"
    return {"kind": "postgresql", "name": f"{where}/{given['NAME']}"}


def default_name(connection: BaseDatabaseWrapper, now: datetime) -> str:
    return f"home-throw-{now:%Y%m%dT%H%M%SZ}.{ENDINGS[connection.vendor]}"


def _begun(part: Path) -> None:
    """Make the file that the backup is written to, for its owner's eyes only."""
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        raise BackupRefused(
            f"{part} is there: that backup is being made, or was killed. If none runs, delete it."
        ) from None


def _copied(connection: BaseDatabaseWrapper, part: Path) -> Contents:
    if connection.vendor == "postgresql":
        return backup_postgresql.dumped(connection, part)
    book = Path(connection.settings_dict["NAME"])
    if not book.exists():
        raise BackupRefused(f"There is no book at {book}: nothing to back up.")
    return backup_sqlite.copied(book, part)


def _manifest(
    connection: BaseDatabaseWrapper, told: Contents, name: str, part: Path, now: datetime
) -> Manifest:
    return Manifest(
        made_at=f"{now:%Y-%m-%dT%H:%M:%S.%fZ}",
        software=VERSION,
        database=name_of(connection),
        file=name,
        bytes=part.stat().st_size,
        sha256=backup_manifest.digest(part),
        secret_key=backup_manifest.key_check(),
        migrations=told.migrations,
        houses=told.houses,
    )


def _prune(folder: Path, newest: Manifest, keep: int) -> list[Path]:
    """Delete this database's older backups. What has no manifest is not ours."""
    own: list[tuple[str, Path]] = []
    for beside in folder.glob(f"*{backup_manifest.SUFFIX}"):
        file = beside.with_name(beside.name.removesuffix(backup_manifest.SUFFIX))
        try:
            manifest = backup_manifest.read(file)
        except BackupRefused:
            continue
        if manifest.of_same_database(newest) and manifest.file == file.name:
            own.append((manifest.made_at, file))
    deleted = [file for _, file in sorted(own, reverse=True)[keep:]]
    for file in deleted:
        file.unlink(missing_ok=True)
        backup_manifest.path_of(file).unlink()  # last: until then the file is known for ours
    return deleted


@contextmanager
def sentences(place: Path) -> Iterator[None]:
    """What may go wrong with files and the database, each as a sentence. `place` is written to."""
    try:
        yield
    except OSError as error:
        raise BackupRefused(f"{error.filename or place}: {error.strerror}.") from error
    except (DatabaseError, InterfaceError) as error:
        found = ailment(error)
        says = SAYS[found] if found else "The database refuses."
        first, *_ = [*str(error).strip().splitlines(), ""]
        raise BackupRefused(f"{says} {first}") from error
