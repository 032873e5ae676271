"""
Events of alarms about dice: raised by a throw, acknowledged by a person.

`causes` defines what raises an alarm. *Evidence*: e-BH over all streams of a house. Of the streams
called unfair at most a share alpha is fair, on average, whenever somebody looks. Alpha is a setting
of the house (`false_discovery_rate`), and an alarm records the alpha it was raised under. *Change*:
the change detector of a stream with fair dice passes `CHANGE_THRESHOLD` at most once in that many
throws, on average. A stream with an open alarm raises no second one.
"""

from __future__ import annotations

import uuid
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.utils import timezone

from casino.play.dice.surveillance.causes import CHANGE_THRESHOLD
from casino.play.dice.surveillance.models import Alarm
from casino.play.dice.surveillance.stream_monitor import StreamKey
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from casino.play.dice.surveillance.causes import Cause
    from casino.play.dice.surveillance.stream_monitor import StreamMonitor
    from ledger.wire import StoredEvent

SUBSCRIPTION_NAME: Final = "surveillance"
STREAM_AREA: Final = "alarm"  # each alarm has a stream of the ledger
RAISED: Final = "alarm.raised"
ACKNOWLEDGED: Final = "alarm.acknowledged"

NAMESPACE: Final = uuid.UUID("0e5f1f38-5a1e-5d3c-8e7c-2f6f6e1d7c43")


def stream_of(alarm: uuid.UUID | str) -> str:
    return f"{STREAM_AREA}/{alarm}"


def key_of(data: Mapping[str, Any]) -> StreamKey:
    """The key of the stream that an alarm event is about."""
    return StreamKey(data["kind"], data["name"], data["sides"])


def entry_of_alarms(
    cause: StoredEvent,
    alarming: Sequence[tuple[StreamMonitor, Cause]],
    *,
    streams: int,
    alpha: float,
) -> journal.Entry:
    """
    The ledger entry with all alarms that a throw raises; its command id follows from the throw.

    :param cause: the event of the throw.
    :param alarming: the streams that raise an alarm, each with the cause.
    :param streams: the number of streams of the house.
    :param alpha: the false discovery rate in force when the throw was recorded.
    """
    provenance = cause.provenance
    ids = [_alarm_id(cause, monitor.key) for monitor, _ in alarming]
    return journal.Entry(
        provenance=journal.Provenance(
            command_id=uuid.uuid5(NAMESPACE, str(cause.event_id)),
            actor=SUBSCRIPTION_NAME,
            device=SUBSCRIPTION_NAME,
            correlation_id=provenance.correlation_id,
            causation_id=cause.event_id,
            occurred_at=provenance.occurred_at,
            recorded_at=timezone.now(),
            gaming_day=provenance.gaming_day,
        ),
        request_hash=sha256(cause.leaf_hash).digest(),
        guards={stream_of(each): 0 for each in ids},
        events=tuple(
            journal.NewEvent(
                stream=stream_of(each),
                event_type=RAISED,
                schema_version=1,
                data={
                    **monitor.key._asdict(),
                    **monitor.alarm_figures,
                    "by": by.name,
                    "alpha": str(alpha),
                    "threshold": str(int(CHANGE_THRESHOLD)),
                    "streams": streams,
                    "cause": cause.position,
                },
            )
            for each, (monitor, by) in zip(ids, alarming, strict=True)
        ),
    )


def event_of_acknowledgement(raised: StoredEvent, reason: str) -> journal.NewEvent:
    """
    The event that an alarm was acknowledged.

    :param reason: the token of the reason.
    """
    return journal.NewEvent(
        stream=raised.stream,
        event_type=ACKNOWLEDGED,
        schema_version=1,
        data={**key_of(raised.data)._asdict(), "reason": reason, "raised": raised.position},
    )


def stream_keys(events: Iterable[StoredEvent]) -> list[StreamKey]:
    """The keys of the streams that alarm events are about."""
    return [key_of(each.data) for each in events if each.event_type in {RAISED, ACKNOWLEDGED}]


def _alarm_id(cause: StoredEvent, key: StreamKey) -> uuid.UUID:
    return uuid.uuid5(NAMESPACE, f"{cause.event_id}/{key.kind}/{key.name}/{key.sides}")


# Rows of alarms from their events, written by the subscriber of the house.


ROWS = (Alarm,)


def handle(event: StoredEvent) -> None:
    """Update the rows of alarms with an event; other events are ignored."""
    if event.event_type == RAISED:
        _raise_alarm(event)
    elif event.event_type == ACKNOWLEDGED:
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
