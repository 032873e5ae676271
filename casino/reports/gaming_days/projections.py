"""The projection of gaming days and late entries, from the house's events."""

from __future__ import annotations

from datetime import date, datetime, time
from typing import TYPE_CHECKING

from casino.engine.processes.queues import house_subscriber
from casino.house.acts.changes import record_stream
from casino.house.establishments import gaming_day
from casino.house.establishments.models import Establishment
from casino.reports.gaming_days.closing import SIGNED
from casino.reports.gaming_days.figures import SKEW, is_effect, is_late, seconds_late
from casino.reports.gaming_days.models import GamingDay, LateEntry
from ledger import journal
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import QuerySet

    from ledger.wire import StoredEvent

RECORD = record_stream("establishment")


def handle(event: StoredEvent) -> None:
    """Update the rows of days from an event, and list the event if it is late."""
    if (handler := HANDLERS.get(event.event_type)) and event.stream == gaming_day.STREAM:
        handler(event)
    elif event.command_seq == 0:
        _look_at_its_times(event)


DAYS = house_subscriber.Area("days", handle, rows=(GamingDay, LateEntry))


def _rows(event: StoredEvent, day: str) -> QuerySet[GamingDay]:
    return GamingDay.objects.filter(establishment=event.establishment, day=day)


def _open(event: StoredEvent) -> None:
    for day in event.data["standing"]["open"]:
        GamingDay.objects.get_or_create(
            establishment_id=event.establishment,
            day=date.fromisoformat(day),
            defaults={"opened_at": event.provenance.recorded_at},
        )


def _closing(event: StoredEvent) -> None:
    _rows(event, event.data["day"]).update(
        state=GamingDay.State.CLOSING,
        closing_at=event.provenance.recorded_at,
        closing_position=event.position,
        by=event.data["by"],
    )
    _open(event)  # the same event begins the next day


def _close(event: StoredEvent) -> None:
    totals = event.data["totals"]
    _rows(event, event.data["day"]).update(
        state=GamingDay.State.CLOSED,
        closed_at=event.provenance.recorded_at,
        closed_position=event.position,
        **{name: totals[name] for name in ("rounds", "staked", "paid", "fees", "over_short")},
    )


def _sign(event: StoredEvent) -> None:
    _rows(event, event.data["day"]).update(
        signed_by=event.provenance.actor, signed_at=event.provenance.recorded_at
    )


HANDLERS: dict[str, Callable[[StoredEvent], None]] = {
    gaming_day.OPENED: _open,
    gaming_day.CLOSING: _closing,
    gaming_day.CLOSED: _close,
    SIGNED: _sign,
}


def _look_at_its_times(event: StoredEvent) -> None:
    provenance = event.provenance
    if provenance.occurred_at == provenance.recorded_at:
        return
    house = _house_then(event)
    happened_on = gaming_day.gaming_day(house, provenance.occurred_at)
    if is_effect(event):
        if (
            happened_on < provenance.gaming_day
            and (meant := _day_of_cause(event)) < provenance.gaming_day
        ):
            _list(event, LateEntry.Kind.BOOKED, meant)
    elif happened_on < provenance.gaming_day and is_late(house, event, _beginning_of(event)):
        _list(event, LateEntry.Kind.LATE, happened_on)
    elif abs((provenance.recorded_at - provenance.occurred_at).total_seconds()) > SKEW:
        _list(event, LateEntry.Kind.SKEW, provenance.gaming_day)


def _house_then(event: StoredEvent) -> Establishment:
    """The house with the time zone and cut-off that it had when an event was recorded."""
    house = Establishment.objects.get(pk=event.establishment)
    last = journal.last(establishment=house.pk, stream=RECORD)
    if last is None:
        return house
    records = [last]
    if last.position > event.position:  # the house was changed since
        records = journal.stream(establishment=house.pk, stream=RECORD)
    before = [each.data["after"] for each in records if each.position < event.position]
    clock = before[-1] if before else records[0].data["before"] or records[0].data["after"]
    house.time_zone = clock["time_zone"]
    house.day_cutoff = time.fromisoformat(clock["day_cutoff"])
    return house


def _beginning_of(event: StoredEvent) -> datetime | None:
    """When the closing of the day before began, if that was before the event."""
    closed = GamingDay.objects.filter(
        establishment=event.establishment,
        day__lt=event.provenance.gaming_day,
        closing_at__isnull=False,
        closing_position__lt=event.position,
    )
    return closed.order_by("-day").values_list("closing_at", flat=True).first()


def _day_of_cause(event: StoredEvent) -> date:
    cause = event.provenance.causation_id or event.event_id
    rows = Event.objects.filter(establishment=event.establishment, event_id=cause)
    return rows.values_list("gaming_day", flat=True).first() or event.provenance.gaming_day


def _list(event: StoredEvent, kind: LateEntry.Kind, meant_for: date) -> None:
    provenance = event.provenance
    LateEntry.objects.create(
        establishment_id=event.establishment,
        position=event.position,
        kind=kind,
        gaming_day=provenance.gaming_day,
        meant_for=meant_for,
        occurred_at=provenance.occurred_at,
        recorded_at=provenance.recorded_at,
        seconds=seconds_late(event),
        stream=event.stream,
        event_type=event.event_type,
        actor=provenance.actor,
        device=provenance.device,
    )
