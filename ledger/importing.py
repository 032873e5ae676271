"""
Imports an exported ledger: every body is recorded byte for byte, at the same position.

Each command is appended through `journal.append`, in the order in which the commands were answered,
refused ones too. Whoever wants the import to leave nothing when it is killed calls these functions
in one transaction; otherwise the next `read_in` compares what is already recorded and continues.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from ledger import exporting, journal
from ledger.canonical import read_moment
from ledger.conflicts import count_of
from ledger.entries import Entry, NewEvent, Provenance, Refusal
from ledger.models import Checkpoint, CommandReceipt, ParkedEvent, Subscription
from ledger.subscriptions import NOT_BOOKABLE
from ledger.tiles import WIDTH, Tiles
from ledger.verify import Checkpoint as Published
from ledger.verify import Export, Unreadable, Untrue, read_json
from ledger.wire import answer, provenance_of, transfers_of_body, write

BATCH: Final = 100  # commands in one append
BATCH_BYTES: Final = 16 << 20  # of bodies: of one append, and of one command
ATTEMPTS_MAX: Final = 2**31 - 1
POSITION_MAX: Final = 2**63 - 1
NOT_STORABLE: Final = re.compile("[\\0\ud800-\udfff]")  # what no database keeps in a text
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
        try:
            each = _command(house, nth, line, events, position)
        except Unreadable:
            raise
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise Untrue(f"receipt {nth}: not readable: {error!r}") from error
        position += len(each.bodies)
        yield each
    if next(events, None) is not None:
        raise Untrue(f"position {position}: of no command.")


def _command(
    house: UUID, nth: int, line: bytes, events: Iterator[bytes], position: int
) -> Answered:
    """The command of a receipt, with its events, which are the next ones."""
    receipt = read_json(line, f"receipt {nth}")
    first, last = receipt["first_position"], receipt["last_position"]
    count = 0 if first is None else last - first + 1
    if count and first != position:
        raise Untrue(f"receipt {nth}: begins at position {first}, its turn is {position}.")
    bodies = tuple(_within_bounds(islice(events, count), nth))
    entry = _entry(receipt, [read_json(body, f"receipt {nth}") for body in bodies])
    if tuple(row.body for row in write(house, entry)) != bodies:
        raise Untrue(f"position {first}: would be written otherwise.")
    if answer(_row(house, nth, entry, first)) != line:
        raise Untrue(f"receipt {nth}: is not what its events say.")
    return Answered(nth, line, bodies, entry)


def _within_bounds(bodies: Iterator[bytes], nth: int) -> Iterator[bytes]:
    size = 0
    for body in bodies:
        size += len(body)
        if size > BATCH_BYTES:
            raise Untrue(f"receipt {nth}: its events have more than {BATCH_BYTES} bytes.")
        yield body


def _batches(walk: Iterator[Answered]) -> Iterator[list[Answered]]:
    """The commands in lists that one append takes."""
    batch: list[Answered] = []
    size = 0
    for each in walk:
        batch.append(each)
        size += sum(map(len, each.bodies))
        if len(batch) == BATCH or size > BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def read_in(export: Export, *, on_progress: Callable[[int], object] = lambda _events: None) -> int:
    """
    Append the commands that are not recorded yet; the number of commands appended.

    :param on_progress: is called after each batch with the number of events recorded so far.
    :raises Differs: if what is recorded already is something else.
    :raises Untrue: if the files contradict each other, or say what no ledger may.
    """
    house, appended = UUID(export.manifest["establishment"]), 0
    for batch in _batches(_behind(house, commands(export))):
        entries, position = [each.entry for each in batch], journal.head(establishment=house) + 1
        try:
            answers = journal.append(establishment=house, entries=entries, savepoint=False)
        except NOT_BOOKABLE as error:
            raise Untrue(f"Receipts {batch[0].nth} to {batch[-1].nth}: {error}") from error
        for each, found in zip(batch, answers, strict=True):
            if found.repeated or found.first_position != (position if each.bodies else None):
                raise Differs(f"Command {each.nth}: somebody else writes into this house.")
            position += len(each.bodies)
        appended += len(batch)
        on_progress(journal.head(establishment=house) + 1)
    return appended


def _behind(house: UUID, walk: Iterator[Answered]) -> Iterator[Answered]:
    """The commands that are not recorded yet; those that are recorded are compared."""
    head = exporting.extent(house)
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
        what = f"checkpoints.jsonl, line {count + 1}"
        try:
            row = _checkpoint(house, read_json(line, what))
        except (LookupError, TypeError, ValueError) as error:
            raise Untrue(f"{what}: not readable: {error!r}") from error
        if tiles.root(row.size) != row.root:
            raise Untrue(
                f"The first {count_of(row.size, 'event hashes', 'events hash')} to another root"
                " than was signed."
            )
        rows.append(row)
        count += 1
        if len(rows) == exporting.CHUNK:
            Checkpoint.objects.bulk_create(rows)
            rows = []
    Checkpoint.objects.bulk_create(rows)
    return count


def begin(establishment: UUID, positions: Mapping[str, int]) -> None:
    """Set the cursors with which subscribers begin to read an imported ledger."""
    for name, position in positions.items():
        Subscription.objects.update_or_create(
            establishment=establishment, name=name, defaults={"position": position}
        )


def cursors_of_export(export: Export) -> dict[str, dict[str, Any]]:
    """
    The exported cursors and parked events of subscribers that append, by name.

    :raises Unreadable: if a line is something else.
    """
    found = {}
    for nth, line in enumerate(export.lines("followers.jsonl"), 1):
        match read_json(line, f"followers.jsonl, line {nth}"):
            case {"name": str(name), "position": place, "parked": [*parked], **more} as row if (
                not more
                and name not in found
                and _is_position(place)
                and all(map(_is_parked, parked))
            ):
                found[name] = row
            case _:
                raise Unreadable(f"followers.jsonl, line {nth}: no cursor of a subscriber.")
    return found


def _is_parked(row: object) -> bool:
    match row:
        case {"position": place, "stream": str(stream), "error": str(error),
              "attempts": int(times), **more}:  # fmt: skip
            unkept = NOT_STORABLE.search(stream + error)
            return not (more or unkept) and _is_position(place) and 0 <= times <= ATTEMPTS_MAX
    return False


def _is_position(value: object) -> bool:
    return type(value) is int and -1 <= value <= POSITION_MAX


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
            each
            for seq, body in enumerate(bodies)
            for each in transfers_of_body(body["transfers"], seq)
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
