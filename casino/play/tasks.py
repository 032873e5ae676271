"""Celery: one call each. A task is a nudge; lost or doubled, nothing happens but time."""

from __future__ import annotations

from uuid import UUID

import structlog
from celery import shared_task
from django.db import transaction
from kombu.exceptions import OperationalError as BrokerDown

from casino.play.projections import PROJECTIONS
from casino.play.settlement import SETTLEMENT
from ledger import subscriptions

log = structlog.get_logger(__name__)

FOLLOWERS = (SETTLEMENT, PROJECTIONS)
BATCHES = 20  # in one task; the sweep or the next nudge goes on from there


@shared_task(acks_late=True)
def settle(*, establishment: str, **_newer: object) -> None:
    """Book what has been decided since the last time. Delivered twice, it books once."""
    follow(SETTLEMENT, UUID(establishment))


@shared_task(acks_late=True)
def project(*, establishment: str, **_newer: object) -> None:
    """Bring what screens read up to date."""
    follow(PROJECTIONS, UUID(establishment))


TASKS = {SETTLEMENT.name: settle, PROJECTIONS.name: project}


def follow(follower: subscriptions.Follower, establishment: UUID) -> None:
    for _ in range(BATCHES):
        advanced = subscriptions.advance(follower, establishment=establishment)
        if advanced.lost_race or not advanced.lag:
            return


@shared_task(acks_late=True)
def sweep(**_newer: object) -> None:
    """Find the subscriptions that lag, whatever became of their nudges, and wake them."""
    for behind in subscriptions.lagging(FOLLOWERS):
        TASKS[behind.subscription].delay(establishment=str(behind.establishment))


def nudge(*, establishment: UUID) -> None:
    """Wake the followers after commit. A broker that is down costs seconds: the sweep comes by."""
    transaction.on_commit(lambda: _wake(str(establishment)), robust=True)


def _wake(establishment: str) -> None:
    for task in TASKS.values():
        try:
            task.delay(establishment=establishment)
        except (BrokerDown, OSError) as down:
            log.warning("nudge_lost", task=task.name, reason=str(down))
            return
