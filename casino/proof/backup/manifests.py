"""
The manifest beside a backup: says what the backup contains, so that a restore can check it.

JSON, ``<file>.manifest.json``: ``{"format", "made_at", "software", "database": {"kind", "name"},
"file", "bytes", "sha256", "secret_key", "migrations": {app: [name]}, "houses": [{"id", "name",
"head", "checkpoint": {"epoch", "size", "origin", "root"} or null}], "verified": {"at", "seconds",
"houses": [{"id", "position", "root", "receipts", "transfers", "checkpoints", "signed"}], "wrong":
[sentence]}}``. ``head`` and ``position`` are the last ledger position, -1 if there is none:
``head`` as the database reported it, ``position`` as it was read back from the file. ``root`` is
base64, as in a checkpoint; the root in ``verified`` is over all events.
"""

from __future__ import annotations

import hmac
import json
import os
from base64 import b64encode
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import starmap
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.conf import settings

from casino.engine.processes import private
from ledger.verify import Unreadable, read_file, read_json

if TYPE_CHECKING:
    from pathlib import Path

FORMAT: Final = "home-throw-backup/2"
UNVERIFIED: Final = "home-throw-backup/1"  # the older format: backups were not read back
SUFFIX: Final = ".manifest.json"
CHUNK: Final = 2**20  # bytes read at a time
ANY: Final = "*"  # every name has the same shape
CHECKPOINT: Final = {"epoch": int, "size": int, "origin": str, "root": str}
READ_BACK: Final = {
    "id": str, "position": int, "root": str, "receipts": int, "transfers": int,
    "checkpoints": int, "signed": int,
}  # fmt: skip
SHAPE: Final = {
    "format": str, "made_at": str, "software": str, "database": {"kind": str, "name": str},
    "file": str, "bytes": int, "sha256": str, "secret_key": str, "migrations": {ANY: [str]},
    "houses": [{"id": str, "name": str, "head": int, "checkpoint": (CHECKPOINT,)}],
    "verified": ({"at": str, "seconds": float, "houses": [READ_BACK], "wrong": [str]},),
}  # fmt: skip
"""The types in a manifest; a tuple: this, or null."""
WORDS: Final = {str: "text", int: "whole number", float: "number"}


class BackupRefused(Exception):  # noqa: N818 - a fact
    """A backup or a restore was refused; the message is a sentence for the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What a database contains, as the database reported it."""

    migrations: dict[str, list[str]]
    houses: list[dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest(Contents):
    made_at: str
    """UTC, ISO 8601 with microseconds, so that backups sort by time."""
    software: str
    database: dict[str, str]
    file: str
    bytes: int
    sha256: str
    secret_key: str
    """A check value that shows whether SECRET_KEY is the same, without revealing the key."""
    verified: dict[str, Any] | None = None
    """The result of reading the backup back; None: an earlier version did not read it back."""
    format: str = FORMAT

    def of_same_database(self, other: Manifest) -> bool:
        return self.database == other.database

    @property
    def wrong(self) -> list[str]:
        """Sentences about what is wrong in the backup's file; empty if the backup is sound."""
        return [] if self.verified is None else list(self.verified["wrong"])

    @property
    def contents(self) -> Contents:
        return Contents(migrations=self.migrations, houses=self.houses)


def path_of(file: Path) -> Path:
    return file.with_name(file.name + SUFFIX)


def write(manifest: Manifest, file: Path) -> Path:
    """Write the manifest beside a backup, completely or not at all, and wait for the disk."""
    path = path_of(file)
    part = path.with_name(f".{path.name}.part")
    try:
        with open(part, "w", encoding="utf-8", opener=private.opener) as out:
            json.dump(asdict(manifest), out, indent=1, ensure_ascii=False)
            out.write("\n")
            out.flush()
            os.fsync(out.fileno())
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)
    return path


def read(file: Path) -> Manifest:
    """
    Read the manifest beside a backup.

    :raises BackupRefused: if there is none, or this version cannot read it.
    """
    if not file.name:
        raise BackupRefused(f"{file} is a folder: name the file of a backup in it.")
    path = path_of(file)
    try:
        values = read_json(read_file(path), str(path))
    except OSError as error:
        raise BackupRefused(
            f"Cannot read {path}: {error.strerror}. A backup is restored with the manifest that "
            "was written beside it: without that nobody can tell whether it is whole."
        ) from error
    except Unreadable as error:
        raise BackupRefused(f"{error}: no manifest of a backup.") from error
    if not isinstance(values, dict) or values.get("format") not in (FORMAT, UNVERIFIED):
        raise BackupRefused(f"{path} is no manifest of a backup that this version can read.")
    if (wrong := _misfit({"verified": None, **values}, SHAPE, "")) is not None:
        raise BackupRefused(f"{path} is no manifest of a backup: {wrong}.")
    return Manifest(**values)


def _misfit(value: Any, shape: Any, where: str) -> str | None:
    """What in a value does not have a shape, and where; None: it has it."""
    match shape:
        case type():
            return None if type(value) is shape else f"{where} is no {WORDS[shape]}"
        case tuple():  # one of these, or null
            return None if value is None else _misfit(value, shape[0], where)
        case [each]:
            if not isinstance(value, list):
                return f"{where} is no list"
            inner = ((row, each, f"{where}[{nth}]") for nth, row in enumerate(value))
        case _:
            if not isinstance(value, dict):
                return f"{where} is no object"
            known = dict.fromkeys(value, shape[ANY]) if ANY in shape else shape
            for name in sorted(value.keys() ^ known.keys()):
                return f"{where}.{name:.60}".lstrip(".") + (
                    " is missing" if name in known else " is not part of it"
                )
            inner = (
                (value[name], known[name], f"{where}.{name:.60}".lstrip(".")) for name in known
            )
    return next(filter(None, starmap(_misfit, inner)), None)


def digest(file: Path, copy_to: Path | None = None) -> str:
    """The SHA-256 of a file, in hex. With `copy_to`, the same pass also copies the file there."""
    seen = sha256()
    with file.open("rb") as source:
        if copy_to is None:
            while block := source.read(CHUNK):
                seen.update(block)
            return seen.hexdigest()
        with open(copy_to, "xb", opener=private.opener) as out:
            while block := source.read(CHUNK):
                seen.update(block)
                out.write(block)
            out.flush()
            os.fsync(out.fileno())
    return seen.hexdigest()


def key_check() -> str:
    """The check value of the current SECRET_KEY, for the manifest."""
    return hmac.digest(settings.SECRET_KEY.encode(), b"home-throw backup", "sha256").hex()[:16]


# Reads what a database contains: its migrations, and each house's head and newest checkpoint.


if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Set as AbstractSet

    Ask = Callable[[str], list[tuple[Any, ...]]]

MIGRATIONS: Final = "SELECT app, name FROM django_migrations ORDER BY app, name"
HOUSES: Final = """
    SELECT id, name,
        (SELECT max(position) FROM ledger_event WHERE establishment = house.id)
    FROM establishments_establishment AS house ORDER BY id"""
CHECKPOINTS: Final = """
    SELECT establishment, epoch, size, origin, root FROM ledger_checkpoint AS one
    WHERE NOT EXISTS (SELECT 1 FROM ledger_checkpoint AS newer
        WHERE newer.establishment = one.establishment
            AND (newer.epoch, newer.size) > (one.epoch, one.size))"""


def contents(ask: Ask, tables: AbstractSet[str]) -> Contents:
    """
    The contents of a database, for the manifest of a backup.

    :param ask: executes a statement on one snapshot of the database, SQLite or PostgreSQL.
    :param tables: the tables that exist: a database of an older version has no checkpoints yet.
    """
    migrations: dict[str, list[str]] = {}
    for app, name in ask(MIGRATIONS):
        migrations.setdefault(app, []).append(name)
    rows = ask(CHECKPOINTS) if "ledger_checkpoint" in tables else []
    signed = {_uuid(house): _checkpoint(*row) for house, *row in rows}
    houses = [
        {
            "id": _uuid(house),
            "name": name,
            "head": -1 if head is None else head,
            "checkpoint": signed.get(_uuid(house)),
        }
        for house, name, head in ask(HOUSES)
    ]
    return Contents(migrations=migrations, houses=houses)


def _checkpoint(epoch: int, size: int, origin: str, root: bytes) -> dict[str, Any]:
    return {"epoch": epoch, "size": size, "origin": origin, "root": b64encode(root).decode()}


def _uuid(value: Any) -> str:
    """An id as text with dashes; SQLite stores ids as 32 hex digits."""
    return str(value if isinstance(value, UUID) else UUID(value))
