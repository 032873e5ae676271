"""Rows of alarms from their events, written by the subscriber of the house."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from casino.play.dice.surveillance import alarms
from casino.play.dice.surveillance.models import Alarm

if TYPE_CHECKING:
    from ledger.wire import StoredEvent

ROWS = (Alarm,)


def handle(event: StoredEvent) -> None:
    """Update the rows of alarms with an event; other events are ignored."""
    if event.event_type == alarms.RAISED:
        _raise_alarm(event)
    elif event.event_type == alarms.ACKNOWLEDGED:
        _acknowledge(event)


def _raise_alarm(event: StoredEvent) -> None:
    data = event.data
    Alarm.objects.create(
        establishment_id=event.establishment,
        position=event.position,
        id=_id(event),
        kind=data["kind"],
        name=data["name"],
        sides=data["sides"],
        by=data["by"],
        throws=data["throws"],
        counts=data["counts"],
        log10=float(data["log10"]),
        change=float(data["change"]),
        alpha=float(data["alpha"]),
        streams=data["streams"],
        cause=data["cause"],
        raised_at=event.provenance.recorded_at,
        gaming_day=event.provenance.gaming_day,
    )


def _acknowledge(event: StoredEvent) -> None:
    Alarm.objects.filter(establishment=event.establishment, id=_id(event)).update(
        open=False,
        acknowledged_by=event.provenance.actor,
        acknowledged_at=event.provenance.recorded_at,
        acknowledged_position=event.position,
        reason=event.data["reason"],
    )


def _id(event: StoredEvent) -> UUID:
    return UUID(event.stream.partition("/")[2])
