"""
Reads the ledger of a house slice by slice, so that memory stays bounded however long it is.

A slice is a range of positions. A game is graded with the slice that holds its first event of the
period; its events before and after the slice are fetched too. Nothing here takes a lock that
anybody waits for: a slice is one snapshot, and the house plays on.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from django.db import connection, transaction
from django.db.models import Max, Min, Q

from casino.play.core.projections import NAME as PROJECTIONS
from casino.play.settlement.settled import SETTLEMENT
from ledger import journal
from ledger.models import Event, ParkedEvent, Subscription

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date
    from uuid import UUID

    from django.db.models import QuerySet

SLICE = 4000  # positions: some tens of games, some megabytes
BATCH = 100  # streams in one query
Item = TypeVar("Item")
GAME, BOOKS = "game", SETTLEMENT  # the first parts of the names of a game's two streams


class Row(NamedTuple):
    """An event as the database has it. Its type, data and transfers are in `body`, as JSON."""

    position: int
    stream: str
    version: int
    day: date
    body: bytes


@dataclass(frozen=True, slots=True)
class Period:
    """A period of gaming days, both included; None: from the first day, or to the last."""

    since: date | None = None
    until: date | None = None

    @property
    def whole(self) -> bool:
        return self.since is None and self.until is None

    def holds(self, day: date) -> bool:
        after = self.since is None or day >= self.since
        return after and (self.until is None or day <= self.until)

    def within(self, rows: QuerySet[Event]) -> QuerySet[Event]:
        if self.since is not None:
            rows = rows.filter(gaming_day__gte=self.since)
        return rows if self.until is None else rows.filter(gaming_day__lte=self.until)


@dataclass(frozen=True, slots=True)
class Subscriber:
    """How far a subscriber has read: through `position`, except for streams that are parked."""

    position: int
    parked: dict[str, int]
    """Stream -> the position of its first parked event."""

    def reached(self, position: int, stream: str) -> bool:
        return position <= self.position and position < self.parked.get(stream, position + 1)


@dataclass(frozen=True, slots=True)
class Cursors:
    settlement: Subscriber
    projections: Subscriber


@dataclass(slots=True)
class GameRows:
    """A game's own events (`played`) and those of its settlement (`booked`), each in order."""

    game: str
    played: list[Row] = field(default_factory=list)
    booked: list[Row] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Slice:
    span: range
    rows: Sequence[Row]
    games: Sequence[GameRows]
    """The games whose first event of the period is in this slice, with all of their events."""


@contextmanager
def snapshot() -> Iterator[None]:
    """
    A read-only transaction: everything is read as of one moment.

    Inside a transaction of the caller, that transaction's snapshot is used.
    """
    if connection.vendor == "postgresql":
        mode = "READ ONLY"
        if not connection.in_atomic_block:
            mode = f"ISOLATION LEVEL REPEATABLE READ, {mode}"
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SET TRANSACTION {mode}")
            yield
        return
    with connection.cursor() as cursor:
        alone = not connection.in_atomic_block
        cursor.execute("PRAGMA query_only = ON")
        if alone:  # DEFERRED begins as a reader; `atomic` begins a writer (transaction_mode)
            cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            if alone:
                cursor.execute("ROLLBACK")
            cursor.execute("PRAGMA query_only = OFF")


def stretch(establishment: UUID, period: Period) -> range:
    """The positions between which the events of a period lie; empty if there are none."""
    rows = period.within(Event.objects.filter(establishment=establishment))
    ends = rows.aggregate(first=Min("position"), last=Max("position"))
    return range(0) if ends["first"] is None else range(ends["first"], ends["last"] + 1)


def spans(stretch: range, size: int = SLICE) -> Iterator[range]:
    """Cut a range of positions into slices."""
    for start in stretch[::size]:
        yield range(start, min(start + size, stretch.stop))


def cursors(establishment: UUID) -> Cursors:
    return Cursors(_subscriber(establishment, SETTLEMENT), _subscriber(establishment, PROJECTIONS))


def _subscriber(establishment: UUID, name: str) -> Subscriber:
    at = Subscription.objects.filter(establishment=establishment, name=name)
    waiting = ParkedEvent.objects.filter(establishment=establishment, subscription=name)
    first = waiting.values_list("stream").annotate(first=Min("position"))
    position = at.values_list("position", flat=True).first()
    return Subscriber(-1 if position is None else position, dict(first))


def slice_of(establishment: UUID, span: range, period: Period) -> Slice:
    """Read a slice: its events, and the games that are graded with it."""
    house = Event.objects.filter(establishment=establishment)
    within = house.filter(position__gte=span.start, position__lt=span.stop)
    rows = _read(within.order_by("position"))
    games = _games(rows)
    ours = _first_here(house, rows, games, span, period)
    _complete(establishment, ours)
    return Slice(span, rows, ours)


def _games(rows: Iterable[Row]) -> dict[str, GameRows]:
    games: dict[str, GameRows] = {}
    for row in rows:
        kind, _, game = row.stream.partition("/")
        if kind in {GAME, BOOKS}:
            known = games.setdefault(game, GameRows(game))
            (known.played if kind == GAME else known.booked).append(row)
    return games


def _first_here(
    house: QuerySet[Event],
    rows: Iterable[Row],
    games: dict[str, GameRows],
    span: range,
    period: Period,
) -> list[GameRows]:
    """The games that no slice before this one has graded."""
    first: dict[str, Row] = {}
    for row in rows:
        if period.holds(row.day):
            first.setdefault(row.stream.partition("/")[2], row)
    here = {game: each for game, each in games.items() if game in first}
    older = [game for game in here if not _opens(first[game])]
    before = _among(period.within(journal.between(house, through=span.start - 1)), older)
    return [each for game, each in here.items() if game not in before]


def met(establishment: UUID, games: Iterable[str], period: Period) -> set[str]:
    """Those of these games that have events in a period."""
    return _among(period.within(Event.objects.filter(establishment=establishment)), games)


def _among(rows: QuerySet[Event], games: Iterable[str]) -> set[str]:
    streams = [f"{kind}/{game}" for game in games for kind in (GAME, BOOKS)]
    return {
        stream.partition("/")[2]
        for some in _batches(streams)
        for stream in rows.filter(stream__in=some).values_list("stream", flat=True).distinct()
    }


def _opens(row: Row) -> bool:
    return row.version == 1 and row.stream.startswith(f"{GAME}/")


def _complete(establishment: UUID, games: Sequence[GameRows]) -> None:
    """
    Fetch the events of these games that are outside of the slice.

    The condition for each stream includes the house. If the house were one condition in front of
    all streams, SQLite would choose the index by house and read the whole ledger.
    """
    by_game = {each.game: each for each in games}
    lacking = [
        Q(establishment=establishment) & missing
        for each in games
        for missing in (
            *_beyond(f"{GAME}/{each.game}", each.played),
            *_beyond(f"{BOOKS}/{each.game}", each.booked),
        )
    ]
    fetched = [
        row
        for missing in _batches(lacking)
        for row in _read(Event.objects.filter(reduce(or_, missing)).order_by())
    ]
    for game, more in _games(fetched).items():
        known = by_game[game]
        known.played = _in_order([*known.played, *more.played])
        known.booked = _in_order([*known.booked, *more.booked])


def _beyond(stream: str, rows: Sequence[Row]) -> list[Q]:
    """The conditions for the events of a stream before and after the rows that are known."""
    if not rows:
        return [Q(stream=stream)]
    behind = Q(stream=stream, stream_version__gt=rows[-1].version)
    if rows[0].version <= 1:
        return [behind]
    return [Q(stream=stream, stream_version__lt=rows[0].version), behind]


def _in_order(rows: Iterable[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: row.version)


def _read(rows: QuerySet[Event]) -> list[Row]:
    columns = rows.values_list("position", "stream", "stream_version", "gaming_day", "body")
    return [
        Row(position, stream, version, day, bytes(body))
        for position, stream, version, day, body in columns
    ]


def _batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    for start in range(0, len(items), BATCH):
        yield items[start : start + BATCH]
