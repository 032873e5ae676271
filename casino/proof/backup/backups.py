"""
Makes backups of the whole database while the house plays, each with a manifest beside it.

A backup gets its name only when it is complete, read back, its ledgers verified, and on the disk. A
backup that is not sound is kept as ``<name>.unsound``: the database itself may be unsound, and then
there is no better copy of it. No sound backup is deleted to make room for it.
"""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django.db import DEFAULT_DB_ALIAS, DatabaseError, InterfaceError, connections
from django.utils import timezone

from casino.engine.databases.storage_failure import SAYS
from casino.engine.processes import private
from casino.engine.processes.version import VERSION
from casino.proof.backup import databases, manifests, reading
from casino.proof.backup.manifests import BackupRefused, Manifest
from ledger.storage import storage_fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from django.db.backends.base.base import BaseDatabaseWrapper

    from casino.proof.backup.manifests import Contents

ENDINGS: Final = {"sqlite": "sqlite3", "postgresql": "dump"}
UNSOUND: Final = ".unsound"
LEFT_FILES: Final = ("", *databases.SIDE_FILES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    file: Path
    manifest: Manifest
    """The manifest of the backup; `Manifest.wrong` says what is not sound."""
    deleted: Sequence[Path]


def make(*, to: Path, now: datetime, keep: int | None = None) -> Made:
    """
    Back up the database to a new file, or into a folder under a name made from the time.

    :param keep: how many backups of this database stay in that folder, including this one.
    :raises BackupRefused: with a sentence for the user; then no backup was made.
    """
    connection = connections[alias()]
    with sentences(to):
        file = to / default_name(connection, now) if to.is_dir() else to
    part = file.with_name(f".{file.name}.part")
    with sentences(file):
        _overwrites_nothing(file)
        _begin(part)
        try:
            contents = _copy(connection, part)
            private.sync(part)
            verified = _verify(connection, contents, part)
            if verified["wrong"]:
                file = file.with_name(f"{file.name}{UNSOUND}")
                _overwrites_nothing(file)
            manifest = _manifest(
                connection=connection, contents=contents, name=file.name, part=part, now=now,
                verified=verified,
            )  # fmt: skip
            manifest_file = manifests.write(manifest, file)
            try:
                part.rename(file)
            except OSError:
                manifest_file.unlink()
                raise
            private.sync(file.parent)
        finally:
            for suffix in LEFT_FILES:
                part.with_name(part.name + suffix).unlink(missing_ok=True)
        deleted = _prune(file.parent, manifest, keep) if keep else []
    return Made(file=file, manifest=manifest, deleted=deleted)


def _overwrites_nothing(file: Path) -> None:
    for there in (file, manifests.path_of(file)):
        if there.exists():
            raise BackupRefused(f"{there} is there already. A backup overwrites nothing.")


def _verify(connection: BaseDatabaseWrapper, contents: Contents, part: Path) -> dict[str, Any]:
    """The result of reading the backup back, as the manifest contains it."""
    began = time.monotonic()
    found = reading.read(connection, part, contents)
    return {
        "at": f"{timezone.now():%Y-%m-%dT%H:%M:%S.%fZ}",
        "seconds": round(time.monotonic() - began, 3),
        "houses": found.houses,
        "wrong": found.wrong,
    }


def alias() -> str:
    """The database connection that may read everything."""
    default = connections[DEFAULT_DB_ALIAS]
    return DEFAULT_DB_ALIAS if default.vendor == "sqlite" else databases.owner()


def name_of(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """The name of a database: backups of another database may be in the same folder."""
    given = connection.settings_dict
    if connection.vendor == "sqlite":
        return {"kind": "sqlite", "name": str(Path(given["NAME"]).resolve())}
    where = f"{given['HOST'] or 'localhost'}:{given['PORT'] or 5432}"
    return {"kind": "postgresql", "name": f"{where}/{given['NAME']}"}


def default_name(connection: BaseDatabaseWrapper, now: datetime) -> str:
    return f"home-throw-{now:%Y%m%dT%H%M%SZ}.{ENDINGS[connection.vendor]}"


def _begin(part: Path) -> None:
    """Create the file that the backup is written to; only its owner may read it."""
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        raise BackupRefused(
            f"{part} is there: that backup is being made, or was killed. If none runs, delete it."
        ) from None


def _copy(connection: BaseDatabaseWrapper, part: Path) -> Contents:
    if connection.vendor == "postgresql":
        return databases.dump(connection, part)
    book = Path(connection.settings_dict["NAME"])
    if not book.exists():
        raise BackupRefused(f"There is no book at {book}: nothing to back up.")
    return databases.copy(book, part)


def _manifest(  # noqa: PLR0913 - what stands in it
    *,
    connection: BaseDatabaseWrapper,
    contents: Contents,
    name: str,
    part: Path,
    now: datetime,
    verified: dict[str, Any],
) -> Manifest:
    return Manifest(
        made_at=f"{now:%Y-%m-%dT%H:%M:%S.%fZ}",
        software=VERSION,
        database=name_of(connection),
        file=name,
        bytes=part.stat().st_size,
        sha256=manifests.digest(part),
        secret_key=manifests.key_check(),
        migrations=contents.migrations,
        houses=contents.houses,
        verified=verified,
    )


def _prune(folder: Path, newest: Manifest, keep: int) -> list[Path]:
    """
    Delete older backups of this database, so that `keep` remain of the kind of the newest, sound or
    unsound. Files without a manifest are not touched.
    """
    own: list[tuple[str, Path]] = []
    for path in folder.glob(f"*{manifests.SUFFIX}"):
        file = path.with_name(path.name.removesuffix(manifests.SUFFIX))
        try:
            manifest = manifests.read(file)
        except BackupRefused:
            continue
        alike = bool(manifest.wrong) == bool(newest.wrong)
        if alike and manifest.of_same_database(newest) and manifest.file == file.name:
            own.append((manifest.made_at, file))
    deleted = [file for _, file in sorted(own, reverse=True)[keep:]]
    for file in deleted:
        file.unlink(missing_ok=True)
        manifests.path_of(file).unlink()  # last: it shows that the file is ours
    return deleted


@contextmanager
def sentences(place: Path) -> Iterator[None]:
    """
    Turn errors of files and of the database into `BackupRefused` with a sentence.

    :param place: the path that is named if the error names none.
    """
    try:
        yield
    except OSError as error:
        raise BackupRefused(f"{error.filename or place}: {error.strerror}.") from error
    except (DatabaseError, InterfaceError) as error:
        found = storage_fault(error)
        sentence = SAYS[found] if found else "The database refuses."
        first, *_ = [*str(error).strip().splitlines(), ""]
        raise BackupRefused(f"{sentence} {first}") from error
