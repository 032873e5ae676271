"""
Celery tasks in which subscribers read the ledger.

A message is only a wake: if it is lost or sent twice, nothing but time is lost.
"""

from __future__ import annotations

import math
import time
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from celery import shared_task
from django.conf import settings
from django.db import connection

from casino.engine.databases import storage_failure
from casino.engine.processes.queues import house_subscriber, waking
from casino.play.core import rollover_delivery
from casino.play.core.subscriptions import quiet
from casino.play.settlement.subscriber import SETTLEMENT
from ledger import subscriptions

if TYPE_CHECKING:
    from uuid import UUID

SUBSCRIBERS = quiet.SUBSCRIBERS
TRIES, PAUSE = 3, 0.01  # tries, and seconds between them, if another worker has the subscription
BATCHES = 4  # batches in one turn, before the turn of another house
AT_MOST = 1.0  # seconds in one turn after which no further batch begins, if batches are slow
BATCHES_ALONE = 1  # of each subscriber: on SQLite one thread also serves the other queues
BATCH_ALONE = 20  # events, because on SQLite one writer locks out all others while it works
ROLLOVERS = "rollovers"


def settle(establishment: UUID) -> bool:
    """
    Settle a house: book what has been decided since the last time. Idempotent.

    Settlement reads its own bookings in its next turn; other subscribers read them in
    `advance_all`. Returns whether there may be more to do.
    """
    for _ in range(TRIES):
        progress = _read_batches(SETTLEMENT, establishment, 1)
        if not progress.lost_race:
            return progress.more
        time.sleep(PAUSE)  # the other worker may have read before our event was there
    return False


def advance_all(establishment: UUID) -> bool:
    """
    Advance all subscribers of a house, and deliver the rollovers that games await.

    Each subscriber has its own cursor and transactions, and its failure does not delay the others.
    Returns whether there is more to do, as there is for settlement after it has booked.
    """
    made: list[_Progress] = []
    batches = BATCHES_ALONE if connection.vendor == "sqlite" else BATCHES
    ends = time.monotonic() + AT_MOST
    with ExitStack() as each:
        each.callback(deliver_rollovers, establishment)
        for subscriber in reversed(SUBSCRIBERS):
            each.callback(_note, made, subscriber, establishment, batches, ends)
    if any(each.more or each.appended for each in made):
        return True
    # Read the lags last, so that a worker that lost a race for a subscription may stop.
    return subscriptions.lags(SUBSCRIBERS, establishment=establishment)


def _note(
    made: list[_Progress],
    subscriber: subscriptions.Subscriber,
    establishment: UUID,
    batches: int,
    ends: float,
) -> None:
    made.append(_read_batches(subscriber, establishment, batches, ends))


def deliver_rollovers(establishment: UUID) -> bool:
    """Deliver booked rollovers to the games that await them, each once."""
    if rollover_delivery.deliver(establishment):
        wake(establishment=establishment)
    return False


def advance(
    subscriber: subscriptions.Subscriber, establishment: UUID, *, batches: int = BATCHES
) -> bool:
    """
    Advance a subscriber towards the head of a house's ledger; returns whether there may be more.

    If the subscriber appended events, all subscribers are woken, because those that ran before have
    not read these events.
    """
    progress = _read_batches(subscriber, establishment, batches)
    if progress.appended:
        wake(establishment=establishment)
    return progress.more


@dataclass(slots=True)
class _Progress:
    appended: int = 0
    more: bool = False
    lost_race: bool = False


def _read_batches(
    subscriber: subscriptions.Subscriber,
    establishment: UUID,
    batches: int,
    ends: float = math.inf,
) -> _Progress:
    """Let a subscriber read some batches: the first in any case, none that begins after `ends`."""
    progress = _Progress()
    alone = connection.vendor == "sqlite"
    size = BATCH_ALONE if alone else subscriptions.BATCH_MAX
    for _ in range(batches):
        began = time.monotonic()
        step = subscriptions.step(subscriber, establishment=establishment, batch=size)
        progress.appended += step.appended
        progress.more, progress.lost_race = step.full, step.lost_race
        if not step.full or time.monotonic() >= ends:
            break
        if alone:  # pause as long as that, because attendants' commands wait for the same lock
            time.sleep(time.monotonic() - began)
    return progress


@shared_task(name="casino.subscriptions.tasks.serve", acks_late=True)
def serve(*, queue: str | None = None, **_newer: object) -> None:
    """Give a turn to the house of a queue whose subscribers have waited longest."""
    WAKES.serve(queue)


def send(queue: str) -> None:
    serve.apply_async(kwargs={"queue": queue}, queue=queue)


WAKES = waking.Wakes(
    "play",
    {SETTLEMENT.name: settle, ROLLOVERS: deliver_rollovers},
    send,
    leisurely=advance_all,
    queues=len(settings.PLAY_SHARDS),
)


@shared_task(name="casino.subscriptions.tasks.sweep", acks_late=True)
def sweep(**_newer: object) -> None:
    """
    Wake the subscriptions that lag, whether or not their own wakes were lost.

    It asks for the houses with something unread; for all of them once in `LOOK_OVER` seconds, the
    first time as soon as this process sweeps: a subscriber may be new.
    """
    if storage_failure.resting():  # otherwise each would fail every second, with a line in the log
        return
    quiet.look_over()
    behind = dict.fromkeys(each.establishment for each in subscriptions.lagging(SUBSCRIBERS))
    WAKES.wake(((SETTLEMENT.name, house) for house in behind), top_up=True)


@shared_task(name="casino.subscriptions.tasks.rest", acks_late=True)
def rest(**_newer: object) -> None:
    """Take houses in which nothing is left to do off the list that sweeps go through."""
    WAKES.drain()  # of queues that were more once
    if not storage_failure.resting():
        quiet.rest()


@shared_task(name="casino.subscriptions.tasks.sweep_rollovers", acks_late=True)
def sweep_rollovers(**_newer: object) -> None:
    """Wake the houses where a game awaits a rollover: the worker with the wake may be gone."""
    if storage_failure.resting():
        return
    WAKES.wake((ROLLOVERS, house) for house in rollover_delivery.houses_waiting())


def wake(*, establishment: UUID) -> None:
    """Wake a house's subscribers after commit; without a broker `sweep` does it within seconds."""
    WAKES.after_commit(establishment, [SETTLEMENT.name])


def after_an_act(*, establishment: UUID, position: int, **_more: object) -> None:
    """Update the rows that the next page shows, and wake the subscribers."""
    house_subscriber.catch_up(establishment=establishment, position=position)
    wake(establishment=establishment)
