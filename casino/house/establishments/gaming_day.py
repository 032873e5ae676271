"""
The gaming day of a house, from one cut-off to the next in the house's own time (B4).

The clock begins a day, and the house's ledger records it. The ledger's stream ``day`` says which
day it is, which days are still open and which are closed. Every entry is guarded by the version of
that stream. So a day never goes back, whatever a server's clock does, and nothing gets into a day
that is being closed.
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

from casino.engine.databases import sessions
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from casino.house.establishments.models import Establishment
    from ledger.wire import StoredEvent

STREAM: Final = "day"
OPENED, CLOSING, CLOSED = "day.opened", "day.closing", "day.closed"
ACTOR: Final = "system"
TRIES: Final = 5  # attempts to read the day when it moved meanwhile
RECENT: Final = 5.0  # seconds for which pages may use what was read before
A_DAY: Final = timedelta(days=1)


def gaming_day(establishment: Establishment, at: datetime) -> date:
    """
    The gaming day of an instant, by the clock: before the cut-off it is still the previous day.

    If the clock is put back across the cut-off, the cut-off comes twice and the day begins at the
    first one. If the clock is put forward across the cut-off, the day begins with the first moment
    after the gap.
    """
    zone = ZoneInfo(establishment.time_zone)
    local = at.astimezone(zone)
    begins = datetime.combine(local.date(), establishment.day_cutoff, tzinfo=zone)  # the first
    # Compare in UTC: two times of the same zone would be compared as the clock shows them.
    early = local.time() < establishment.day_cutoff and at < begins.astimezone(UTC)
    return local.date() - A_DAY if early else local.date()


def begins(establishment: Establishment, day: date) -> datetime:
    """The first instant of a gaming day by the clock, in UTC (see `gaming_day`)."""
    zone = ZoneInfo(establishment.time_zone)
    at = datetime.combine(day, establishment.day_cutoff, tzinfo=zone).astimezone(UTC)
    # The clock skips the cut-off. Python reads it with the old offset, so `at` is after the gap.
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
class DayState:
    """
    The state of a house's days, as the last event of its stream ``day`` says.

    :param version: how many events that stream has.
    :param day: the current day; None before anything was recorded.
    :param open: the days whose closing has not begun, the oldest first.
    :param closing: the last day whose closing has begun; nothing new belongs to it.
    :param closed: the last day that is closed: its figures do not change any more.
    :param closing_version: the event of the stream that began the closing; 0: none was begun.
    :param closed_version: the event with the totals of the last closed day; 0: none.
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
        """The day whose closing has begun and not ended; None if there is none."""
        return self.closing if self.closing != self.closed else None

    @property
    def as_dict(self) -> dict[str, Any]:
        """The state as an event contains it; `read_day_state` reads it back."""
        return {
            "day": self.day.isoformat() if self.day else None,
            "open": [each.isoformat() for each in self.open],
            "closing": self.closing.isoformat() if self.closing else None,
            "closed": self.closed.isoformat() if self.closed else None,
            "closing_version": self.closing_version,
            "closed_version": self.closed_version,
        }

    def opened(self, day: date) -> DayState:
        return replace(self, version=self.version + 1, day=day, open=(*self.open, day))

    def closes(self, day: date) -> DayState:
        """The state after the closing of a day begins; the next day begins then, if not before."""
        later = tuple(each for each in self.open if each > day) or (day + A_DAY,)
        return replace(
            self,
            version=self.version + 1,
            day=later[-1],
            open=later,
            closing=day,
            closing_version=self.version + 1,
        )

    def is_closed(self) -> DayState:
        version = self.version + 1
        return replace(self, version=version, closed=self.closing, closed_version=version)

    def noted(self) -> DayState:
        """The state after an event of the stream that does not change the state."""
        return replace(self, version=self.version + 1)


@dataclass(frozen=True, slots=True)
class Today:
    """A gaming day, and the version of the stream ``day`` that guards an entry on that day."""

    day: date
    version: int

    @property
    def guards(self) -> dict[str, int]:
        return {STREAM: self.version}


class Memory:
    """A cache of the states of houses' days; a guard that fails shows that a state is stale."""

    def __init__(self) -> None:
        self._standing: dict[UUID, tuple[DayState, float]] = {}
        self._lock = threading.Lock()

    def recall(self, establishment: UUID) -> DayState | None:
        with self._lock:
            found = self._standing.get(establishment)
        return found[0] if found else None

    def recent(self, establishment: UUID) -> DayState | None:
        """The state if it was read within `RECENT` seconds: for pages, which have no guard."""
        with self._lock:
            found = self._standing.get(establishment)
        return found[0] if found and time.monotonic() - found[1] < RECENT else None

    def keep(self, establishment: UUID, standing: DayState) -> None:
        with self._lock:
            self._standing[establishment] = standing, time.monotonic()

    def forget(self, establishment: UUID) -> None:
        with self._lock:
            self._standing.pop(establishment, None)

    def forget_all(self) -> None:
        with self._lock:
            self._standing.clear()


MEMORY = Memory()
sessions.forgets(MEMORY.forget_all)


def day_state(establishment: UUID) -> DayState:
    """The current state of a house's days, from the last event of the stream ``day``."""
    last = journal.last(establishment=establishment, stream=STREAM)
    return (
        DayState() if last is None else read_day_state(last.data["standing"], last.stream_version)
    )


def read_day_state(data: Mapping[str, Any], version: int) -> DayState:
    """The state of days that an event of the stream ``day`` contains."""
    return DayState(
        version=version,
        day=_date(data["day"]),
        open=tuple(date.fromisoformat(each) for each in data["open"]),
        closing=_date(data["closing"]),
        closed=_date(data["closed"]),
        closing_version=data["closing_version"],
        closed_version=data["closed_version"],
    )


def entry(establishment: UUID, version: int) -> StoredEvent:
    """One event of the house's stream ``day``, by its version."""
    return journal.stream(establishment=establishment, stream=STREAM, after_version=version - 1)[0]


def new_event(event_type: str, data: Mapping[str, Any]) -> journal.NewEvent:
    """A new event for the house's stream ``day``."""
    return journal.NewEvent(stream=STREAM, event_type=event_type, schema_version=1, data=data)


def _date(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)


def current(establishment: Establishment, now: datetime) -> date:
    """The current gaming day of a house, for screens; for entries of the ledger use `enter`."""
    return _at(establishment, _recent(establishment.pk), now)


def previous(establishment: Establishment, day: date) -> date:
    """The last gaming day before `day` that the house had, for screens; else the day before."""
    known = _recent(establishment.pk)
    had = [each for each in (*known.open, known.closing, known.closed) if each and each < day]
    return max(had, default=day - A_DAY)


def state_of_days(establishment: UUID) -> DayState:
    """
    The state of a house's days that an entry goes by. The guard of the entry notices if it is
    stale.
    """
    return MEMORY.recall(establishment) or _recall(establishment)


def _recent(establishment: UUID) -> DayState:
    return MEMORY.recent(establishment) or _recall(establishment)


def _at(establishment: Establishment, known: DayState, now: datetime) -> date:
    by_clock = gaming_day(establishment, now)
    return by_clock if known.day is None else max(by_clock, known.day)


def enter(establishment: Establishment, now: datetime) -> Today:
    """
    The gaming day of what is recorded now, with its guard. The first entry of a day opens the day.

    No query if this process has read the state before: the guard notices if it is stale. On
    `StreamMoved`, call `forget_state` and ask again.

    :raises StreamMoved: if the house's days move faster than they can be read.
    """
    tries = TRIES
    while True:
        days = state_of_days(establishment.pk)
        day = _at(establishment, days, now)
        if day == days.day:
            return Today(day, days.version)
        try:
            return _open(establishment, day, days, now)
        except journal.StreamMoved:
            MEMORY.forget(establishment.pk)
            tries -= 1
            if not tries:
                raise


def forget_state(establishment: UUID, conflict: journal.StreamMoved) -> None:
    """Forget the cached state if an append failed on the guard of the day."""
    if conflict.stream == STREAM:
        MEMORY.forget(establishment)


def of_effect(establishment: UUID, cause: date, *, version: int) -> Today:
    """
    The gaming day of an effect: the day of its cause, as long as that day is not closed (B4).

    An effect that is booked after that, for example because it was parked, belongs to the current
    day: nothing is back-dated.

    :param version: the version of the stream ``day`` that the append will find.
    """
    known = MEMORY.recall(establishment)
    if known is None or known.version != version:
        known = _recall(establishment)
    if known.closed is None or cause > known.closed or known.day is None:
        return Today(cause, known.version)
    return Today(known.day, known.version)


def _recall(establishment: UUID) -> DayState:
    known = day_state(establishment)
    MEMORY.keep(establishment, known)
    return known


def _open(establishment: Establishment, day: date, known: DayState, now: datetime) -> Today:
    """
    Open a day. All processes that try it at the same time use the same command id.

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
    if receipt.repeated:  # another process opened the day, and the stream may have moved since
        raise journal.StreamMoved(STREAM, expected=known.version, actual=opened.version)
    if connection.in_atomic_block:
        MEMORY.forget(establishment.pk)  # the transaction may still be rolled back
    else:
        MEMORY.keep(establishment.pk, opened)
    return Today(day, opened.version)
