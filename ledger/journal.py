"""
The interface of the ledger: `append` writes; `recorded_answer`, `read`, `stream`, `versions`,
`head` read.

A house is a UUID here, and nothing is known about games. `ledger.entries` defines what is appended
and returned, `ledger.conflicts` why an append failed, `ledger.wire` an event as it is read.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from itertools import count
from operator import attrgetter
from typing import TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import F, Model, QuerySet
from django.db.models.functions import Coalesce

from ledger import keyed, postgresql, sqlite
from ledger.accounts import AccountRef, Kind
from ledger.canonical import Json, NotCanonical
from ledger.conflicts import (
    BalanceMoved,
    CommandReused,
    Conflict,
    CursorMoved,
    Duplicate,
    FourEyes,
    NotReversible,
    Overdrawn,
    PotFalls,
    StreamMoved,
)
from ledger.entries import (
    Cursor,
    Entry,
    Malformed,
    NewEvent,
    NewTransfer,
    NotWhole,
    Provenance,
    Receipt,
    Refusal,
)
from ledger.storage import Unguarded
from ledger.wire import Batch, StoredEvent, leaf_hash, read_event, read_events, write

Rows = TypeVar("Rows", bound=Model)

__all__ = [
    "AccountRef",
    "BalanceMoved",
    "CommandReused",
    "Conflict",
    "Cursor",
    "CursorMoved",
    "Duplicate",
    "Entry",
    "FourEyes",
    "Json",
    "Kind",
    "Malformed",
    "NewEvent",
    "NewTransfer",
    "NotCanonical",
    "NotReversible",
    "NotWhole",
    "Overdrawn",
    "PotFalls",
    "Provenance",
    "Receipt",
    "Refusal",
    "StoredEvent",
    "StreamMoved",
    "Unguarded",
    "append",
    "between",
    "firsts",
    "head",
    "house_of_stream",
    "last",
    "read",
    "record",
    "recorded_answer",
    "stream",
    "through_day",
    "versions",
]


def append(
    *,
    establishment: UUID,
    entries: Sequence[Entry],
    cursor: Cursor | None = None,
    savepoint: bool = True,
) -> tuple[Receipt, ...]:
    """
    Record entries in order, all of them or none, and move the cursor with them.

    Each entry gets one receipt. An entry whose command was answered before writes nothing; its
    receipt is the earlier answer, with `repeated` set. On PostgreSQL, outside `atomic`, this is one
    round trip. Inside `atomic` it is wrapped in a savepoint, so that the outer transaction stays
    usable after a conflict.

    :param savepoint: False if the caller gives up the outer transaction when this fails.
    :raises StreamMoved: if a guarded stream has another number of events.
    :raises BalanceMoved: if an account that the entry relies on holds something else.
    :raises CommandReused: if a command id was answered for another request.
    :raises Overdrawn: if players' money would fall below zero after any of the transfers.
    :raises PotFalls: if a pot's coins would go to an account where they may not go (A2).
    :raises NotReversible: if a reversal does not mirror a transfer not yet reversed.
    :raises FourEyes: if `approved_by` or `reviewed_by` of an event is not a second person (C1).
    :raises CursorMoved: if the subscription is not where the cursor expects it.
    :raises NotCanonical: if an event's data has no canonical spelling.
    """
    return _put(_batch(establishment, entries, cursor), savepoint=savepoint)


def record(*, establishment: UUID, entry: Entry) -> tuple[Receipt, list[StoredEvent] | None]:
    """
    Append one entry, as `append` does, and also return its events as recorded, without a query.

    The events are None if the command was answered before: then this entry was not recorded.
    """
    batch = _batch(establishment, [entry], None)
    (receipt,) = _put(batch)
    if receipt.repeated:
        return receipt, None
    [(_, rows)] = batch.entries
    places = count(0 if receipt.first_position is None else receipt.first_position)
    return receipt, [
        read_event(establishment, position, row.body, leaf_hash(row.body))
        for position, row in zip(places, rows, strict=False)
    ]


def _batch(establishment: UUID, entries: Sequence[Entry], cursor: Cursor | None) -> Batch:
    """The batch to append. :raises NotCanonical: if an event's data has no canonical spelling."""
    return Batch(
        establishment=establishment,
        entries=tuple((entry, write(establishment, entry)) for entry in entries),
        cursor=cursor,
    )


def _put(batch: Batch, *, savepoint: bool = True) -> tuple[Receipt, ...]:
    if connections[DEFAULT_DB_ALIAS].vendor == "postgresql":
        return postgresql.append(batch, savepoint=savepoint)
    return sqlite.append(batch)  # always with a savepoint: it queries for the cause of a failure


def recorded_answer(
    *, establishment: UUID, command_id: UUID, request_hash: bytes
) -> Receipt | None:
    """
    The recorded answer to a command; None: it was not answered yet.

    :raises CommandReused: if the command id was answered for another request.
    """
    rows = keyed.rows(ANSWERED, establishment, command_id)
    if not rows:
        return None
    hashed, first, last, code, detail = rows[0]
    if bytes(hashed) != request_hash:
        raise CommandReused(command_id)
    return Receipt(
        command_id=command_id,
        request_hash=request_hash,
        first_position=first,
        last_position=last,
        refusal=None if code is None else Refusal(code=code, detail=detail or ""),
        repeated=True,
    )


ANSWERED = """
    SELECT request_hash, first_position, last_position, refusal_code, refusal_detail
    FROM ledger_commandreceipt WHERE establishment = %s AND command_id = %s"""


def read(
    *, establishment: UUID, after: int = -1, limit: int, using: str = DEFAULT_DB_ALIAS
) -> list[StoredEvent]:
    """Up to `limit` events after a position, in order. Skips none, even while others append."""
    return _events(
        establishment, "position > %s ORDER BY position LIMIT %s", after, limit, using=using
    )


def stream(
    *, establishment: UUID, stream: str, after_version: int = 0, using: str = DEFAULT_DB_ALIAS
) -> list[StoredEvent]:
    """A stream's events after a version, in order."""
    where = "stream = %s AND stream_version > %s ORDER BY stream_version"
    return _events(establishment, where, stream, after_version, using=using)


def versions(*, establishment: UUID, streams: Iterable[str]) -> dict[str, int]:
    """How many events each of the streams has; 0 for one that does not exist. One query."""
    known = dict.fromkeys(streams, 0)
    if known:
        known |= keyed.rows(
            "SELECT stream, MAX(stream_version) FROM ledger_event"  # noqa: S608 - marks alone
            f" WHERE establishment = %s AND stream IN ({keyed.marks(known)}) GROUP BY stream",
            establishment,
            *known,
        )
    return known


def house_of_stream(*, establishments: Sequence[UUID], stream: str) -> UUID | None:
    """The house, among those given, that has a stream which only one can have. One query."""
    rows = keyed.rows(
        "SELECT establishment FROM ledger_event WHERE establishment IN"  # noqa: S608 - marks alone
        f" ({keyed.marks(establishments)}) AND stream = %s AND stream_version = 1",
        *establishments,
        stream,
    )
    return UUID(str(rows[0][0])) if rows else None


def last(*, establishment: UUID, stream: str) -> StoredEvent | None:
    """The last event of a stream. Its version is the number of events in the stream."""
    where = "stream = %s ORDER BY stream_version DESC LIMIT 1"
    events = _events(establishment, where, stream)
    return events[0] if events else None


def firsts(*, establishment: UUID, streams: Iterable[str]) -> list[StoredEvent]:
    """The first event of each stream, the latest of them first. One query."""
    wanted = set(streams)
    if not wanted:
        return []
    where = f"stream IN ({keyed.marks(wanted)}) AND stream_version = 1"
    found = _events(establishment, where, *wanted)
    return sorted(found, key=attrgetter("position"), reverse=True)


def between(rows: QuerySet[Rows], since: int = 0, through: int | None = None) -> QuerySet[Rows]:
    """
    Filter a small set of rows (of a stream, a command or a day) to an interval of positions.

    The filter hides `position` from SQLite's planner: otherwise SQLite would use the index by
    position and read the whole ledger for a handful of rows. For the same reason, do not order the
    rows by `position` either.
    """
    placed: QuerySet[Rows] = rows.alias(place=F("position") + 0).filter(place__gte=since)  # type: ignore[assignment]  # its rows are the same
    return placed if through is None else placed.filter(place__lte=through)


def through_day(rows: QuerySet[Rows], last: date) -> QuerySet[Rows]:
    """
    Filter a small set of rows (of a stream, say) to those of a gaming day or earlier ones.

    It hides the column from SQLite's planner, as `between` does: by the index of days, SQLite would
    read everything that the house ever recorded.
    """
    dated: QuerySet[Rows] = rows.alias(dated=Coalesce("gaming_day", "gaming_day")).filter(  # type: ignore[assignment]  # as above
        dated__lte=last
    )
    return dated


def head(*, establishment: UUID, using: str = DEFAULT_DB_ALIAS) -> int:
    """The last position of the house's ledger, -1 while it is empty."""
    found = keyed.rows(
        "SELECT position FROM ledger_event WHERE establishment = %s ORDER BY position DESC LIMIT 1",
        establishment,
        using=using,
    )
    return found[0][0] if found else -1


COLUMNS = "position, body, leaf_hash"
"""The columns from which an event is read."""
EVENTS = f"SELECT {COLUMNS} FROM ledger_event WHERE establishment = %s"  # noqa: S608 - of ours


def _events(
    establishment: UUID, where: str, *values: str | int, using: str = DEFAULT_DB_ALIAS
) -> list[StoredEvent]:
    rows = keyed.rows(f"{EVENTS} AND {where}", establishment, *values, using=using)
    return read_events(establishment, rows)
