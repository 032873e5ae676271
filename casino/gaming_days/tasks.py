"""Celery: one call each. A message is a wake; lost or doubled, nothing happens but time."""

from __future__ import annotations

from uuid import UUID

import structlog
from celery import shared_task
from django.utils import timezone

from casino.establishments import gaming_day
from casino.establishments.models import Establishment
from casino.gaming_days import closing, freezing
from casino.platform import waking
from casino.platform.house_subscriber import HOUSE
from casino.settlement.subscriber import SETTLEMENT
from casino.subscriptions.tasks import advance
from games.refusals import Refused

log = structlog.get_logger(__name__)

BATCHES = 20  # of what is to be booked before: the day waits for it
AT_ONCE = 10  # days that one task closes, where a house was away for long


@shared_task(acks_late=True)
def close_day(*, establishment: str, **_newer: object) -> None:
    """
    Bring the closing of a house's day on: begin it if it is due, book, freeze.

    Killed anywhere and done again, or twice at once, a day is closed once.
    """
    house = Establishment.objects.get(pk=UUID(establishment))
    for _ in range(AT_ONCE):
        if not _closed_one(house):
            return


def _closed_one(house: Establishment) -> bool:
    now = timezone.now()
    if (day := closing.due(house, now)) is not None:
        try:
            closing.close_by_itself(house, day, now)
        except Refused as refused:  # somebody came first
            log.info("day_not_closed_by_itself", house=str(house.pk), code=refused.code)
    if gaming_day.standing(house.pk).draining is None:
        return False
    advance(SETTLEMENT, house.pk, batches=BATCHES)
    frozen = freezing.finish(house, timezone.now())
    advance(HOUSE, house.pk, batches=BATCHES)
    return frozen is not None


@shared_task(acks_late=True)
def watch(**_newer: object) -> None:
    """Find the houses with a day to close, or one on its way, whatever became of their wakes."""
    now = timezone.now()
    for house in Establishment.objects.all():
        if (
            gaming_day.standing(house.pk).draining is not None
            or closing.due(house, now) is not None
        ):
            close_day.delay(establishment=str(house.pk))


def wake(*, establishment: UUID) -> None:
    """Wake a worker; one that is not reached costs a minute: the watch comes by."""
    waking.after_commit(lambda: close_day.delay(establishment=str(establishment)))
