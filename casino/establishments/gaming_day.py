"""
The gaming day: one per house, from one cut-off to the next in the house's own time (B4).

The clock begins a day; the house's ledger keeps it. Its stream ``day`` says which day it is, which
days are still open and which are closed. Whatever is recorded is guarded by that stream's version:
so a day never goes back, whatever a server's clock does, and nothing slips into a day that is
being closed.
"""

from __future__ import annotations

import threading
import time
import uuid
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from django.db import connection

from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from casino.establishments.models import Establishment
    from ledger.wire import StoredEvent

STREAM: Final = "day"
OPENED, CLOSING, CLOSED = "day.opened", "day.closing", "day.closed"
ACTOR: Final = "system"
TRIES: Final = 5  # how often the day is looked up anew when it moved meanwhile
RECENT: Final = 5.0  # seconds
A_DAY: Final = timedelta(days=1)


def gaming_day(establishment: Establishment, at: datetime) -> date:
    """
    The day an instant belongs to by the clock: before the cut-off it is still yesterday's.

    Where the clock is put back across the cut-off the day begins at the first of the two, where it
    is put forward across it with the first moment behind.
    """
    zone = ZoneInfo(establishment.time_zone)
    local = at.astimezone(zone)
    begins = datetime.combine(local.date(), establishment.day_cutoff, tzinfo=zone)  # the first
    # In UTC: between times of one zone Python compares what the clocks show.
    early = local.time() < establishment.day_cutoff and at < begins.astimezone(UTC)
    return local.date() - A_DAY if early else local.date()


def begins(establishment: Establishment, day: date) -> datetime:
    """The first instant of a day by the clock, in UTC: `gaming_day` of it, and of none before."""
    zone = ZoneInfo(establishment.time_zone)
    at = datetime.combine(day, establishment.day_cutoff, tzinfo=zone).astimezone(UTC)
    # A cut-off that the clock leaps over: read as the hour before it leapt, it lies behind the gap.
    if at.astimezone(zone).time() != establishment.day_cutoff:
        return _leap(zone, at)
    return at


def _leap(zone: ZoneInfo, at: datetime) -> datetime:
    """The instant, within a day before `at`, at which the zone's clock was put forward."""
    before, after = at - A_DAY, at
    offset = after.astimezone(zone).utcoffset()
    while after - before > timedelta(seconds=1):
        middle = before + (after - before) // 2
        if middle.astimezone(zone).utcoffset() == offset:
            after = middle
        else:
            before = middle
    return after.replace(microsecond=0)


@dataclass(frozen=True, slots=True)
class Standing:
    """
    How a house's days stand: what the last event of its stream ``day`` says.

    :param version: how many events that stream has.
    :param day: the day it is; None before anything was recorded.
    :param open: the days whose closing has not begun, the oldest first.
    :param closing: the last day whose closing has begun; nothing new belongs to it.
    :param closed: the last day that is closed: its figures do not change any more.
    :param closing_version: which event of the stream began the closing; 0: none was begun.
    :param closed_version: which one says what the last closed day came to; 0: none.
    """

    version: int = 0
    day: date | None = None
    open: tuple[date, ...] = ()
    closing: date | None = None
    closed: date | None = None
    closing_version: int = 0
    closed_version: int = 0

    @property
    def draining(self) -> date | None:
        """The day whose closing has begun and not ended."""
        return self.closing if self.closing != self.closed else None

    @property
    def as_dict(self) -> dict[str, Any]:
        """As it stands in an event."""
        return {
            "day": self.day.isoformat() if self.day else None,
            "open": [each.isoformat() for each in self.open],
            "closing": self.closing.isoformat() if self.closing else None,
            "closed": self.closed.isoformat() if self.closed else None,
            "closing_version": self.closing_version,
            "closed_version": self.closed_version,
        }

    def opened(self, day: date) -> Standing:
        return replace(self, version=self.version + 1, day=day, open=(*self.open, day))

    def closes(self, day: date) -> Standing:
        """The next day begins with the closing, where none did before."""
        later = tuple(each for each in self.open if each > day) or (day + A_DAY,)
        return replace(
            self,
            version=self.version + 1,
            day=later[-1],
            open=later,
            closing=day,
            closing_version=self.version + 1,
        )

    def is_closed(self) -> Standing:
        version = self.version + 1
        return replace(self, version=version, closed=self.closing, closed_version=version)

    def noted(self) -> Standing:
        """After an event that changes nothing of it."""
        return replace(self, version=self.version + 1)


@dataclass(frozen=True, slots=True)
class Today:
    """A gaming day, and the guard that an entry rests on which gives it to its events."""

    day: date
    version: int

    @property
    def guards(self) -> dict[str, int]:
        return {STREAM: self.version}


class Memory:
    """How the days of houses stood when this process last looked; guards tell what is stale."""

    def __init__(self) -> None:
        self._standing: dict[UUID, tuple[Standing, float]] = {}
        self._lock = threading.Lock()

    def recall(self, establishment: UUID) -> Standing | None:
        with self._lock:
            found = self._standing.get(establishment)
        return found[0] if found else None

    def recent(self, establishment: UUID) -> Standing | None:
        """What was seen a moment ago: good enough for a page, which no guard would correct."""
        with self._lock:
            found = self._standing.get(establishment)
        return found[0] if found and time.monotonic() - found[1] < RECENT else None

    def keep(self, establishment: UUID, standing: Standing) -> None:
        with self._lock:
            self._standing[establishment] = standing, time.monotonic()

    def forget(self, establishment: UUID) -> None:
        with self._lock:
            self._standing.pop(establishment, None)


MEMORY = Memory()


def standing(establishment: UUID) -> Standing:
    """How the days of a house stand now: one look at the end of a stream."""
    last = journal.last(establishment=establishment, stream=STREAM)
    return Standing() if last is None else read_standing(last.data["standing"], last.stream_version)


def read_standing(data: Mapping[str, Any], version: int) -> Standing:
    """What an event of the stream says, read back."""
    return Standing(
        version=version,
        day=_date(data["day"]),
        open=tuple(date.fromisoformat(each) for each in data["open"]),
        closing=_date(data["closing"]),
        closed=_date(data["closed"]),
        closing_version=data["closing_version"],
        closed_version=data["closed_version"],
    )


def entry(establishment: UUID, version: int) -> StoredEvent:
    """One event of the house's stream of days, by its number."""
    return journal.stream(establishment=establishment, stream=STREAM, after_version=version - 1)[0]


def new_event(event_type: str, data: Mapping[str, Any]) -> journal.NewEvent:
    """An event to follow the house's stream of days."""
    return journal.NewEvent(stream=STREAM, event_type=event_type, schema_version=1, data=data)


def _date(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)


def current(establishment: Establishment, now: datetime) -> date:
    """The day it is at a house, for screens; `enter` is for what goes on record."""
    known = MEMORY.recent(establishment.pk) or _remembered(establishment.pk)
    return _at(establishment, known, now)


def _at(establishment: Establishment, known: Standing, now: datetime) -> date:
    by_clock = gaming_day(establishment, now)
    return by_clock if known.day is None else max(by_clock, known.day)


def enter(establishment: Establishment, now: datetime) -> Today:
    """
    The day that what is recorded now belongs to; the first to come opens it.

    No query where this process has looked before: the guard that comes with the day notices if
    another process knows better. On `StreamMoved`, tell `moved` and ask again.

    :raises StreamMoved: if the house's days move faster than they can be read.
    """
    tries = TRIES
    while True:
        known = MEMORY.recall(establishment.pk) or _remembered(establishment.pk)
        day = _at(establishment, known, now)
        if day == known.day:
            return Today(day, known.version)
        try:
            return _open(establishment, day, known, now)
        except journal.StreamMoved:
            MEMORY.forget(establishment.pk)
            tries -= 1
            if not tries:
                raise


def moved(establishment: UUID, conflict: journal.StreamMoved) -> None:
    """An append failed on a guard: if it was the day's, look again the next time."""
    if conflict.stream == STREAM:
        MEMORY.forget(establishment)


def of_effect(establishment: UUID, cause: date, *, version: int) -> Today:
    """
    The day that an effect belongs to: its cause's, for as long as that one is not closed (B4).

    What is booked later, because it was parked, is booked on the day it is: never back-dated.

    :param version: of the stream ``day``, as the append will find it.
    """
    known = MEMORY.recall(establishment)
    if known is None or known.version != version:
        known = _remembered(establishment)
    if known.closed is None or cause > known.closed or known.day is None:
        return Today(cause, known.version)
    return Today(known.day, known.version)


def _remembered(establishment: UUID) -> Standing:
    known = standing(establishment)
    MEMORY.keep(establishment, known)
    return known


def _open(establishment: Establishment, day: date, known: Standing, now: datetime) -> Today:
    """
    The first entry of a day, under a command id that all who try it at once have in common.

    :raises StreamMoved: if another day was opened, or one closed, meanwhile.
    """
    opened = known.opened(day)
    name = f"{OPENED}/{day}/{opened.version}"
    provenance = journal.Provenance(
        command_id=uuid.uuid5(establishment.pk, name),
        actor=ACTOR,
        device=ACTOR,
        correlation_id=uuid.uuid5(establishment.pk, name),
        causation_id=None,
        occurred_at=now,
        recorded_at=now,
        gaming_day=day,
    )
    event = new_event(OPENED, {"day": day.isoformat(), "standing": opened.as_dict})
    (receipt,) = journal.append(
        establishment=establishment.pk,
        entries=[
            journal.Entry(
                provenance=provenance,
                request_hash=sha256(name.encode()).digest(),
                guards={STREAM: known.version},
                events=(event,),
            )
        ],
    )
    if receipt.repeated:  # somebody opened the same day a moment ago, and it may have moved since
        raise journal.StreamMoved(STREAM, expected=known.version, actual=opened.version)
    if connection.in_atomic_block:
        MEMORY.forget(establishment.pk)  # who knows whether it will be committed
    else:
        MEMORY.keep(establishment.pk, opened)
    return Today(day, opened.version)
