"""Celery: one call each. A task is a nudge; lost or doubled, nothing happens but time."""

from __future__ import annotations

import math
import time
from uuid import UUID

import structlog
from celery import shared_task
from django.db import connection, transaction
from kombu.exceptions import OperationalError as BrokerDown

from casino import following, storage
from casino.following import HOUSE
from casino.play import arrivals
from casino.play.projections import PROJECTIONS
from casino.play.settlement import SETTLEMENT
from casino.surveillance.following import SURVEILLANCE
from ledger import subscriptions

log = structlog.get_logger(__name__)

FOLLOWERS = (SETTLEMENT, PROJECTIONS, HOUSE, SURVEILLANCE)
SILENCE = 10.0  # seconds without nudges after one that was lost; meanwhile the sweep does it all
BATCHES = 20  # in one task; the sweep or the next nudge goes on from there
BATCH_ALONE = 20  # events, where one writer locks all others out while it works (SQLite)


@shared_task(acks_late=True)
def settle(*, establishment: str, **_newer: object) -> None:
    """
    Book what has been decided since the last time, and hand over what games await of it.

    Delivered twice, it books once.
    """
    follow(SETTLEMENT, UUID(establishment))
    hand_over(establishment=establishment)


@shared_task(acks_late=True)
def project(*, establishment: str, **_newer: object) -> None:
    """Bring what screens read up to date."""
    follow(PROJECTIONS, UUID(establishment))


@shared_task(acks_late=True)
def read_house(*, establishment: str, **_newer: object) -> None:
    """Bring up to date what is read of the house's own events: cash, approvals, disputes, …"""
    follow(HOUSE, UUID(establishment))


@shared_task(acks_late=True)
def watch_dice(*, establishment: str, **_newer: object) -> None:
    """Take every throw into the evidence about the dice; raise the alarms that come of it."""
    follow(SURVEILLANCE, UUID(establishment))


@shared_task(acks_late=True)
def hand_over(*, establishment: str, **_newer: object) -> None:
    """Rollovers that are booked by now arrive in the games that await them, each once."""
    if arrivals.deliver(UUID(establishment)):
        nudge(establishment=UUID(establishment))


TASKS = {
    SETTLEMENT.name: settle,
    PROJECTIONS.name: project,
    HOUSE.name: read_house,
    SURVEILLANCE.name: watch_dice,
}


def follow(follower: subscriptions.Follower, establishment: UUID) -> None:
    """Take a follower up to the head of a house's ledger, or a good part of the way."""
    alone = connection.vendor == "sqlite"
    size = BATCH_ALONE if alone else subscriptions.BATCH_MAX
    for _ in range(BATCHES):
        began = time.monotonic()
        advanced = subscriptions.advance(follower, establishment=establishment, batch=size)
        if advanced.lost_race or not advanced.lag:
            return
        if alone:  # as long again for the attendants, whose commands wait for the same lock
            time.sleep(time.monotonic() - began)


@shared_task(acks_late=True)
def sweep(**_newer: object) -> None:
    """Find the subscriptions that lag, whatever became of their nudges, and wake them."""
    if storage.resting():  # all would fail alike, each second, each with a line in the log
        return
    for behind in subscriptions.lagging(FOLLOWERS):
        TASKS[behind.subscription].delay(establishment=str(behind.establishment))


@shared_task(acks_late=True)
def sweep_rollovers(**_newer: object) -> None:
    """Find the houses where a game awaits coins: whoever was to hand them over may have died."""
    if storage.resting():
        return
    for house in arrivals.houses_waiting():
        hand_over.delay(establishment=str(house))


class Nudges:
    """
    Wakes the followers. Where the broker is away this process leaves it alone for a while: one
    command has waited for it, the next ones need not, and the sweep finds what they left.
    """

    def __init__(self) -> None:
        self._silent_until = -math.inf

    def send(self, establishment: str) -> None:
        if time.monotonic() < self._silent_until:
            return
        try:
            for task in TASKS.values():
                task.delay(establishment=establishment)
        except (BrokerDown, OSError) as down:
            self._silent_until = time.monotonic() + SILENCE
            log.warning("nudge_lost", reason=str(down))


NUDGES = Nudges()


def nudge(*, establishment: UUID) -> None:
    """Wake the followers after commit. A broker that is down costs seconds: the sweep comes by."""
    transaction.on_commit(lambda: NUDGES.send(str(establishment)), robust=True)


def after_an_act(*, establishment: UUID, position: int, **_more: object) -> None:
    """Show it on the page that follows, and wake whoever goes on from there."""
    following.catch_up(establishment=establishment, position=position)
    nudge(establishment=establishment)
