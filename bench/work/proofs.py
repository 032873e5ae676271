"""Makes long ledgers quickly, and measures their trees, checkpoints and receipts."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from dataclasses import replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import connections, transaction
from django.utils import timezone

from bench.work.appends import Stream
from casino.proof.verification import verifying
from ledger import checkpoints, exporting, install, journal, proofs, sqlite, verify
from ledger.models import Checkpoint, CommandReceipt
from ledger.notes import SigningKey
from ledger.tiles import WIDTH, Tiles
from ledger.wire import leaf_hash, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ledger.checking.book import Book
    from ledger.entries import Entry
    from ledger.wire import Written

KEY = SigningKey.generate("bench")
# Reports its own peak memory: what wait4 says about a child begins with its parent's memory.
WITH_ITS_MEMORY = """
import runpy, sys
del sys.argv[0]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
except SystemExit as ended:
    if ended.code:
        raise
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""
EVENT = (
    "establishment", "position", "event_id", "stream", "stream_version", "event_type",
    "schema_version", "command_id", "command_seq", "actor", "device", "correlation_id",
    "causation_id", "occurred_at", "recorded_at", "gaming_day", "body", "leaf_hash",
)  # fmt: skip
RECEIPT = (
    "establishment", "seq", "command_id", "request_hash", "first_position", "last_position",
    "refusal_code", "refusal_detail", "actor", "recorded_at",
)  # fmt: skip


def bulk(*, house: str, events: int) -> int:
    """Write complete events without the append function. Return how many the ledger has then."""
    place = UUID(house)
    first = journal.head(establishment=place) + 1
    seq = CommandReceipt.objects.filter(establishment=place).count()
    batch = list(entries(Stream(place, transfers=False), events))
    if "owner" in connections:
        _copied(place, batch, first, seq)
    else:
        _inserted(place, batch, first)
    return journal.head(establishment=place) + 1


def entries(stream: Stream, events: int) -> Iterator[Entry]:
    for _ in range(events):
        yield stream.entry()
        stream.passed()


def _inserted(house: UUID, batch: Sequence[Entry], first: int) -> None:
    with transaction.atomic(), connections["default"].cursor() as cursor:
        for trigger in install.sqlite_triggers():
            cursor.execute(f"DROP TRIGGER {trigger}")
        cursor.executemany(
            sqlite.INSERT_EVENT,
            [
                row
                for position, entry in enumerate(batch, first)
                for row in sqlite._event_rows(house.hex, entry, write(house, entry), position)  # noqa: SLF001
            ],
        )
        for position, entry in enumerate(batch, first):
            receipt = journal.Receipt(
                command_id=entry.provenance.command_id, request_hash=entry.request_hash,
                first_position=position, last_position=position, refusal=None, repeated=False,
            )  # fmt: skip
            cursor.execute(sqlite.INSERT_RECEIPT, sqlite._receipt_row(house.hex, entry, receipt))  # noqa: SLF001
    install.install(connections["default"])


def _copied(house: UUID, batch: Sequence[Entry], first: int, seq: int) -> None:
    owner = connections["owner"]
    tables = ("ledger_event", "ledger_commandreceipt")
    with transaction.atomic(using="owner"), owner.cursor() as cursor:
        for table in tables:
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        with cursor.copy(f"COPY ledger_event ({', '.join(EVENT)}) FROM STDIN") as rows:
            for position, entry in enumerate(batch, first):
                rows.write_row(_event_row(house, position, entry, write(house, entry)[0]))
        with cursor.copy(f"COPY ledger_commandreceipt ({', '.join(RECEIPT)}) FROM STDIN") as rows:
            for nth, entry in enumerate(batch):
                rows.write_row(_receipt_row(house, seq + nth, first + nth, entry))
    install.install(owner)


def _event_row(house: UUID, position: int, entry: Entry, row: Written) -> tuple[Any, ...]:
    by, [event] = entry.provenance, entry.events
    return (
        house, position, event.event_id, event.stream, row.stream_version, event.event_type,
        event.schema_version, by.command_id, 0, by.actor, by.device, by.correlation_id,
        by.causation_id, by.occurred_at, by.recorded_at, by.gaming_day, row.body,
        leaf_hash(row.body),
    )  # fmt: skip


def _receipt_row(house: UUID, seq: int, position: int, entry: Entry) -> tuple[Any, ...]:
    by = entry.provenance
    return (
        house, seq, by.command_id, entry.request_hash, position, position, None, None, by.actor,
        by.recorded_at,
    )  # fmt: skip


def tree(*, house: str) -> dict[str, float]:
    """Store tiles for new leaves, and sign a checkpoint over all: leaves per second, and memory."""
    place = UUID(house)
    behind = journal.head(establishment=place) + 1 - WIDTH * Tiles(place).full()
    began = time.perf_counter()
    signed = _grown(place)
    seconds = time.perf_counter() - began
    assert signed is not None
    return {"leaves": behind / seconds, "size": signed.size, "MB": _megabytes()}


def checkpoint(*, house: str, more: int) -> float:
    """Append `more` events after the last checkpoint. Return the milliseconds to the next one."""
    place, stream = UUID(house), Stream(UUID(house), transfers=False)
    for _ in range(more):
        stream.append()
    began = time.perf_counter()
    assert _grown(place) is not None
    return 1000 * (time.perf_counter() - began)


def receipts(*, house: str, number: int, seed: int) -> dict[str, float]:
    """Receipts of random events of the ledger: made per second, and checked per second."""
    place, chance = UUID(house), Random(seed)  # noqa: S311  which events does not matter
    size = proofs.covering(place, 0).size
    positions = [chance.randrange(size) for _ in range(number)]
    began = time.perf_counter()
    made = [str(proofs.receipt(place, position)) for position in positions]
    middle = time.perf_counter()
    for text in made:
        found = verify.Receipt.parse(text.encode())
        found.check()
        trust = verify.Trust(keys=(KEY.named(found.checkpoint.origin).public,))
        assert trust.believe(found.checkpoint)
    end = time.perf_counter()
    return {
        "made": number / (middle - began),
        "checked": number / (end - middle),
        "bytes": sum(map(len, made)) / number,
    }


def _grown(house: UUID) -> Checkpoint | None:
    return checkpoints.grow(
        establishment=house, keys=[KEY], name="bench.example", now=timezone.now()
    )


def _megabytes() -> float:
    """The peak memory of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def verified(*, house: str, folder: str) -> dict[str, float]:
    """
    Seconds for the same bodies: only hashed, verified in an export, and verified in the database.

    In the database, first the events with all that depends on them (columns, streams, commands,
    transfers, stored tiles, roots), then everything else that `verify_ledger` checks, except
    projections.
    """
    place = UUID(house)
    exporting.export(
        establishment=place, to=Path(folder) / "whole", keys=(), exported_at=timezone.now(),
        software="bench",
    )  # fmt: skip
    book = replace(
        verifying.open_book(place, now=timezone.now()),
        keys=(KEY.named(proofs.covering(place, 0).origin).public,),
    )
    seconds = {stage: _stage(book, stage) for stage in verifying.stages(projections=False)}
    whole = Path(folder) / "whole"
    bodies, answers = (_bare(whole / name) for name in ("events.jsonl", "receipts.jsonl"))
    export, memory = _export(whole, proofs.covering(place, 0).note)
    return {
        "events": book.stop,
        "bare": bodies,
        "bare export": bodies + answers,
        "export": export,
        "export MB": memory,
        "stage": seconds["events"],
        "whole": sum(seconds.values()),
        "MB": _megabytes(),
    }


def _stage(book: Book, stage: str) -> float:
    began = time.perf_counter()
    findings = [each for step in verifying.steps(book, stage, {}) for each in step.findings]
    assert not findings, findings[0]
    return time.perf_counter() - began


def _bare(file: Path) -> float:
    """Seconds to hash every line that is already in memory."""
    seconds = 0.0
    with file.open("rb") as lines:
        while chunk := [line[:-1] for line in islice(lines, 20_000)]:
            began = time.perf_counter()
            for body in chunk:
                sha256(b"\x00" + body).digest()
            seconds += time.perf_counter() - began
    return seconds


def _export(whole: Path, note: str) -> tuple[float, float]:
    """Seconds and megabytes of the verifier, started as an auditor starts it."""
    kept = whole.with_suffix(".checkpoint")
    kept.write_text(note)
    command = [sys.executable, "-c", WITH_ITS_MEMORY, verify.__file__, "export", str(whole)]
    began = time.perf_counter()
    done = subprocess.run(
        [*command, "--checkpoint", str(kept)], capture_output=True, text=True, check=True
    )
    return time.perf_counter() - began, int(done.stdout.split()[-1]) / 1024
