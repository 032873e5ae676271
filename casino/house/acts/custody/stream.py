"""
The stream ``custody/<table>`` and its fold: shift, count and handover of a table (B1, B3).

Shifts say who has a table's money. A shift opens with a counted float and closes with a count.
Between two shifts of one evening, the count that closes one opens the other, and both attendants
sign. Every event of the stream says in `stands` whether money may move at the table from then on,
and in `began` at which event a fold has to start: earlier events do not matter any more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from casino.house.acts.custody import sheets
from ledger import journal, recent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from casino.house.acts.custody.sheets import Sheet
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
    """One person's sealed count: the ledger only has its salted hash until the second count."""

    by: str
    at: datetime
    key: UUID
    """Id of the command that brought the count; the sheet is kept under it."""


@dataclass(frozen=True, slots=True)
class Count:
    """A running count: nobody has counted yet, or one of two people has."""

    id: str
    purpose: Purpose
    attempt: int
    """Starts at 1; increases each time the two counts differ."""
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
    """A running shift: who has the table since when, and the sums of its slips."""

    id: str
    holder: str
    since: datetime
    opener: Sheet
    fills: int = 0
    credits: int = 0
    on_the_way: tuple[Slip, ...] = ()


@dataclass(frozen=True, slots=True)
class Closer:
    """The count of two people before a handover."""

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
    """Number of events of the running game when it was signed; 0 if no game was running."""
    round: int | None


@dataclass(frozen=True, slots=True)
class Custody:
    """The custody of a table after the last event of its stream."""

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
    """The current custody of a table; two queries, which read only events since its shift began."""
    stream = stream_of(table)
    last = journal.last(establishment=establishment, stream=stream)
    if last is None:
        return Custody()
    events = journal.stream(
        establishment=establishment, stream=stream, after_version=last.data["began"] - 1
    )
    return fold(events)


def read_all(establishment: UUID, tables: Iterable[UUID]) -> dict[UUID, Custody]:
    """The current custody of several tables, in two queries."""
    streams = {stream_of(table): table for table in tables}
    lasts = recent.lasts(establishment, streams)
    began = {stream: last.data["began"] - 1 for stream, last in lasts.items()}
    events = recent.after(establishment, began)
    return {table: fold(events.get(stream, ())) for stream, table in streams.items()}


def tables_in_count(establishment: UUID, tables: Iterable[UUID]) -> set[UUID]:
    """The tables, of those given, whose float is being counted; one query."""
    streams = {stream_of(table): table for table in tables}
    lasts = recent.lasts(establishment, streams)
    return {streams[name] for name, last in lasts.items() if last.data["stands"] == "counting"}


def standing(establishment: UUID, table: object) -> tuple[Stands, int]:
    """Whether money may move at a table, and the stream version; reads only the last event."""
    last = journal.last(establishment=establishment, stream=stream_of(table))
    return (last.data["stands"], last.stream_version) if last else ("closed", 0)


def fold(events: Sequence[StoredEvent]) -> Custody:
    """The custody that results from events, beginning with the one at which a fold starts."""
    custody = Custody()
    for event in events:
        at = replace(custody, version=event.stream_version, began=event.data["began"])
        custody = evolve(at, event)
    return custody


def evolve(  # noqa: PLR0911 - one return for each thing that happens
    custody: Custody, event: StoredEvent
) -> Custody:
    """The custody of a table after an event. Events are not checked: they have happened."""
    data = event.data
    match event.event_type:
        case "count.entered":
            return replace(custody, count=_enter_count(event))
        case "count.differed":
            return replace(custody, count=_again(custody.count))
        case "count.agreed":
            closer = _closer(event) if data["purpose"] == "change" else None
            return replace(custody, count=None, closer=closer, signed=None)
        case "count.called_off":
            return replace(custody, count=None, closer=None, signed=None)
        case "shift.opened":
            return replace(custody, shift=_open_shift(event), closer=None, signed=None)
        case "shift.signed_over":
            return replace(custody, signed=_signature(event))
        case "shift.closed":
            return replace(custody, shift=None, closer=None, signed=None)
        case _:
            return replace(custody, shift=_take_slip(custody.shift, event))


def _enter_count(event: StoredEvent) -> Count:
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


def _open_shift(event: StoredEvent) -> Shift:
    data = event.data
    return Shift(
        id=data["shift"],
        holder=data["holder"],
        since=event.provenance.recorded_at,
        opener=dict(data["sheet"]),
    )


def _signature(event: StoredEvent) -> Signed:
    data, provenance = event.data, event.provenance
    return Signed(
        by=provenance.actor,
        at=provenance.recorded_at,
        game=data["game"],
        version=data["game_version"],
        round=data["round"],
    )


def _take_slip(shift: Shift | None, event: StoredEvent) -> Shift | None:
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
    """Collects new events for a table's custody, and adds `began` and `stands` to each."""

    def __init__(self, table: object, custody: Custody) -> None:
        self.table, self.custody = str(table), custody
        self.events: list[journal.NewEvent] = []

    @property
    def guards(self) -> dict[str, int]:
        return {stream_of(self.table): self.custody.version}

    def add(self, event_type: str, stands: Stands, data: Mapping[str, Any]) -> int:
        """
        Add an event.

        :returns: its index among the new events, for transfers that refer to it.
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
    """The sum of the counted float with which a shift opened, or of a closer."""
    return sheets.total(opened.opener if isinstance(opened, Shift) else opened.sheet)
