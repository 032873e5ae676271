"""Celery: following the ledger. A message is a wake: lost or doubled, it costs but time."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from celery import shared_task
from django.db import connection

from casino import following, storage, waking
from casino.following import HOUSE
from casino.play import arrivals
from casino.play.projections import PROJECTIONS
from casino.play.settlement import SETTLEMENT
from casino.surveillance.following import SURVEILLANCE
from ledger import subscriptions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

FOLLOWERS = (SETTLEMENT, PROJECTIONS, HOUSE, SURVEILLANCE)
BATCHES = 4  # in one stint: then it is another house's turn
BATCH_ALONE = 20  # events, where one writer locks all others out while it works (SQLite)
ROLLOVERS = "rollovers"


def settle(establishment: UUID) -> bool:
    """
    Book what has been decided since the last time, and hand over what games await of it.

    Done twice, it books once. Whether there is more to do.
    """
    more = follow(SETTLEMENT, establishment)
    hand_over(establishment)
    return more


def hand_over(establishment: UUID) -> bool:
    """Rollovers that are booked by now arrive in the games that await them, each once."""
    if arrivals.deliver(establishment):
        wake(establishment=establishment)
    return False


def follow(
    follower: subscriptions.Follower, establishment: UUID, *, batches: int = BATCHES
) -> bool:
    """
    Take a follower on towards the head of a house's ledger: whether it has not come there.

    What it brought about the others follow: who came by before those events has gone home.
    """
    appended = 0
    try:
        for advanced in _steps(follower, establishment, batches):
            appended += advanced.appended
            if advanced.lost_race or not advanced.lag:
                return False
    finally:
        if appended:
            WAKES.after_commit(establishment, [name for name in FOLLOW if name != follower.name])
    return True


def _steps(
    follower: subscriptions.Follower, establishment: UUID, batches: int
) -> Iterator[subscriptions.Advanced]:
    alone = connection.vendor == "sqlite"
    size = BATCH_ALONE if alone else subscriptions.BATCH_MAX
    for _ in range(batches):
        began = time.monotonic()
        yield subscriptions.advance(follower, establishment=establishment, batch=size)
        if alone:  # as long again for the attendants, whose commands wait for the same lock
            time.sleep(time.monotonic() - began)


@shared_task(acks_late=True)
def serve(**_newer: object) -> None:
    """Let whoever of all houses' followers has waited longest go on for a stint."""
    WAKES.serve()


WAKES = waking.Wakes(
    "play",
    {
        SETTLEMENT.name: settle,
        PROJECTIONS.name: partial(follow, PROJECTIONS),
        HOUSE.name: partial(follow, HOUSE),
        SURVEILLANCE.name: partial(follow, SURVEILLANCE),
        ROLLOVERS: hand_over,
    },
    serve.delay,
)
FOLLOW = tuple(each.name for each in FOLLOWERS)


@shared_task(acks_late=True)
def sweep(**_newer: object) -> None:
    """Find the subscriptions that lag, whatever became of their wakes, and wake them."""
    if storage.resting():  # all would fail alike, each second, each with a line in the log
        return
    behind = subscriptions.lagging(FOLLOWERS)
    WAKES.wake(((each.subscription, each.establishment) for each in behind), top_up=True)


@shared_task(acks_late=True)
def sweep_rollovers(**_newer: object) -> None:
    """Find the houses where a game awaits coins: whoever was to hand them over may have died."""
    if storage.resting():
        return
    WAKES.wake((ROLLOVERS, house) for house in arrivals.houses_waiting())


def wake(*, establishment: UUID) -> None:
    """Wake a house's followers after commit. A broker that is down costs seconds: the sweep."""
    WAKES.after_commit(establishment, FOLLOW)


def after_an_act(*, establishment: UUID, position: int, **_more: object) -> None:
    """Show it on the page that follows, and wake who goes on from there."""
    following.catch_up(establishment=establishment, position=position)
    wake(establishment=establishment)
