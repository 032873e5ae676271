"""
A gaming day is frozen (B4): once settlement has come to where its closing began.

``day.closed`` says what the day came to, folded from its own events, and lists what is parked or
held instead of waiting for it. Killed anywhere and done again, a day is frozen once.
"""

from __future__ import annotations

import uuid
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction

from casino.establishments import gaming_day as days
from casino.gaming_days import carried_over
from casino.gaming_days.figures import Figures
from casino.settlement.settled import SETTLEMENT, reached
from ledger import journal
from ledger.accounts import Kind
from ledger.models import Event, Subscription

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date, datetime

    from casino.establishments.gaming_day import Standing
    from casino.establishments.models import Establishment
    from ledger.wire import StoredEvent

CHUNK: Final = 500  # events read at a time


def finish(house: Establishment, now: datetime) -> StoredEvent | None:
    """
    Freeze the day that is being closed, if it is booked by now; None if it is not, or none is.

    The day's events are folded before anything is locked. Then settlement is kept out for the
    moment in which the last of them are taken in and ``day.closed`` is appended.
    """
    known = days.standing(house.pk)
    if known.draining is None:
        return None
    begun = days.entry(house.pk, known.closing_version)
    if reached(house.pk) < begun.position - 1:
        return None
    figures = begin_figures(house, known, begun)
    figures.take(of_day(house.pk, figures.day))
    try:
        with transaction.atomic():
            _keep_settlement_out(house.pk)
            figures.take(of_day(house.pk, figures.day, after=figures.through))
            receipt = _append(house, known, begun, figures, now)
    except journal.StreamMoved as moved:  # somebody opened a day
        days.moved(house.pk, moved)
        return None
    days.MEMORY.forget(house.pk)
    return None if receipt.repeated else days.entry(house.pk, known.version + 1)


def begin_figures(house: Establishment, known: Standing, begun: StoredEvent) -> Figures:
    """The figures of a day before its first event: what the day before left."""
    day = known.draining
    if day is None:
        raise AssertionError("asked for while a day is being closed")
    previous = begun.data["previous"]
    since = days.entry(house.pk, previous) if previous else None
    if known.closed_version:
        before = days.entry(house.pk, known.closed_version).data["carried"]
        return Figures(house, day, since=since, before=before)
    older = Figures(house, day)
    older.take(before_day(house.pk, day))
    return Figures(house, day, since=since, before=older.carried)


def of_day(establishment: uuid.UUID, day: date, after: int = -1) -> Iterator[StoredEvent]:
    """The events of a gaming day behind a position, in order."""
    return _read(establishment, after, gaming_day=day)


def before_day(establishment: uuid.UUID, day: date) -> Iterator[StoredEvent]:
    """The events of all gaming days before one, in order: what a first closing begins with."""
    return _read(establishment, -1, gaming_day__lt=day)


def _read(establishment: uuid.UUID, after: int, **which: Any) -> Iterator[StoredEvent]:
    """Only their positions are looked up by day: the ledger reads its events itself."""
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
    """Its row is locked first, the ledger last, as everywhere (the ledger's lock order)."""
    rows = Subscription.objects.filter(establishment=establishment, name=SETTLEMENT)
    list(rows.select_for_update())


def _append(
    house: Establishment, known: Standing, begun: StoredEvent, figures: Figures, now: datetime
) -> journal.Receipt:
    name = f"{days.CLOSED}/{figures.day}"
    closed = known.is_closed()
    (receipt,) = journal.append(
        establishment=house.pk,
        entries=[
            journal.Entry(
                provenance=journal.Provenance(
                    command_id=uuid.uuid5(house.pk, name),
                    actor=days.ACTOR,
                    device=days.ACTOR,
                    correlation_id=begun.provenance.correlation_id,
                    causation_id=begun.event_id,
                    occurred_at=now,
                    recorded_at=now,
                    gaming_day=known.day or figures.day,
                ),
                request_hash=sha256(name.encode()).digest(),
                guards={days.STREAM: known.version},
                events=(
                    days.new_event(
                        days.CLOSED,
                        {**summary(house, begun, figures), "standing": closed.as_dict},
                    ),
                ),
            )
        ],
    )
    return receipt


def summary(house: Establishment, begun: StoredEvent, figures: Figures) -> dict[str, Any]:
    """
    What a day came to, as its last event says for ever: whole coins, ids and tokens.

    ``position`` is where the closing began: all that belongs to the day by its own right lies
    before it; ``settled_through`` how far settlement was then. Roots and signatures are not here:
    the checkpoint that is signed next covers this event, and all before it.
    """
    return {
        "day": figures.day.isoformat(),
        "by": begun.data["by"],
        "automatic": begun.data["automatic"],
        "closing_version": begun.stream_version,
        "position": begun.position,
        "settled_through": reached(house.pk),
        **figures.told,
        "open_games": carried_over.open_games(figures),
        "rollovers": figures.of_kind(Kind.ROLLOVER),
        "held": figures.held,
        "parked": carried_over.parked(house.pk, begun.position),
        "carried": figures.carried,
    }


def closed_event(establishment: uuid.UUID, day: date) -> StoredEvent | None:
    """What a closed day came to, from the ledger."""
    rows = Event.objects.filter(
        establishment=establishment, command_id=uuid.uuid5(establishment, f"{days.CLOSED}/{day}")
    )
    position = rows.order_by("command_seq").values_list("position", flat=True).first()
    if position is None:
        return None
    return journal.read(establishment=establishment, after=position - 1, limit=1)[0]
