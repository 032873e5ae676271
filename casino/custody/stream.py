"""
Who has a table's money, folded from ``custody/<table>``: shift, count, handover (B1, B3).

A table's money goes by shifts. A shift opens with a counted float and closes with a count; between
two shifts of one evening the count that closes the one opens the other, and both attendants sign.
Every event of the stream says in `stands` whether money may move at the table from there on, and
in `began` which event a reading starts at: what lies before it is history.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from casino.custody import sheets
from ledger import journal, recent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from casino.custody.sheets import Sheet
    from ledger.wire import StoredEvent

Purpose = Literal["open", "change", "close", "check"]
Stands = Literal["closed", "open", "counting", "handing_over"]

COUNT_ENTERED = "count.entered"
COUNT_DIFFERED = "count.differed"
COUNT_AGREED = "count.agreed"
CALLED_OFF = "count.called_off"
SHIFT_OPENED = "shift.opened"
SIGNED_OVER = "shift.signed_over"
SHIFT_CLOSED = "shift.closed"
SLIP_ISSUED = "slip.issued"
SLIP_RECEIVED = "slip.received"


@dataclass(frozen=True, slots=True)
class Entered:
    """One person's count, sealed: the ledger has a salted hash until the other one's is in."""

    by: str
    at: datetime
    key: UUID
    """The command that brought it: under it the sheet is kept."""


@dataclass(frozen=True, slots=True)
class Count:
    """A count that runs: nobody has counted yet, or one of two has."""

    id: str
    purpose: Purpose
    attempt: int
    """From 1; one more each time the two did not agree."""
    begun_by: str
    first: Entered | None


@dataclass(frozen=True, slots=True)
class Slip:
    """A fill or a credit that is approved and not yet signed for at the table."""

    number: int
    kind: str
    amount: int
    approved_by: str | None


@dataclass(frozen=True, slots=True)
class Shift:
    """Who has the table since when, and what was put there and taken away by slips."""

    id: str
    holder: str
    since: datetime
    opener: Sheet
    fills: int = 0
    credits: int = 0
    on_the_way: tuple[Slip, ...] = ()


@dataclass(frozen=True, slots=True)
class Closer:
    """What two people counted when a shift is to change hands."""

    count: str
    sheet: Sheet
    counters: tuple[str, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class Signed:
    """The outgoing attendant's signature, and the state of play they acknowledged (B3)."""

    by: str
    at: datetime
    game: str | None
    version: int
    """Events of the game that it was signed at; 0 where none runs."""
    round: int | None


@dataclass(frozen=True, slots=True)
class Custody:
    """A table as its stream leaves it."""

    version: int = 0
    began: int = 1
    shift: Shift | None = None
    count: Count | None = None
    closer: Closer | None = None
    signed: Signed | None = None

    @property
    def stands(self) -> Stands:
        if self.count:
            return "counting"
        if self.closer:
            return "handing_over"
        return "open" if self.shift else "closed"


def stream_of(table: object) -> str:
    return f"custody/{table}"


def read(establishment: UUID, table: object) -> Custody:
    """A table's custody as it is now. Two queries, as long as the running shift and no longer."""
    stream = stream_of(table)
    last = journal.last(establishment=establishment, stream=stream)
    if last is None:
        return Custody()
    events = journal.stream(
        establishment=establishment, stream=stream, after_version=last.data["began"] - 1
    )
    return fold(events)


def read_all(establishment: UUID, tables: Iterable[UUID]) -> dict[UUID, Custody]:
    """The custody of several tables as it is now: two queries, however many tables."""
    streams = {stream_of(table): table for table in tables}
    lasts = recent.lasts(establishment, streams)
    began = {stream: last.data["began"] - 1 for stream, last in lasts.items()}
    events = recent.after(establishment, began)
    return {table: fold(events.get(stream, ())) for stream, table in streams.items()}


def counted_now(establishment: UUID, tables: Iterable[UUID]) -> set[UUID]:
    """Of several tables those whose float is being counted: one query."""
    streams = {stream_of(table): table for table in tables}
    lasts = recent.lasts(establishment, streams)
    return {streams[name] for name, last in lasts.items() if last.data["stands"] == "counting"}


def standing(establishment: UUID, table: object) -> tuple[Stands, int]:
    """Whether money may move at a table, and the version that says so: one look at its stream."""
    last = journal.last(establishment=establishment, stream=stream_of(table))
    return (last.data["stands"], last.stream_version) if last else ("closed", 0)


def fold(events: Sequence[StoredEvent]) -> Custody:
    """Of the events from where a reading starts."""
    custody = Custody()
    for event in events:
        at = replace(custody, version=event.stream_version, began=event.data["began"])
        custody = evolved(at, event)
    return custody


def evolved(  # noqa: PLR0911 - one return for each thing that happens
    custody: Custody, event: StoredEvent
) -> Custody:
    """What an event makes of a table's custody. Nothing is judged: it happened."""
    data = event.data
    match event.event_type:
        case "count.entered":
            return replace(custody, count=_entered(event))
        case "count.differed":
            return replace(custody, count=_again(custody.count))
        case "count.agreed":
            closer = _closer(event) if data["purpose"] == "change" else None
            return replace(custody, count=None, closer=closer, signed=None)
        case "count.called_off":
            return replace(custody, count=None, closer=None, signed=None)
        case "shift.opened":
            return replace(custody, shift=_opened(event), closer=None, signed=None)
        case "shift.signed_over":
            return replace(custody, signed=_signed(event))
        case "shift.closed":
            return replace(custody, shift=None, closer=None, signed=None)
        case _:
            return replace(custody, shift=_slipped(custody.shift, event))


def _entered(event: StoredEvent) -> Count:
    data, provenance = event.data, event.provenance
    return Count(
        id=data["count"],
        purpose=data["purpose"],
        attempt=data["attempt"],
        begun_by=data["begun_by"],
        first=Entered(by=provenance.actor, at=provenance.recorded_at, key=provenance.command_id),
    )


def _again(count: Count | None) -> Count | None:
    return replace(count, attempt=count.attempt + 1, first=None) if count else None


def _closer(event: StoredEvent) -> Closer:
    data = event.data
    return Closer(
        count=data["count"],
        sheet=dict(data["sheet"]),
        counters=tuple(data["counters"]),
        at=event.provenance.recorded_at,
    )


def _opened(event: StoredEvent) -> Shift:
    data = event.data
    return Shift(
        id=data["shift"],
        holder=data["holder"],
        since=event.provenance.recorded_at,
        opener=dict(data["sheet"]),
    )


def _signed(event: StoredEvent) -> Signed:
    data, provenance = event.data, event.provenance
    return Signed(
        by=provenance.actor,
        at=provenance.recorded_at,
        game=data["game"],
        version=data["game_version"],
        round=data["round"],
    )


def _slipped(shift: Shift | None, event: StoredEvent) -> Shift | None:
    if shift is None:
        return None
    data = event.data
    if event.event_type == SLIP_RECEIVED:
        left = tuple(each for each in shift.on_the_way if each.number != data["number"])
        return replace(shift, on_the_way=left)
    slip = Slip(data["number"], data["kind"], data["amount"], data.get("approved_by"))
    put, taken = (slip.amount, 0) if slip.kind == "fill" else (0, slip.amount)
    return replace(
        shift,
        fills=shift.fills + put,
        credits=shift.credits + taken,
        on_the_way=(*shift.on_the_way, slip),
    )


class Writing:
    """Events to follow a table's custody, each told where a reading starts and what stands."""

    def __init__(self, table: object, custody: Custody) -> None:
        self.table, self.custody = str(table), custody
        self.events: list[journal.NewEvent] = []

    @property
    def guards(self) -> dict[str, int]:
        return {stream_of(self.table): self.custody.version}

    def add(self, event_type: str, stands: Stands, data: Mapping[str, Any]) -> int:
        """
        Put an event at the end.

        :returns: its index among these, by which a transfer names it.
        """
        number = self.custody.version + len(self.events) + 1
        anew = event_type == SHIFT_OPENED or (
            self.custody.stands == "closed" and not self.events
        )  # fmt: skip
        began = number if anew else self._began()
        self.events.append(
            journal.NewEvent(
                stream=stream_of(self.table),
                event_type=event_type,
                schema_version=1,
                data={**data, "table": self.table, "began": began, "stands": stands},
            )
        )
        return len(self.events) - 1

    def _began(self) -> int:
        if self.events:
            began: int = self.events[-1].data["began"]  # type: ignore[assignment]  # written here
            return began
        return self.custody.began


def amount_of(opened: Shift | Closer) -> int:
    """What the counted float of a shift, or a closer, is worth."""
    return sheets.total(opened.opener if isinstance(opened, Shift) else opened.sheet)
