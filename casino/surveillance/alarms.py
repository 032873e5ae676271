"""
Alarms: which streams are called unfair, and the events that say so and that somebody has seen it.

What may raise one stands in `causes`. The evidence of all streams of a house goes through e-BH: of
the streams that are called unfair a share of alpha at most is fair, on average, whenever somebody
looks; the house says how small alpha is (`levels`), and an alarm says under which it was raised.
And the detector of changes: a stream of fair dice passes `THRESHOLD` at most once in so many
throws, on average. A stream with an open alarm raises no other one.
"""

from __future__ import annotations

import uuid
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone

from casino.surveillance.causes import THRESHOLD
from casino.surveillance.watching import Key
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from casino.surveillance.causes import Cause
    from casino.surveillance.watching import Watch
    from ledger.wire import StoredEvent

NAME: Final = "surveillance"
AREA: Final = "alarm"  # of streams: one for each alarm
RAISED: Final = "alarm.raised"
ACKNOWLEDGED: Final = "alarm.acknowledged"

NAMESPACE: Final = uuid.UUID("0e5f1f38-5a1e-5d3c-8e7c-2f6f6e1d7c43")


def stream_of(alarm: uuid.UUID | str) -> str:
    return f"{AREA}/{alarm}"


def key_of(data: Mapping[str, Any]) -> Key:
    """The stream that an event about an alarm names."""
    return Key(data["kind"], data["name"], data["sides"])


def raised(
    cause: StoredEvent, found: Sequence[tuple[Watch, Cause]], *, streams: int, alpha: float
) -> journal.Entry:
    """
    One entry for all alarms that a throw raises, under a command id that follows from the throw.

    :param cause: the throw.
    :param found: each stream with what it raises an alarm by.
    :param streams: of the house, among which these were chosen.
    :param alpha: the false share that the house allowed when the throw was recorded.
    """
    told = cause.provenance
    ids = [_id(cause, watch.key) for watch, _ in found]
    return journal.Entry(
        provenance=journal.Provenance(
            command_id=uuid.uuid5(NAMESPACE, str(cause.event_id)),
            actor=NAME,
            device=NAME,
            correlation_id=told.correlation_id,
            causation_id=cause.event_id,
            occurred_at=told.occurred_at,
            recorded_at=timezone.now(),
            gaming_day=told.gaming_day,
        ),
        request_hash=sha256(cause.leaf_hash).digest(),
        guards={stream_of(each): 0 for each in ids},
        events=tuple(
            journal.NewEvent(
                stream=stream_of(each),
                event_type=RAISED,
                schema_version=1,
                data={
                    **watch.key._asdict(),
                    **watch.count,
                    "by": by.name,
                    "alpha": str(alpha),
                    "threshold": str(int(THRESHOLD)),
                    "streams": streams,
                    "cause": cause.position,
                },
            )
            for each, (watch, by) in zip(ids, found, strict=True)
        ),
    )


def acknowledged(raised: StoredEvent, reason: str) -> journal.NewEvent:
    """:param reason: a token for it."""
    return journal.NewEvent(
        stream=raised.stream,
        event_type=ACKNOWLEDGED,
        schema_version=1,
        data={**key_of(raised.data)._asdict(), "reason": reason, "raised": raised.position},
    )


def concerned(events: Iterable[StoredEvent]) -> list[Key]:
    """The streams that alarms among events are about."""
    return [key_of(each.data) for each in events if each.event_type in {RAISED, ACKNOWLEDGED}]


def _id(cause: StoredEvent, key: Key) -> uuid.UUID:
    return uuid.uuid5(NAMESPACE, f"{cause.event_id}/{key.kind}/{key.name}/{key.sides}")
