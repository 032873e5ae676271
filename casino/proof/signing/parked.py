"""
Parked events: events that a subscriber failed to process, the streams that wait behind them, and
retries.

Each retry is recorded in the stream ``parked``: by whom, of what, from which position on. What the
replay then books is recorded as settlement's own events, as if the event had never been parked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db.models import Count, Min

from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens
from casino.play.core.subscriptions.tasks import SUBSCRIBERS
from games.refusals import Refused
from ledger import journal, subscriptions
from ledger.models import ParkedEvent

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from ledger.subscriptions import Advanced

STREAM: Final = "parked"
RETRIED: Final = "parked.retried"
KNOWN: Final = {subscriber.name: subscriber for subscriber in SUBSCRIBERS}


class NothingParked(Refused):
    code = "nothing_parked"


@dataclass(frozen=True, slots=True)
class Stuck:
    """
    A parked stream.

    :param position: the position of the event that failed. :param error: its last error.
    :param waiting: how many events wait, this one included.
    :param attempts: how often this event was tried.
    """

    subscriber: str
    stream: str
    position: int
    error: str
    since: datetime
    attempts: int
    waiting: int


def streams(establishment: UUID) -> list[Stuck]:
    """The parked streams of a house, the oldest first, for each subscriber separately."""
    rows = ParkedEvent.objects.filter(establishment=establishment)
    grouped = rows.order_by().values("subscription", "stream")
    counted = grouped.annotate(first=Min("position"), waiting=Count("position"))
    found = {(each["subscription"], each["first"]): each["waiting"] for each in counted}
    firsts = rows.filter(position__in=[position for _, position in found])
    return [
        Stuck(
            subscriber=row.subscription,
            stream=row.stream,
            position=row.position,
            error=str(tokens.resolve(establishment, row.error)),
            since=row.parked_at,
            attempts=row.attempts,
            waiting=found[row.subscription, row.position],
        )
        for row in firsts.order_by("position")
        if (row.subscription, row.position) in found
    ]


def waiting(establishment: UUID) -> int:
    """The number of parked streams of a house."""
    rows = ParkedEvent.objects.filter(establishment=establishment)
    return rows.order_by().values("subscription", "stream").distinct().count()


def retry(act: acts.Act, *, subscriber: str, stream: str) -> Advanced:
    """
    Replay a parked stream in order, up to the first event that fails again.

    :raises NotYours: if the person may not configure the house.
    :raises NothingParked: if nothing of that stream is parked.
    """
    if act.by is not None:
        permissions.require(act.by, "configure", act.house)
    acts.perform(act, lambda: _try_again(act.house.pk, subscriber, stream))
    return subscriptions.retry(KNOWN[subscriber], establishment=act.house.pk, stream=stream)


def _try_again(establishment: UUID, subscriber: str, stream: str) -> acts.Done:
    rows = ParkedEvent.objects.filter(
        establishment=establishment, subscription=subscriber, stream=stream
    )
    first = rows.order_by("position").first()
    if first is None or subscriber not in KNOWN:
        raise NothingParked("Nothing of it waits any more.")
    last = journal.last(establishment=establishment, stream=STREAM)
    data: dict[str, journal.Json] = {
        "follower": subscriber,
        "stream": stream,
        "position": first.position,
    }
    event = journal.NewEvent(stream=STREAM, event_type=RETRIED, schema_version=1, data=data)
    version = last.stream_version if last else 0
    return acts.Done(guards={STREAM: version}, events=[event])
