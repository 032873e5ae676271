"""
Closing a gaming day (B4).

1. `close` begins it: ``day.closing``, at a position. The next day begins there at once; nothing
   new belongs to the old one, which the guard of every entry sees to.
2. Settlement goes on to that position. What it books still belongs to the day of its cause.
3. `finish` freezes the day: ``day.closed`` says what it came to, folded from its own events, and
   lists what is parked or held instead of waiting for it.

Any of it may be killed anywhere and done again; a day is closed once.
"""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction

from casino.attendants import permissions
from casino.days import left
from casino.days.figures import Figures
from casino.establishments import acts, days
from casino.play.settled import SETTLEMENT
from games.refusals import Refused
from ledger import journal
from ledger.accounts import Kind
from ledger.models import Event, Subscription

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date, datetime

    from casino.attendants.models import Attendant
    from casino.establishments.days import Standing
    from casino.establishments.models import Establishment
    from ledger.wire import StoredEvent

SIGNED: Final = "day.signed"
CHUNK: Final = 500  # events read at a time


class NothingToClose(Refused):
    code = "nothing_to_close"


class ClosedAlready(Refused):
    code = "day_closed_already"


class StillClosing(Refused):
    code = "day_still_closing"


class OlderDayOpen(Refused):
    code = "older_day_open"


class NotBegun(Refused):
    code = "day_not_begun"


class NotClosedYet(Refused):
    code = "day_not_closed"


class SignedAlready(Refused):
    code = "day_signed_already"


class OwnClosing(Refused):
    code = "own_closing"


def close(act: acts.Act, day: date) -> journal.Receipt:
    """
    Begin to close a day: the oldest that is open, on or after its cut-off or before.

    :raises NotYours: if the person's role does not let them close a day.
    :raises NothingToClose: if nothing was ever recorded at the house.
    :raises ClosedAlready: if its closing has begun before.
    :raises StillClosing: if another day is being closed at the moment.
    :raises OlderDayOpen: if an older day comes first.
    :raises NotBegun: if by the clock that day has not begun.
    """
    if act.by is not None:
        _may_close(act.by, act.house)

    def decide() -> acts.Done:
        known = days.standing(act.house.pk)
        _closable(act.house, known, day, act.now)
        closing = known.closes(day)
        data = {
            "day": day.isoformat(),
            "by": act.actor,
            "automatic": act.by is None,
            "previous": known.closing_version,
            "standing": closing.told,
        }
        return acts.Done(guards={days.STREAM: known.version}, events=[_event(days.CLOSING, data)])

    receipt = acts.perform(_asking(act, "close_day", day), decide)
    days.MEMORY.forget(act.house.pk)
    return receipt


def _may_close(person: Attendant, house: Establishment) -> None:
    """A manager's act, and one that takes a second factor (D2), as what managers configure."""
    if not permissions.may(person, "configure", house.pk):
        raise permissions.NotYours(f"At {house} its managers close the gaming day. D1")
    permissions.require(person, "configure", house)


def _closable(house: Establishment, known: Standing, day: date, now: datetime) -> None:
    if known.day is None:
        raise NothingToClose("Nothing was recorded at this house yet: no day is open. B4")
    if known.closing is not None and day <= known.closing:
        raise ClosedAlready(f"The closing of {day} has begun already. B4")
    if known.draining is not None:
        raise StillClosing(f"{known.draining} is still being closed: wait until it is booked. B4")
    if day > known.open[0]:
        raise OlderDayOpen(f"{known.open[0]} is still open: close it first. B4")
    if day != known.open[0]:
        raise NothingToClose(f"Nothing was recorded on {day}: there is nothing to close. B4")
    if day > days.gaming_day(house, now):
        raise NotBegun(
            f"By the clock {day} begins at {house.day_cutoff:%H:%M}: it can be closed from then on."
            " B4"
        )


def closes_at(house: Establishment, day: date) -> datetime | None:
    """When a day that nobody closes closes itself: its cut-off, and the house's grace."""
    if house.closing_grace is None:
        return None
    return days.begins(house, day + days.A_DAY) + timedelta(minutes=house.closing_grace)


def due(house: Establishment, now: datetime) -> date | None:
    """The day that closes itself now, if one does."""
    if house.closing_grace is None:
        return None
    known = days.standing(house.pk)
    if known.draining is not None or not known.open:
        return None
    at = closes_at(house, known.open[0])
    return known.open[0] if at is not None and at <= now else None


def close_by_itself(house: Establishment, day: date, now: datetime) -> None:
    """
    Nobody closed a day: the program does, and says so. Twice at once, it begins once.

    :raises Refused: if somebody closed it a moment ago.
    """
    name = f"{days.CLOSING}/{day}"
    act = acts.Act(
        house=house,
        by=None,
        device=days.ACTOR,
        now=now,
        command_id=uuid.uuid5(house.pk, name),
        asked={},
    )
    close(act, day)


def behind(establishment: uuid.UUID) -> int:
    """How many events settlement has to deal with before the day that is being closed is booked."""
    known = days.standing(establishment)
    if known.draining is None:
        return 0
    begun = days.entry(establishment, known.closing_version)
    return max(0, begun.position - 1 - _settled_through(establishment))


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
    if _settled_through(house.pk) < begun.position - 1:
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


def _settled_through(establishment: uuid.UUID) -> int:
    rows = Subscription.objects.filter(establishment=establishment, name=SETTLEMENT)
    reached = rows.values_list("position", flat=True).first()
    return -1 if reached is None else reached


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
                    _event(
                        days.CLOSED,
                        {**summary(house, begun, figures), "standing": closed.told},
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
    the ledger has no tree yet.
    """
    return {
        "day": figures.day.isoformat(),
        "by": begun.data["by"],
        "automatic": begun.data["automatic"],
        "closing_version": begun.stream_version,
        "position": begun.position,
        "settled_through": _settled_through(house.pk),
        **figures.told,
        "open_games": left.open_games(figures),
        "rollovers": figures.of_kind(Kind.ROLLOVER),
        "held": figures.of_kind(Kind.HELD),
        "parked": left.parked(house.pk, begun.position),
        "carried": figures.carried,
    }


def sign(act: acts.Act, day: date) -> journal.Receipt:
    """
    Put a second name under a closed day.

    :raises NotYours: if the person's role does not let them.
    :raises NotClosedYet: if the day is not closed.
    :raises OwnClosing: if they closed it themselves.
    :raises SignedAlready: if somebody signed it before.
    """
    if act.by is None:
        raise permissions.NotYours("A person signs by name. B4")
    permissions.require(act.by, "approve", act.house)

    def decide() -> acts.Done:
        known = days.standing(act.house.pk)
        told = closed_event(act.house.pk, day)
        if told is None:
            raise NotClosedYet(f"{day} is not closed: there is nothing to sign yet. B4")
        if told.data["by"] == act.actor:
            raise OwnClosing(f"You closed {day} yourself: somebody else signs it. C1")
        if _signed(act.house.pk, told):
            raise SignedAlready(f"{day} is signed already. B4")
        data = {
            "day": day.isoformat(),
            "closed_version": told.stream_version,
            "asked_by": told.data["by"],
            "approved_by": act.actor,
            "standing": known.is_told().told,
        }
        return acts.Done(guards={days.STREAM: known.version}, events=[_event(SIGNED, data)])

    return acts.perform(_asking(act, "sign_day", day), decide)


def _asking(act: acts.Act, do: str, day: date) -> acts.Act:
    """What tells this act from another under its id, whatever surface it came from."""
    return replace(act, asked={"do": do, "day": day.isoformat()})


def closed_event(establishment: uuid.UUID, day: date) -> StoredEvent | None:
    """What a closed day came to, from the ledger."""
    rows = Event.objects.filter(
        establishment=establishment, command_id=uuid.uuid5(establishment, f"{days.CLOSED}/{day}")
    )
    position = rows.values_list("position", flat=True).first()
    if position is None:
        return None
    return journal.read(establishment=establishment, after=position - 1, limit=1)[0]


def _signed(establishment: uuid.UUID, told: StoredEvent) -> bool:
    later = Event.objects.filter(
        establishment=establishment,
        stream=days.STREAM,
        stream_version__gt=told.stream_version,
        event_type=SIGNED,
    )
    positions = later.values_list("position", flat=True)
    return any(
        event.data["closed_version"] == told.stream_version
        for position in positions
        for event in journal.read(establishment=establishment, after=position - 1, limit=1)
    )


def _event(event_type: str, data: dict[str, Any]) -> journal.NewEvent:
    return journal.NewEvent(stream=days.STREAM, event_type=event_type, schema_version=1, data=data)
