"""
Freezes a gaming day (B4), once settlement has reached the position where its closing began.

``day.closed`` has the figures of the day, folded from its own events. Parked events and held
payouts are listed there; the day does not wait for them. Freezing may be interrupted anywhere and
repeated; a day is frozen only once.
"""

from __future__ import annotations

import uuid
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction

from casino.house.establishments import gaming_day
from casino.play.settlement.settled import SETTLEMENT, position_of
from casino.reports.gaming_days import carried_over
from casino.reports.gaming_days.figures import Figures
from ledger import journal
from ledger.accounts import Kind
from ledger.models import Event, Subscription

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date, datetime

    from casino.house.establishments.gaming_day import Standing
    from casino.house.establishments.models import Establishment
    from ledger.wire import StoredEvent

CHUNK: Final = 500  # events read at a time


def finish(house: Establishment, now: datetime) -> StoredEvent | None:
    """
    Freeze the day that is being closed, if it is fully booked.

    The day's events are folded before anything is locked. Then settlement is locked out while the
    last events are added and ``day.closed`` is appended.

    :returns: the event ``day.closed``; None if no day is being closed, or it is not booked yet.
    """
    known = gaming_day.standing(house.pk)
    if known.draining is None:
        return None
    begun = gaming_day.entry(house.pk, known.closing_version)
    if position_of(house.pk) < begun.position - 1:
        return None
    figures = begin_figures(house, known, begun)
    figures.take(of_day(house.pk, figures.day))
    try:
        with transaction.atomic():
            _keep_settlement_out(house.pk)
            figures.take(of_day(house.pk, figures.day, after=figures.through))
            receipt = _append(house, known, begun, figures, now)
    except journal.StreamMoved as moved:  # somebody opened a day
        gaming_day.forget_state(house.pk, moved)
        return None
    gaming_day.MEMORY.forget(house.pk)
    return None if receipt.repeated else gaming_day.entry(house.pk, known.version + 1)


def begin_figures(house: Establishment, known: Standing, begun: StoredEvent) -> Figures:
    """The figures of a day before its first event, with what the day before carried over."""
    day = known.draining
    if day is None:
        raise AssertionError("asked for while a day is being closed")
    previous = begun.data["previous"]
    since = gaming_day.entry(house.pk, previous) if previous else None
    if known.closed_version:
        before = gaming_day.entry(house.pk, known.closed_version).data["carried"]
        return Figures(house, day, since=since, before=before)
    older = Figures(house, day)
    older.take(before_day(house.pk, day))
    return Figures(house, day, since=since, before=older.carried)


def of_day(establishment: uuid.UUID, day: date, after: int = -1) -> Iterator[StoredEvent]:
    """The events of a gaming day after a position, in order."""
    return _read(establishment, after, gaming_day=day)


def before_day(establishment: uuid.UUID, day: date) -> Iterator[StoredEvent]:
    """The events of all gaming days before one, in order; used by the first closing of a house."""
    return _read(establishment, -1, gaming_day__lt=day)


def _read(establishment: uuid.UUID, after: int, **which: Any) -> Iterator[StoredEvent]:
    """The events that match a filter; their positions are queried, the ledger reads the events."""
    rows = Event.objects.filter(establishment=establishment, **which).order_by("position")
    while True:
        found = list(rows.filter(position__gt=after).values_list("position", flat=True)[:CHUNK])
        if not found:
            return
        wanted = set(found)
        events = journal.read(
            establishment=establishment, after=found[0] - 1, limit=found[-1] - found[0] + 1
        )
        yield from (event for event in events if event.position in wanted)
        after = found[-1]


def _keep_settlement_out(establishment: uuid.UUID) -> None:
    """Lock the row of settlement. As everywhere, rows are locked before the ledger (lock order)."""
    rows = Subscription.objects.filter(establishment=establishment, name=SETTLEMENT)
    list(rows.select_for_update(of=("self",), no_key=True))


def _append(
    house: Establishment, known: Standing, begun: StoredEvent, figures: Figures, now: datetime
) -> journal.Receipt:
    name = f"{gaming_day.CLOSED}/{figures.day}"
    closed = known.is_closed()
    (receipt,) = journal.append(
        establishment=house.pk,
        entries=[
            journal.Entry(
                provenance=journal.Provenance(
                    command_id=uuid.uuid5(house.pk, name),
                    actor=gaming_day.ACTOR,
                    device=gaming_day.ACTOR,
                    correlation_id=begun.provenance.correlation_id,
                    causation_id=begun.event_id,
                    occurred_at=now,
                    recorded_at=now,
                    gaming_day=known.day or figures.day,
                ),
                request_hash=sha256(name.encode()).digest(),
                guards={gaming_day.STREAM: known.version},
                events=(
                    gaming_day.new_event(
                        gaming_day.CLOSED,
                        {**summary(house, begun, figures), "standing": closed.as_dict},
                    ),
                ),
            )
        ],
    )
    return receipt


def summary(house: Establishment, begun: StoredEvent, figures: Figures) -> dict[str, Any]:
    """
    The summary of a day, as its last event records it permanently: whole coins, ids and tokens.

    ``position`` is where the closing began: all entries of the day lie before it, except what
    settlement booked later. ``settled_through`` is how far settlement was then. There are no roots
    or signatures here: the next signed checkpoint covers this event and all events before it.
    """
    return {
        "day": figures.day.isoformat(),
        "by": begun.data["by"],
        "automatic": begun.data["automatic"],
        "closing_version": begun.stream_version,
        "position": begun.position,
        "settled_through": position_of(house.pk),
        **figures.as_dict,
        "open_games": carried_over.open_games(figures),
        "rollovers": figures.of_kind(Kind.ROLLOVER),
        "held": figures.held,
        "parked": carried_over.parked_events(house.pk, begun.position),
        "carried": figures.carried,
    }


def event_of_close(establishment: uuid.UUID, day: date) -> StoredEvent | None:
    """The event ``day.closed`` of a day, from the ledger; None if the day is not closed."""
    rows = Event.objects.filter(
        establishment=establishment,
        command_id=uuid.uuid5(establishment, f"{gaming_day.CLOSED}/{day}"),
    )
    position = rows.order_by("command_seq").values_list("position", flat=True).first()
    if position is None:
        return None
    return journal.read(establishment=establishment, after=position - 1, limit=1)[0]
