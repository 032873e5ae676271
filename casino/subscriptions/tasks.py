"""Celery: following the ledger. A message is a wake: lost or doubled, it costs but time."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from celery import shared_task
from django.db import connection

from casino.platform import house_subscriber, storage_failure, waking
from casino.platform.house_subscriber import HOUSE
from casino.play import rollover_delivery
from casino.play.projections import PROJECTIONS
from casino.settlement.subscriber import SETTLEMENT
from casino.surveillance.subscriber import SURVEILLANCE
from ledger import subscriptions

if TYPE_CHECKING:
    from uuid import UUID

SUBSCRIBERS = (SETTLEMENT, PROJECTIONS, HOUSE, SURVEILLANCE)
TRIES, PAUSE = 3, 0.01  # seconds; where another worker has the subscription
BATCHES = 4  # in one stint: then it is another house's turn
BATCHES_ALONE = (
    1  # of each subscriber, where one thread has the other queues to serve, too (SQLite)
)
BATCH_ALONE = 20  # events, where one writer locks all others out while it works (SQLite)
ROLLOVERS = "rollovers"


def settle(establishment: UUID) -> bool:
    """
    Book what has been decided since the last time. Done twice, it books once.

    What it booked it reads itself when it comes by again, and all others at leisure.
    """
    for _ in range(TRIES):
        went = _went(SETTLEMENT, establishment, 1)
        if not went.lost_race:
            return went.more
        time.sleep(PAUSE)  # whoever has it may have read before our event was there
    return False


def go_on(establishment: UUID) -> bool:
    """
    Take all who follow a house on, and hand over what games await of what was booked.

    Each has its cursor and its transactions, and one that fails holds no other up. Whether there
    is more to do, as there is for settlement once it has booked.
    """
    went: list[_Went] = []
    batches = BATCHES_ALONE if connection.vendor == "sqlite" else BATCHES
    with ExitStack() as each:
        each.callback(hand_over, establishment)
        for subscriber in reversed(SUBSCRIBERS):
            each.callback(_note, went, subscriber, establishment, batches)
    if any(each.more or each.appended for each in went):
        return True
    # Asked last of all: whoever found a subscription taken before that may go home in peace.
    return subscriptions.lags(SUBSCRIBERS, establishment=establishment)


def _note(
    went: list[_Went], subscriber: subscriptions.Subscriber, establishment: UUID, batches: int
) -> None:
    went.append(_went(subscriber, establishment, batches))


def hand_over(establishment: UUID) -> bool:
    """Rollovers that are booked by now arrive in the games that await them, each once."""
    if rollover_delivery.deliver(establishment):
        wake(establishment=establishment)
    return False


def follow(
    subscriber: subscriptions.Subscriber, establishment: UUID, *, batches: int = BATCHES
) -> bool:
    """
    Take a subscriber on towards the head of a house's ledger: whether there may be more.

    What it brought about the others follow: who came by before those events has gone home.
    """
    went = _went(subscriber, establishment, batches)
    if went.appended:
        wake(establishment=establishment)
    return went.more


@dataclass(slots=True)
class _Went:
    appended: int = 0
    more: bool = False
    lost_race: bool = False


def _went(subscriber: subscriptions.Subscriber, establishment: UUID, batches: int) -> _Went:
    """How far a subscriber came in some batches."""
    went = _Went()
    alone = connection.vendor == "sqlite"
    size = BATCH_ALONE if alone else subscriptions.BATCH_MAX
    for _ in range(batches):
        began = time.monotonic()
        step = subscriptions.step(subscriber, establishment=establishment, batch=size)
        went.appended += step.appended
        went.more, went.lost_race = step.full, step.lost_race
        if not step.full:
            break
        if alone:  # as long again for the attendants, whose commands wait for the same lock
            time.sleep(time.monotonic() - began)
    return went


@shared_task(acks_late=True)
def serve(**_newer: object) -> None:
    """Let whoever of all houses' subscribers has waited longest go on for a stint."""
    WAKES.serve()


WAKES = waking.Wakes(
    "play",
    {SETTLEMENT.name: settle, ROLLOVERS: hand_over},
    serve.delay,
    leisurely=go_on,
)


@shared_task(acks_late=True)
def sweep(**_newer: object) -> None:
    """Find the subscriptions that lag, whatever became of their wakes, and wake them."""
    if storage_failure.resting():  # all would fail alike, each second, each with a line in the log
        return
    behind = dict.fromkeys(each.establishment for each in subscriptions.lagging(SUBSCRIBERS))
    WAKES.wake(((SETTLEMENT.name, house) for house in behind), top_up=True)


@shared_task(acks_late=True)
def sweep_rollovers(**_newer: object) -> None:
    """Find the houses where a game awaits coins: whoever was to hand them over may have died."""
    if storage_failure.resting():
        return
    WAKES.wake((ROLLOVERS, house) for house in rollover_delivery.houses_waiting())


def wake(*, establishment: UUID) -> None:
    """Wake a house's subscribers after commit. A broker that is down costs seconds: the sweep."""
    WAKES.after_commit(establishment, [SETTLEMENT.name])


def after_an_act(*, establishment: UUID, position: int, **_more: object) -> None:
    """Show it on the page that follows, and wake who goes on from there."""
    house_subscriber.catch_up(establishment=establishment, position=position)
    wake(establishment=establishment)
