"""
Exports a house's ledger as files that anybody can read. docs/reference/proofs.md describes the
format; `verify` checks it.

The house plays on meanwhile: the extent of the export (events, answers, cursors of subscribers) is
fixed first, in one statement, and everything later is left out. Rows are read in chunks. The files
are written under a temporary name, which is replaced when the export is complete.
"""

import os
import shutil
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Final
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Q

from ledger import canonical, epochs, journal, spelling
from ledger.models import Checkpoint, Event
from ledger.notes import SigningKey, sign
from ledger.tiles import Altered
from ledger.verify import EXPORT, MANIFEST, MANIFEST_NOTE, Key, manifest_text

CHUNK: Final = 1000  # rows that one query reads
ARCHIVE: Final = ".zip"

HEAD: Final = """
    SELECT (SELECT max(position) FROM ledger_event WHERE establishment = %s),
           (SELECT max(seq) FROM ledger_commandreceipt WHERE establishment = %s),
           subscriber.name, subscriber.position,
           parked.position, parked.stream, parked.error, parked.attempts
    FROM (SELECT 1) AS once
    LEFT JOIN ledger_subscription AS subscriber
        ON subscriber.establishment = %s AND subscriber.name IN ({names})
    LEFT JOIN ledger_parkedevent AS parked
        ON parked.establishment = subscriber.establishment AND parked.subscription = subscriber.name
    ORDER BY subscriber.name, parked.position"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The extent of an export: how many events and answers there are, and how far readers are."""

    events: int
    receipts: int
    subscribers: tuple[dict[str, Any], ...]
    """Subscribers that append: ``{"name", "position", "parked": [{"position", "stream", …}]}``."""


class Package:
    """
    The files of an export: a folder, or a zip file if the name ends in .zip.

    It gets its final name only when it is complete. Only its owner can read it, because it may
    contain names of people.
    """

    def __init__(self, to: Path) -> None:
        self.to, self.part = to, to.with_name(f".{to.name}.part")
        self.files: dict[str, dict[str, Any]] = {}
        self._archive: zipfile.ZipFile | None = None

    @contextmanager
    def made(self) -> Iterator[None]:
        """
        Begin the package, and complete it at the end of the block; after an error, delete it.

        :raises FileExistsError: if the name is taken, or such an export is being made.
        """
        if self.to.exists():
            raise FileExistsError(f"{self.to} is there already. An export overwrites nothing.")
        try:
            self._begin()
        except FileExistsError:
            raise FileExistsError(
                f"{self.part} is there: that export is being made, or was killed. If none runs,"
                " delete it."
            ) from None
        try:
            yield
            self._end()
        except BaseException:
            self._drop()
            raise

    def add(self, name: str, lines: Iterable[bytes]) -> int:
        """Write a file of lines and note it for the manifest; the number of lines."""
        hashed, size, count = sha256(), 0, 0
        with self._open_files(name) as out:
            for line in lines:
                hashed.update(line + b"\n")
                size, count = size + out.write(line + b"\n"), count + 1
        self.files[name] = {"sha256": hashed.hexdigest(), "bytes": size}
        return count

    def _begin(self) -> None:
        if self.to.suffix != ARCHIVE:
            self.part.mkdir(mode=0o700)
            return
        os.close(os.open(self.part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        self._archive = zipfile.ZipFile(self.part, "w", zipfile.ZIP_DEFLATED)

    @contextmanager
    def _open_files(self, name: str) -> Iterator[IO[bytes]]:
        if self._archive is not None:
            with self._archive.open(name, "w", force_zip64=True) as inner:
                yield inner
            return
        descriptor = os.open(self.part / name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with open(descriptor, "wb") as out:  # noqa: PTH123  a path opens for everybody's eyes
            yield out
            out.flush()
            os.fsync(descriptor)

    def _end(self) -> None:
        if self._archive is not None:
            self._archive.close()
        _sync(self.part)
        self.part.rename(self.to)
        _sync(self.to.parent)

    def _drop(self) -> None:
        if self._archive is None:
            shutil.rmtree(self.part, ignore_errors=True)
        else:
            self._archive.close()
            self.part.unlink(missing_ok=True)


def export(  # noqa: PLR0913  what a manifest says
    *,
    establishment: UUID,
    to: Path,
    keys: Sequence[Key],
    exported_at: datetime,
    software: str,
    signing: Sequence[SigningKey] = (),
    booking: Sequence[str] = (),
    head: Head | None = None,
    extra_files: Mapping[str, Iterable[bytes]] | None = None,
    using: str = DEFAULT_DB_ALIAS,
) -> dict[str, Any]:
    """
    Export a house's ledger to a folder or a zip file.

    :param to: a folder that does not exist yet, or a file whose name ends in .zip.
    :param keys: the house's public keys, named for each of its origins.
    :param signing: the house's secret keys, all named for its origin: they sign the manifest, and
        so every file. Without them nothing but the checkpoints says whose export it is.
    :param booking: subscribers that append: their cursors are exported too.
    :param head: the extent of the export, if it was fixed before with `extent`.
    :param extra_files: further files by name, each an iterable of lines. They are read after the
        ledger, so that they contain everything that the events refer to.
    :returns: the content of the manifest.
    :raises FileExistsError: if the name is taken.
    :raises Altered: if a position or a receipt is missing.
    """
    head = head or extent(establishment, booking, using=using)
    package = Package(to)
    with package.made():
        package.add("events.jsonl", bodies(establishment, head.events, using=using))
        package.add("receipts.jsonl", receipts(establishment, head.receipts, using=using))
        origins: dict[int, str] = {}
        notes = covering(establishment, head, origins, using=using)
        checkpoints = package.add("checkpoints.jsonl", notes)
        package.add("followers.jsonl", map(canonical.encode, head.subscribers))
        for name, lines in (extra_files or {}).items():
            package.add(name, lines)
        manifest: dict[str, Any] = {
            "format": EXPORT,
            "establishment": str(establishment),
            "events": head.events,
            "receipts": head.receipts,
            "checkpoints": checkpoints,
            "keys": list(map(str, keys)),
            "epochs": _epochs(establishment, head, origins, using=using),
            "exported_at": canonical.moment(exported_at),
            "software": software,
            "files": dict(package.files),
        }
        line = canonical.encode(manifest)
        package.add(MANIFEST, [line])
        if signing:
            note = sign(manifest_text(signing[0].name, line + b"\n"), signing)
            package.add(MANIFEST_NOTE, note.encode().splitlines())
    return manifest


def extent(
    establishment: UUID, booking: Sequence[str] = (), *, using: str = DEFAULT_DB_ALIAS
) -> Head:
    """The extent of the ledger now. One statement reads it, so all figures are of one moment."""
    connection = connections[using]
    house = establishment if connection.vendor == "postgresql" else establishment.hex
    names = ", ".join(["%s"] * len(booking)) or "NULL"
    with connection.cursor() as cursor:
        cursor.execute(HEAD.format(names=names), [house, house, house, *booking])
        rows = cursor.fetchall()
    subscribers: dict[str, dict[str, Any]] = {}
    for _, _, name, position, *parked in rows:
        if name is None:
            continue
        reached = subscribers.setdefault(name, {"name": name, "position": position, "parked": []})
        if parked[0] is not None:
            keys = ("position", "stream", "error", "attempts")
            reached["parked"].append(dict(zip(keys, parked, strict=True)))
    last, seq = rows[0][:2]
    return Head(
        events=0 if last is None else last + 1,
        receipts=0 if seq is None else seq + 1,
        subscribers=tuple(subscribers.values()),
    )


def covering(
    establishment: UUID, head: Head, origins: dict[int, str], *, using: str = DEFAULT_DB_ALIAS
) -> Iterator[bytes]:
    """
    The checkpoints that cover nothing beyond the head, in the order in which they were signed, one
    line each. The note is what was signed; the other fields are for an import.

    :param origins: is filled with the origin of each epoch.
    """
    rows = Checkpoint.objects.using(using).filter(
        establishment=establishment, size__lte=head.events, receipts__lte=head.receipts
    )
    rows, epoch, size = rows.order_by("epoch", "size"), 0, 0
    while chunk := list(rows.filter(Q(epoch__gt=epoch) | Q(epoch=epoch, size__gt=size))[:CHUNK]):
        for row in chunk:
            origins[row.epoch] = row.origin
            at = canonical.moment(row.signed_at)
            yield canonical.encode({"epoch": row.epoch, "note": row.note, "signed_at": at})
        epoch, size = chunk[-1].epoch, chunk[-1].size


def bodies(establishment: UUID, events: int, *, using: str = DEFAULT_DB_ALIAS) -> Iterator[bytes]:
    """
    The bodies of the first `events` events, in order, read in chunks.

    :raises Altered: if one is missing.
    """
    rows = Event.objects.using(using).filter(establishment=establishment).order_by("position")
    for start in range(0, events, CHUNK):
        end = min(start + CHUNK, events)
        chunk = rows.filter(position__gte=start, position__lt=end)
        at = start
        for position, body in chunk.values_list("position", "body"):
            if position != at:
                break
            yield bytes(body)
            at += 1
        if at != end:
            raise Altered(f"Position {at} is missing.", first=at, last=at)


def receipts(establishment: UUID, count: int, *, using: str = DEFAULT_DB_ALIAS) -> Iterator[bytes]:
    """
    The first `count` answers to commands, as the chain of receipts hashes them.

    :raises Altered: if one is missing.
    """
    at = 0
    for seq, answer in spelling.answers_of(establishment, 0, using=using):
        if at == count:
            return
        if seq != at:
            break
        yield answer
        at += 1
    if at != count:
        raise Altered(f"The receipt of command {at} is missing.", first=0, last=0)


def _epochs(
    establishment: UUID, head: Head, origins: Mapping[int, str], *, using: str
) -> list[dict[str, Any]]:
    """Each epoch with the position that opens it; origin None: nothing was signed in it."""
    found = [{"epoch": 1, "origin": origins.get(1), "from": 0}]
    for event in journal.stream(establishment=establishment, stream=epochs.STREAM, using=using):
        epoch = event.data["epoch"]
        if event.position < head.events:
            found.append({"epoch": epoch, "origin": origins.get(epoch), "from": event.position})
    return found


def _sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
