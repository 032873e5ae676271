"""
Imports an exported ledger: every body is recorded byte for byte, at the same position.

Each command is appended through `journal.append`, in the order in which the commands were answered,
refused ones too. Subscribers are held until `release`, so that none of them books anything
meanwhile. If `read_in` is killed, the next call compares what is already recorded and continues.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from ledger import exporting, journal
from ledger.canonical import read_moment
from ledger.entries import Entry, NewEvent, Provenance, Refusal
from ledger.models import Checkpoint, CommandReceipt, ParkedEvent, Subscription
from ledger.tiles import WIDTH, Tiles
from ledger.verify import Checkpoint as Published
from ledger.verify import Export, Untrue
from ledger.wire import answer, booked_by, provenance_of, written

BATCH: Final = 100  # commands in one append
HELD: Final = 2**62  # the cursor of a subscriber that is held: beyond every event
IMPORT: Final = "import"


class Differs(Exception):  # noqa: N818  names the fact
    """A different ledger exists already under the house's id; the import does not continue."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A command as the exported files have it."""

    nth: int
    receipt: bytes
    bodies: tuple[bytes, ...]
    entry: Entry


def commands(export: Export) -> Iterator[Answered]:
    """
    Every command that was answered, in order.

    :raises Untrue: if receipts and events do not belong together, or `journal.append` would write
        other bytes.
    """
    house = UUID(export.manifest["establishment"])
    position, events = 0, export.lines("events.jsonl")
    for nth, line in enumerate(export.lines("receipts.jsonl")):
        receipt = json.loads(line)
        first, last = receipt["first_position"], receipt["last_position"]
        count = 0 if first is None else last - first + 1
        if count and first != position:
            raise Untrue(f"receipt {nth}: begins at position {first}, its turn is {position}.")
        bodies = tuple(islice(events, count))
        position += len(bodies)
        entry = _entry(receipt, [json.loads(body) for body in bodies])
        if tuple(row.body for row in written(house, entry)) != bodies:
            raise Untrue(f"position {first}: would be written otherwise.")
        if answer(_row(house, nth, entry, first)) != line:
            raise Untrue(f"receipt {nth}: is not what its events say.")
        yield Answered(nth, line, bodies, entry)
    if next(events, None) is not None:
        raise Untrue(f"position {position}: of no command.")


def read_in(export: Export, *, on_progress: Callable[[int], object] = lambda _events: None) -> int:
    """
    Append the commands that are not recorded yet; the number of commands appended.

    :param on_progress: is called after each batch with the number of events recorded so far.
    :raises Differs: if what is recorded already is something else.
    :raises Untrue: if the files contradict each other.
    """
    house = UUID(export.manifest["establishment"])
    walk, appended = _behind(house, commands(export)), 0
    while batch := list(islice(walk, BATCH)):
        answers = journal.append(establishment=house, entries=[each.entry for each in batch])
        for each, found in zip(batch, answers, strict=True):
            if found.repeated or found.first_position != json.loads(each.receipt)["first_position"]:
                raise Differs(f"Command {each.nth}: somebody else writes into this house.")
        appended += len(batch)
        on_progress(journal.head(establishment=house) + 1)
    return appended


def _behind(house: UUID, walk: Iterator[Answered]) -> Iterator[Answered]:
    """The commands that are not recorded yet; those that are recorded are compared."""
    head = exporting.fixed(house)
    bodies = exporting.bodies(house, head.events)
    for receipt in exporting.receipts(house, head.receipts):
        each = next(walk, None)
        if each is None or each.receipt != receipt:
            raise Differs("Another book of this house is here: its commands are others, or more.")
        if tuple(islice(bodies, len(each.bodies))) != each.bodies:
            raise Differs(f"Command {each.nth}: its events are here with other bodies.")
    yield from walk


def hash_tiles(establishment: UUID) -> None:
    """Make every full tile of the tree from the stored bodies."""
    tiles = Tiles(establishment)
    full = (journal.head(establishment=establishment) + 1) // WIDTH
    while tiles.full() < full:
        with transaction.atomic():
            tiles.grow(full)


def keep_checkpoints(export: Export) -> int:
    """
    Store the exported checkpoints, each compared with the tree first; the number of checkpoints.

    :raises Untrue: if the stored bodies hash to another root.
    """
    house = UUID(export.manifest["establishment"])
    tiles, rows = Tiles(house), []
    count = 0
    for line in export.lines("checkpoints.jsonl"):
        row = _checkpoint(house, json.loads(line))
        if tiles.root(row.size) != row.root:
            raise Untrue(f"The first {row.size} events hash to another root than was signed.")
        rows.append(row)
        count += 1
        if len(rows) == exporting.CHUNK:
            Checkpoint.objects.bulk_create(rows)
            rows = []
    Checkpoint.objects.bulk_create(rows)
    return count


def hold(establishment: UUID, subscribers: Iterable[str]) -> None:
    """Keep subscribers from reading a house's ledger while it is imported."""
    rows = [
        Subscription(establishment=establishment, name=name, position=HELD) for name in subscribers
    ]
    Subscription.objects.bulk_create(rows, ignore_conflicts=True)


def release(establishment: UUID, positions: Mapping[str, int]) -> None:
    """Release held subscribers: set each one's cursor to the position given for it."""
    for name, position in positions.items():
        Subscription.objects.filter(establishment=establishment, name=name).update(
            position=position
        )


def reached(export: Export) -> dict[str, dict[str, Any]]:
    """The exported cursors and parked events of subscribers that append, by name."""
    return {each["name"]: each for each in map(json.loads, export.lines("followers.jsonl"))}


def park(establishment: UUID, subscriber: Mapping[str, Any]) -> None:
    """Park the events that were parked at this subscriber when the ledger was exported."""
    now = timezone.now()
    ParkedEvent.objects.bulk_create(
        ParkedEvent(
            establishment=establishment, subscription=subscriber["name"], parked_at=now, **each
        )
        for each in subscriber["parked"]
    )


def _checkpoint(house: UUID, line: Mapping[str, Any]) -> Checkpoint:
    signed = Published.parse(line["note"].encode())
    return Checkpoint(
        establishment=house, epoch=line["epoch"], size=signed.size, origin=signed.origin,
        root=signed.root, receipts=signed.receipts, chain=signed.chain, note=line["note"],
        signed_at=read_moment(signed.signed_at or line["signed_at"]),
    )  # fmt: skip


def _entry(receipt: Mapping[str, Any], bodies: Sequence[Mapping[str, Any]]) -> Entry:
    refused = receipt["refusal_code"]
    guards: dict[str, int] = {}
    for body in bodies:
        guards.setdefault(body["stream"], body["stream_version"] - 1)
    return Entry(
        provenance=provenance_of(bodies[0]) if bodies else _of_no_event(receipt),
        request_hash=bytes.fromhex(receipt["request_hash"]),
        guards=guards,
        events=tuple(map(_event, bodies)),
        transfers=tuple(
            each for seq, body in enumerate(bodies) for each in booked_by(body["transfers"], seq)
        ),
        refusal=Refusal(code=refused, detail=receipt["refusal_detail"]) if refused else None,
    )


def _event(body: Mapping[str, Any]) -> NewEvent:
    """The event in the schema version in which it was written: `UPCASTERS` are not applied."""
    return NewEvent(
        stream=body["stream"],
        event_type=body["event_type"],
        schema_version=body["schema_version"],
        data=body["data"],
        event_id=UUID(body["event_id"]),
    )


def _of_no_event(receipt: Mapping[str, Any]) -> Provenance:
    """The provenance of a command without events: the receipt has the actor and the time only."""
    command_id, at = UUID(receipt["command_id"]), read_moment(receipt["recorded_at"])
    return Provenance(
        command_id=command_id, actor=receipt["actor"], device=IMPORT, correlation_id=command_id,
        causation_id=None, occurred_at=at, recorded_at=at, gaming_day=at.date(),
    )  # fmt: skip


def _row(house: UUID, nth: int, entry: Entry, first: int | None) -> CommandReceipt:
    """The row of the receipt that an entry leaves."""
    by, refusal = entry.provenance, entry.refusal
    return CommandReceipt(
        establishment=house,
        seq=nth,
        command_id=by.command_id,
        request_hash=entry.request_hash,
        first_position=first,
        last_position=None if first is None else first + len(entry.events) - 1,
        refusal_code=refusal.code if refusal else None,
        refusal_detail=refusal.detail if refusal else None,
        actor=by.actor,
        recorded_at=by.recorded_at,
    )
