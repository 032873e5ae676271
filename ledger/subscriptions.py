"""
Subscriptions: read the journal from a cursor, and move the cursor together with the effects.

The lock order is the same everywhere: first the subscription's row (SKIP LOCKED: a worker that does
not get it gives up), and last the advisory lock that append takes. Nothing is computed while the
advisory lock is held.

An event that a subscriber cannot handle *parks its stream*: the event and the later events of its
stream go to the list of parked events, the cursor moves on, all other streams are served, and
`retry` replays the list in order once the cause is gone. Transient errors (a deadlock, a lost
connection, a locked file, a stream that moved meanwhile) never park a stream. They are raised, and
the next wake or sweep tries again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import (
    DataError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    connection,
    transaction,
)
from django.utils import timezone

from ledger import journal, keyed, storage
from ledger.conflicts import Conflict, CursorMoved, StreamMoved
from ledger.entries import Cursor, Entry, NewEvent, NewTransfer
from ledger.lag import Lag, Total, lag, lagging, lags, totals
from ledger.models import ParkedEvent, Subscription
from ledger.wire import StoredEvent, read_events

if TYPE_CHECKING:
    from django.db.models import QuerySet

__all__ = [
    "Advanced",
    "Handle",
    "Lag",
    "StreamVersions",
    "Subscriber",
    "Total",
    "advance",
    "begin_anew",
    "lag",
    "lagging",
    "lags",
    "parked_events",
    "rebuild",
    "retry",
    "step",
    "totals",
]

BATCH_MAX = 50  # events; larger batches keep attendants waiting while they are appended
TRIES = 10  # attempts at one event, before a stream that keeps moving counts as an error
OF_THE_DATABASE: tuple[type[Exception], ...] = (OperationalError, InterfaceError)
TRANSIENT: tuple[type[Exception], ...] = (*OF_THE_DATABASE, StreamMoved, CursorMoved)
"""
Exceptions after which a retry helps, besides `storage.storage_fault`: they say nothing about the
event.
"""

NOT_BOOKABLE = (Conflict, ValueError, IntegrityError, DataError)
"""What append raises because of its arguments. Any other exception is a failure of the database."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Advanced:
    """
    The result of `advance`, `step` or `retry`. `lag`: the events that were still unread at the end.
    `appended`: the events that handlers have appended, which other subscribers now have to handle.
    """

    handled: int = 0
    appended: int = 0
    full: bool = False
    """Whether the batch was full: then there may be more events."""
    lag: int = 0
    parked: int = 0
    lost_race: bool = False
    """Whether another worker has the subscription; that worker does the work."""


def advance(subscriber: Subscriber, *, establishment: UUID, batch: int = BATCH_MAX) -> Advanced:
    """
    Handle the next events of a house, at most `batch`, and move the cursor past them.

    The handlers' entries and the cursor's move are one append. If an event or that append fails,
    the batch is repeated event by event, each with its own append, so that only the failing event
    is parked. Call this until `lag` is 0. After `lost_race` that is not necessary: the other worker
    sees the events for which this call was made.

    :raises OperationalError: and other transient errors; then nothing has changed.
    """
    done = step(subscriber, establishment=establishment, batch=batch)
    # Queried after the commit, so that a worker that found the row locked before may stop.
    return replace(done, lag=lag(subscriber.name, establishment=establishment))


def step(subscriber: Subscriber, *, establishment: UUID, batch: int = BATCH_MAX) -> Advanced:
    """
    Do as `advance` without the query for the lag, for callers that come again soon. `lag` is 0, and
    after `lost_race` the caller must call again.
    """
    size = min(batch, BATCH_MAX)
    try:
        return _advance(subscriber, establishment, size)
    except CursorMoved:
        return Advanced(lost_race=True)
    except OF_THE_DATABASE + subscriber.transient:
        raise
    except Exception as error:  # one event may be the cause; the others can be handled
        if storage.storage_fault(error):  # of any class: PostgreSQL's read-only is an InternalError
            raise
        logger.warning("%s: a batch fails; event by event", subscriber.name, exc_info=True)
        return _one_by_one(subscriber, establishment, size)


def retry(subscriber: Subscriber, *, establishment: UUID, stream: str) -> Advanced:
    """
    Replay a parked stream in order, each event with its own append, up to the first that fails.

    The cursor does not move: while a stream is parked, its new events are added to the list, so an
    empty list means that the stream has caught up. `parked_events` is the number of events that
    still wait.
    """
    handled = 0
    try:
        while _retry_first(subscriber, establishment, stream):
            handled += 1
    except TRANSIENT + subscriber.transient:
        raise
    except Exception as error:  # the event stays parked, with the newest error
        if storage.storage_fault(error):
            raise
        _still_parked(subscriber, establishment, stream, error)
    return Advanced(
        handled=handled,
        parked=_waiting(subscriber, establishment, stream).count(),
        lag=lag(subscriber.name, establishment=establishment),
    )


def parked_events(subscriber_name: str, *, establishment: UUID) -> list[ParkedEvent]:
    """The parked events of a house, in order; those with attempts are the ones that failed."""
    rows = ParkedEvent.objects.filter(establishment=establishment, subscription=subscriber_name)
    return list(rows.order_by("position"))


def rebuild(subscriber: Subscriber, *, establishment: UUID) -> int:
    """
    Rebuild a disposable projection from the first event; the number of events handled.

    It is not meant for subscribers whose handlers append: what they booked stays booked. It does
    them no harm, because their command ids are already answered, but `forget` cannot undo anything.
    """
    begin_anew(subscriber, establishment=establishment)
    total, step = 0, Advanced(lag=1)
    while step.lag and not step.lost_race:
        step = advance(subscriber, establishment=establishment)
        total += step.handled
    return total


def begin_anew(subscriber: Subscriber, *, establishment: UUID) -> None:
    """Empty a disposable projection and put its cursor before the first event."""
    with transaction.atomic():
        held = lock(subscriber.name, establishment, wait=True)
        subscriber.forget(establishment)
        ParkedEvent.objects.filter(
            establishment=establishment, subscription=subscriber.name
        ).delete()
        if held is not None:
            _move(subscriber, establishment, held, -1)


@dataclass(slots=True, kw_only=True)
class _Batch:
    """The results of the events of one batch, before they are written."""

    establishment: UUID
    versions: StreamVersions
    entries: list[Entry] = field(default_factory=list)
    parking: list[ParkedEvent] = field(default_factory=list)
    blocked: dict[str, int] = field(default_factory=dict)
    """Stream -> the first position parked in it."""


def _advance(
    subscriber: Subscriber, establishment: UUID, size: int, *, alone: bool = False
) -> Advanced:
    with transaction.atomic():
        taken = lock_and_read(subscriber.name, establishment, size)
        if taken is None:
            return Advanced(lost_race=True)
        if not taken.rows:
            return Advanced()
        events = read_events(establishment, [row[:3] for row in taken.rows])
        subscriber.meets(_whole_commands(events, cut=len(events) == size))
        waits = any(row[3] for row in taken.rows)
        done = _batch(subscriber, establishment, events, parked=waits)
        with subscriber.handling(establishment, events) as handle:
            for event in events:
                if alone and subscriber.batch is None:
                    _handle_or_park(subscriber, handle, done, event)
                else:
                    _handle(subscriber, handle, done, event)
        ParkedEvent.objects.bulk_create(done.parking)
        last = events[-1].position
        cursor = Cursor(subscription=subscriber.name, expected=taken.cursor, moved_to=last)
        _append(subscriber, done, cursor)
    return Advanced(
        handled=len(events) - len(done.parking),
        full=len(events) == size,
        appended=sum(len(entry.events) for entry in done.entries),
        parked=len(done.parking),
    )


def _one_by_one(subscriber: Subscriber, establishment: UUID, size: int) -> Advanced:
    handled, appended, parked_now, step = 0, 0, 0, Advanced()
    for _ in range(min(size, lag(subscriber.name, establishment=establishment))):
        step = _advance_alone(subscriber, establishment)
        handled, parked_now = handled + step.handled, parked_now + step.parked
        appended += step.appended
        if not (step.handled or step.parked):
            break
    return Advanced(handled=handled, appended=appended, parked=parked_now, lost_race=step.lost_race)


def _advance_alone(subscriber: Subscriber, establishment: UUID) -> Advanced:
    for attempt in range(1, TRIES + 1):
        try:
            return _advance(subscriber, establishment, 1, alone=True)
        except CursorMoved:
            return Advanced(lost_race=True)
        except StreamMoved as error:
            if attempt == TRIES:
                return _park_next(subscriber, establishment, error)
        except NOT_BOOKABLE as error:
            return _park_next(subscriber, establishment, error)
        except Exception as error:  # the event fails; what it wrote was rolled back
            passes = isinstance(error, OF_THE_DATABASE + subscriber.transient)
            if passes or subscriber.batch is None or storage.storage_fault(error):
                raise
            return _park_next(subscriber, establishment, error)
    raise AssertionError("unreachable")  # pragma: no cover


def _park_next(subscriber: Subscriber, establishment: UUID, error: Exception) -> Advanced:
    """Park the next event without its effects, because handling it or appending them failed."""
    with transaction.atomic():
        held = lock(subscriber.name, establishment)
        if held is None:
            return Advanced(lost_race=True)
        [event] = journal.read(establishment=establishment, after=held, limit=1)
        _park(subscriber, event, error).save(force_insert=True)
        _move(subscriber, establishment, held, event.position)
    return Advanced(parked=1)


def _whole_commands(events: Sequence[StoredEvent], *, cut: bool) -> Sequence[StoredEvent]:
    """The events without the last command if the batch was cut off: more of it may follow."""
    last = events[-1].provenance.command_id
    return [each for each in events if each.provenance.command_id != last] if cut else events


def _batch(
    subscriber: Subscriber, establishment: UUID, events: Sequence[StoredEvent], *, parked: bool
) -> _Batch:
    """An empty batch. :param parked: whether a stream of these events has parked events."""
    touched = {stream for event in events for stream in subscriber.touches(event)}
    streams = {event.stream for event in events}
    return _Batch(
        establishment=establishment,
        versions=StreamVersions(establishment, touched),
        blocked=_streams_that_wait(subscriber, establishment, streams) if parked else {},
    )


def _streams_that_wait(
    subscriber: Subscriber, establishment: UUID, streams: set[str]
) -> dict[str, int]:
    latest_first = keyed.rows(
        "SELECT stream, position FROM ledger_parkedevent"  # noqa: S608 - marks alone
        f" WHERE establishment = %s AND subscription = %s AND stream IN ({keyed.marks(streams)})"
        " ORDER BY position DESC",
        establishment,
        subscriber.name,
        *streams,
    )
    return dict(latest_first)  # the first of a stream comes last, and stays


def _handle(subscriber: Subscriber, handle: Handle, done: _Batch, event: StoredEvent) -> None:
    if (cause := done.blocked.get(event.stream)) is not None:
        done.parking.append(_waits(subscriber, event, cause))
        return
    entries = handle(event, done.versions)
    done.versions.take(entries)
    done.entries.extend(entries)


def _handle_or_park(
    subscriber: Subscriber, handle: Handle, done: _Batch, event: StoredEvent
) -> None:
    try:
        with transaction.atomic():
            _handle(subscriber, handle, done, event)
    except TRANSIENT + subscriber.transient:
        raise
    except Exception as error:  # an event that fails stops its own stream only
        if storage.storage_fault(error):  # of any class: PostgreSQL's read-only is an InternalError
            raise
        done.parking.append(_park(subscriber, event, error))


def _append(subscriber: Subscriber, done: _Batch, cursor: Cursor) -> None:
    if done.entries:
        journal.append(
            establishment=done.establishment, entries=done.entries, cursor=cursor, savepoint=False
        )
    else:  # the row is locked already: no need to wait for the establishment's lock
        _move(subscriber, done.establishment, cursor.expected, cursor.moved_to)


MOVE = """
    UPDATE ledger_subscription SET position = %s
    WHERE establishment = %s AND name = %s AND position = %s"""


def _move(subscriber: Subscriber, establishment: UUID, expected: int, moved_to: int) -> None:
    if not keyed.change(MOVE, moved_to, establishment, subscriber.name, expected):
        raise CursorMoved(subscriber.name, expected=expected)


def _retry_first(subscriber: Subscriber, establishment: UUID, stream: str) -> bool:
    """Replay the first parked event of a stream. False when none is left."""
    with transaction.atomic():
        lock(subscriber.name, establishment, wait=True)
        first = _waiting(subscriber, establishment, stream).first()
        if first is None:
            return False
        [event] = journal.read(establishment=establishment, after=first.position - 1, limit=1)
        entries = subscriber.handle(event, StreamVersions(establishment, subscriber.touches(event)))
        first.delete()
        if entries:
            journal.append(establishment=establishment, entries=entries)
    return True


def _still_parked(
    subscriber: Subscriber, establishment: UUID, stream: str, error: Exception
) -> None:
    logger.error("%s: %s stays parked", subscriber.name, stream, exc_info=error)
    if (first := _waiting(subscriber, establishment, stream).first()) is not None:
        first.error, first.attempts = _reason(error), first.attempts + 1
        first.save(update_fields=["error", "attempts"])


def _waiting(subscriber: Subscriber, establishment: UUID, stream: str) -> QuerySet[ParkedEvent]:
    return ParkedEvent.objects.filter(
        establishment=establishment, subscription=subscriber.name, stream=stream
    ).order_by("position")


def _park(subscriber: Subscriber, event: StoredEvent, error: Exception) -> ParkedEvent:
    logger.error(
        "%s: position %s of %s parks its stream %s",
        subscriber.name, event.position, event.establishment, event.stream, exc_info=error,
    )  # fmt: skip
    return _park_event(subscriber, event, _reason(error), attempts=1)


def _waits(subscriber: Subscriber, event: StoredEvent, cause: int) -> ParkedEvent:
    return _park_event(subscriber, event, f"waits behind position {cause}", attempts=0)


def _park_event(
    subscriber: Subscriber, event: StoredEvent, error: str, *, attempts: int
) -> ParkedEvent:
    return ParkedEvent(
        establishment=event.establishment,
        subscription=subscriber.name,
        position=event.position,
        stream=event.stream,
        error=error,
        parked_at=timezone.now(),
        attempts=attempts,
    )


def _reason(error: Exception) -> str:
    """The error as text that every database accepts: no odd character may prevent the parking."""
    text = f"{type(error).__name__}: {error}".replace("\0", "\\0")
    return text.encode(errors="backslashreplace").decode()


# Cursors of subscriptions: locks the cursor's row and reads the next events behind it.


HELD = "SELECT position FROM ledger_subscription WHERE establishment = %s AND name = %s"


def lock(name: str, establishment: UUID, *, wait: bool = False) -> int | None:
    """
    Lock the subscription's row until the transaction ends; the position of its cursor.

    :param wait: wait for another worker that has locked it. Else the result is None then.
    """
    lock = "" if connection.vendor == "sqlite" else " FOR UPDATE" + ("" if wait else " SKIP LOCKED")
    if not (found := keyed.rows(HELD + lock, establishment, name)):
        if lock and keyed.rows(HELD, establishment, name):
            return None
        fresh = Subscription(establishment=establishment, name=name)
        Subscription.objects.bulk_create([fresh], ignore_conflicts=True)
        found = keyed.rows(HELD + lock, establishment, name)
    return found[0][0] if found else None


IS_PARKED = """EXISTS (
    SELECT 1 FROM ledger_parkedevent AS waits WHERE waits.establishment = %s
    AND waits.subscription = %s AND waits.stream = event.stream
)"""
TAKEN = {
    "postgresql": f"""
        WITH held AS (
            SELECT position FROM ledger_subscription
            WHERE establishment = %s AND name = %s FOR UPDATE SKIP LOCKED
        )
        SELECT held.position, seen.position, event.position, body, leaf_hash, {IS_PARKED}
        FROM held CROSS JOIN ledger_subscription AS seen LEFT JOIN LATERAL (
            SELECT position, body, leaf_hash, stream FROM ledger_event
            WHERE establishment = %s AND position > held.position
            ORDER BY position LIMIT %s
        ) AS event ON TRUE
        WHERE seen.establishment = %s AND seen.name = %s
        ORDER BY event.position""",  # noqa: S608 - of ours
    "sqlite": f"""
        WITH held AS (
            SELECT position FROM ledger_subscription WHERE establishment = %s AND name = %s
        )
        SELECT held.position, held.position, event.position, body, leaf_hash, {IS_PARKED}
        FROM held LEFT JOIN ledger_event AS event
            ON event.establishment = %s AND event.position > held.position
        ORDER BY event.position LIMIT %s""",  # noqa: S608 - of ours
}
"""Locks the row of a subscription and reads the next events behind its cursor, in one query."""


@dataclass(frozen=True, slots=True)
class Taken:
    """
    A locked subscription and the next events for it.

    :param cursor: the position of the cursor; its row is locked until the transaction ends.
    :param seen: the position of the cursor when the query began.
    :param rows: the next events: position, body, leaf hash, whether an event of its stream is
        parked.
    """

    cursor: int
    seen: int
    rows: Sequence[tuple[Any, ...]]


def lock_and_read(name: str, establishment: UUID, size: int) -> Taken | None:
    """
    Lock a subscription and read its next events, `size` at most; None: another worker has it.

    PostgreSQL answers from what was committed when the query began, except for the row that it
    locks: that row it reads in its newest version. If the cursor moved in between, events that were
    parked with the move are missing from the answer, so the query is made again with the row
    locked.
    """
    found = _query(name, establishment, size)
    if found is None or found.cursor != found.seen:
        if lock(name, establishment) is None:
            return None
        found = _query(name, establishment, size)
    return found


def _query(name: str, establishment: UUID, size: int) -> Taken | None:
    mine = establishment, name
    twice = mine if connection.vendor == "postgresql" else ()
    statement = TAKEN[connection.vendor]
    rows = keyed.rows(statement, *mine, *mine, establishment, size, *twice)
    if not rows:
        return None
    return Taken(rows[0][0], rows[0][1], [row[2:] for row in rows if row[2] is not None])


# Subscribers: who reads the journal, and what a handler is given.


class StreamVersions:
    """
    The versions of streams, counting the entries that this batch has decided but not yet appended.

    Handlers use them as guards, so that several events of one batch may append to one stream.
    """

    def __init__(self, establishment: UUID, streams: Iterable[str] = ()) -> None:
        self.establishment = establishment
        self._announced = frozenset(streams)
        self._known: dict[str, int] = {}
        self._entries: list[Entry] = []

    def __getitem__(self, stream: str) -> int:
        """The version of a stream. The first access reads all announced streams in one query."""
        if stream not in self._known:
            wanted = self._announced - self._known.keys() | {stream}
            self._known |= journal.versions(establishment=self.establishment, streams=wanted)
        return self._known[stream]

    def take(self, entries: Iterable[Entry]) -> None:
        """Add entries that are going to be appended, and count their events."""
        for entry in entries:
            self._entries.append(entry)
            for event in entry.events:
                self._known[event.stream] = self[event.stream] + 1

    def decided(self, stream: str) -> Iterator[tuple[NewEvent, tuple[NewTransfer, ...]]]:
        """The events of a stream that this batch will append, with their transfers."""
        for entry in self._entries:
            for seq, event in enumerate(entry.events):
                if event.stream == stream:
                    yield event, tuple(each for each in entry.transfers if each.event == seq)


Handle = Callable[[StoredEvent, StreamVersions], Sequence[Entry]]
Meet = Callable[[Sequence[StoredEvent]], None]
Batch = Callable[[UUID, Sequence[StoredEvent]], AbstractContextManager[Handle]]


def _touch_nothing(_event: StoredEvent) -> Iterable[str]:
    return ()


def _meet_nothing(_events: Sequence[StoredEvent]) -> None:
    """The default of `meets`, for subscribers that remember nothing."""


def _forget_nothing(_establishment: UUID) -> None:
    """The default of `forget`, for subscribers without rows of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscriber:
    """
    A subscriber: its name, and what it does with an event.

    `handle` may write rows of its own, in the transaction of the batch, and returns the entries to
    append. It must give them command ids that depend only on the subscriber and the event
    (``uuid5``), so that an event that is handled twice is booked once. `touches` names the streams
    whose versions `handle` will need; they are read in one query per batch. `forget` deletes what a
    disposable projection has written about a house.
    """

    name: str
    handle: Handle
    touches: Callable[[StoredEvent], Iterable[str]] = _touch_nothing
    forget: Callable[[UUID], None] = _forget_nothing
    transient: tuple[type[Exception], ...] = ()
    """
    Exceptions after which a retry helps, besides those of the database: for example the signal of a
    task's time limit, which `handle` does not catch.
    """
    batch: Batch | None = None
    """
    A context manager for subscribers that read and write their rows once per batch. It is entered
    with the events, in the transaction that moves the cursor, and reads the rows. It yields a
    function that handles each event instead of `handle`. On exit it writes the rows. If an event
    fails, the whole batch is rolled back and repeated event by event. For a single event its effect
    is the same as that of `handle`.
    """

    meets: Meet = _meet_nothing
    """
    Called with the events that are about to be handled, so that what the subscriber remembers of
    their streams need not be read again. It gets all events of a command or none. It writes
    nothing.
    """

    def handling(
        self, establishment: UUID, events: Sequence[StoredEvent]
    ) -> AbstractContextManager[Handle]:
        """A context manager that yields the function which handles these events."""
        return nullcontext(self.handle) if self.batch is None else self.batch(establishment, events)
