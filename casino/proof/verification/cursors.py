"""
Checks the cursors of subscribers against the rows that they wrote, and checks parked events.

No hash covers a cursor. But a subscriber that has handled an event has written rows that show it,
and a cursor behind those rows was moved back. A cursor that was moved back over events without rows
is not noticed; it does no harm, because the subscriber reads those events again.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.establishments.models import Change
from casino.play.core.models import GameSpan
from casino.play.core.projections import PROJECTIONS
from casino.play.core.subscriptions.quiet import READERS
from casino.play.dice.surveillance.models import DiceStream
from casino.play.dice.surveillance.subscriber import SURVEILLANCE
from casino.play.settlement.entries import ACTOR, NAMESPACE
from casino.play.settlement.subscriber import SETTLEMENT
from casino.proof.search import events as search_events
from casino.proof.search.models import EventBlock, RoundLine
from ledger.checking.findings import Finding, Step
from ledger.conflicts import count_of
from ledger.models import CommandReceipt, Event, ParkedEvent, Subscription

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ledger.checking.book import Book
    from ledger.checking.findings import Place

CURSORS, PARKED = (model._meta.db_table for model in (Subscription, ParkedEvent))  # noqa: SLF001
STREAMS_MAX: Final = 100  # streams with parked events that are checked
NEWEST: Final = 50  # newest entries of settlement whose causes are checked

SEEN: Final[Mapping[str, str]] = {
    HOUSE.name: f"""
        SELECT max(last) FROM (
            SELECT max(last_position) AS last FROM {RoundLine._meta.db_table}
            WHERE establishment_id = %(house)s
            UNION ALL SELECT max(position) FROM {Change._meta.db_table}
            WHERE establishment_id = %(house)s
            UNION ALL SELECT (max(block) + 1) * %(block)s - 1 FROM {EventBlock._meta.db_table}
            WHERE establishment_id = %(house)s
        ) AS seen""",  # noqa: S608, SLF001
    PROJECTIONS.name: f"SELECT max(last) FROM {GameSpan._meta.db_table}"  # noqa: S608, SLF001
    " WHERE establishment_id = %(house)s",
    SURVEILLANCE.name: f"SELECT max(last_position) FROM {DiceStream._meta.db_table}"  # noqa: S608, SLF001
    " WHERE establishment_id = %(house)s",
    SETTLEMENT.name: f"""
        SELECT max(cause.position) FROM (
            SELECT causation_id FROM ledger_event
            WHERE establishment = %(house)s AND actor = '{ACTOR}'
            ORDER BY position DESC LIMIT {NEWEST}
        ) AS booked JOIN ledger_event AS cause
            ON cause.establishment = %(house)s AND cause.event_id = booked.causation_id
            AND cause.actor <> '{ACTOR}'""",  # noqa: S608
}
"""
SQL for the last event that a subscriber's rows or entries refer to. For settlement, entries that
were caused by its own entries (`casino.play.core.rollover_delivery`) do not count: they are booked
before settlement reads its own booking.
"""

STANDS: Final = """
    SELECT (SELECT position FROM ledger_subscription
            WHERE establishment = %(house)s AND name = %(name)s), ({seen})"""


class Stream(NamedTuple):
    """The parked events of a stream. :param first: the first position. :param many: how many."""

    subscriber: str
    stream: str
    first: int
    many: int


def check(book: Book, place: Place) -> Iterator[Step]:
    """The check of cursors and parked events, in one step. :param place: ``looked``: done."""
    if not place:
        with book.moment():
            found = [*_names(book), *_cursors(book), *_check_parked(book)]
        yield Step(found, {"looked": True})


def _names(book: Book) -> Iterator[Finding]:
    """Findings for cursors whose name belongs to no subscriber."""
    known = {subscriber.name for subscriber in READERS}
    rows = Subscription.objects.using(book.using).filter(establishment=book.establishment)
    for name in rows.exclude(name__in=known).order_by("name").values_list("name", flat=True):
        yield _cursor(name, f"There is a cursor of {name} in {CURSORS}, and no such follower.")


def _cursors(book: Book) -> Iterator[Finding]:
    for name, seen in SEEN.items():
        [(position, last)] = book.rows(
            STANDS.format(seen=seen), name=name, block=search_events.BLOCK
        )
        if last is None or (position is not None and position >= last):
            continue
        stands = "is gone" if position is None else f"stands at position {position}"
        yield _cursor(
            name, f"The cursor of {name} in {CURSORS} {stands}; what it has left speaks of position"
            f" {last}.",
            column="position", expected=last, found=position,
        )  # fmt: skip


def _cursor(name: str, sentence: str, **more: Any) -> Finding:
    row = {"table": CURSORS, "follower": name}
    return Finding(check="cursor", says=sentence, row=row, **more)


# --- Parked events -------------------------------------------------------------------------------


def _check_parked(book: Book) -> Iterator[Finding]:
    rows = list(
        ParkedEvent.objects.using(book.using)
        .filter(establishment=book.establishment)
        .order_by("subscription", "position")
        .values_list("subscription", "stream", "position")
    )
    events = _events(book, [position for _, _, position in rows])
    streams: dict[tuple[str, str], Stream] = {}
    for subscriber, stream, position in rows:
        event = events.get(position)
        if event is None or event["stream"] != stream:
            yield _parking(subscriber, position, f"is no event of {stream}")
        elif subscriber == SETTLEMENT.name and _is_booked(book, event["event_id"]):
            yield _parking(subscriber, position, "has been booked: it waits for nothing")
        known = streams.get((subscriber, stream), Stream(subscriber, stream, position, 0))
        streams[subscriber, stream] = known._replace(many=known.many + 1)
    for each in list(streams.values())[:STREAMS_MAX]:
        yield from _whole(book, each)


def _events(book: Book, positions: Sequence[int]) -> dict[int, dict[str, Any]]:
    rows = Event.objects.using(book.using).filter(
        establishment=book.establishment, position__in=set(positions)
    )
    return {row["position"]: dict(row) for row in rows.values("position", "stream", "event_id")}


def _is_booked(book: Book, event_id: uuid.UUID) -> bool:
    """Whether settlement has handled an event: its command id is derived from the event's id."""
    command = uuid.uuid5(NAMESPACE, f"{SETTLEMENT.name}/{event_id}")
    rows = CommandReceipt.objects.using(book.using).filter(establishment=book.establishment)
    return rows.filter(command_id=command).exists()


def _whole(book: Book, parked: Stream) -> Iterator[Finding]:
    """Check that all later events of a parked stream are parked too, up to the cursor."""
    rows = Subscription.objects.using(book.using).filter(
        establishment=book.establishment, name=parked.subscriber
    )
    reached = rows.values_list("position", flat=True).first()
    if reached is None or reached < parked.first:
        yield _parking(parked.subscriber, parked.first, "was not read yet")
        return
    events = Event.objects.using(book.using).filter(
        establishment=book.establishment, stream=parked.stream,
        position__range=(parked.first, reached),
    )  # fmt: skip
    if (count := events.count()) != parked.many:
        yield _parking(
            parked.subscriber, parked.first, f"stands for {count_of(parked.many, 'event')} of"
            f" {parked.stream},"
            f" of which {count} were read from there on: all of them wait, or none"
        )  # fmt: skip


def _parking(subscriber: str, position: int, problem: str) -> Finding:
    return Finding(
        check="parked", first=position, row={"table": PARKED, "follower": subscriber},
        says=f"What {subscriber} has parked at position {position} in {PARKED} {problem}.",
    )  # fmt: skip
