"""
The Celery tasks of gaming days. Their messages are wakes.

A lost or doubled message does no harm: at most it costs time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

import structlog
from celery import shared_task
from django.utils import timezone

from casino.engine.processes.queues import waking
from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.establishments import gaming_day
from casino.house.establishments.models import Establishment
from casino.play.core.subscriptions.tasks import advance
from casino.play.settlement.subscriber import SETTLEMENT
from casino.reports.gaming_days import closing
from casino.reports.gaming_days.models import GamingDay
from games.refusals import Refused
from ledger import lag

if TYPE_CHECKING:
    from datetime import date, datetime

log = structlog.get_logger(__name__)

BATCHES = 20  # batches of events that are booked before a day is frozen
AT_ONCE = 10  # days that one task closes at most, after a long time without workers


@shared_task(name="casino.gaming_days.tasks.close_day", acks_late=True)
def close_day(*, establishment: str, **_newer: object) -> None:
    """
    Advance the closing of a house's day: begin it if it is due, book, freeze.

    The task may be interrupted, repeated, or run twice at the same time: a day is closed once.
    """
    house = Establishment.objects.get(pk=UUID(establishment))
    for _ in range(AT_ONCE):
        if not _close_one(house):
            return


def _close_one(house: Establishment) -> bool:
    now = timezone.now()
    if (day := closing.due(house, now)) is not None:
        try:
            closing.close_by_itself(house, day, now)
        except Refused as refused:  # a person was faster
            log.info("day_not_closed_by_itself", house=str(house.pk), code=refused.code)
    if gaming_day.day_state(house.pk).draining is None:
        return False
    advance(SETTLEMENT, house.pk, batches=BATCHES)
    frozen = closing.finish(house, timezone.now())
    advance(HOUSE, house.pk, batches=BATCHES)
    return frozen is not None


@shared_task(name="casino.gaming_days.tasks.watch", acks_late=True)
def watch(**_newer: object) -> None:
    """
    Find the houses with a day to close, or being closed, even if their wakes were lost.

    One query for all days that are not closed, however many houses have none; and the ledger itself
    where somebody has not read all of it, because those days may be behind it.
    """
    now = timezone.now()
    days = GamingDay.objects.exclude(state=GamingDay.State.CLOSED).select_related("establishment")
    found = [
        row.establishment_id
        for row in days
        if row.state == GamingDay.State.CLOSING or _is_over(row.establishment, row.day, now)
    ]
    lagging = Establishment.objects.filter(pk__in=lag.unread_houses())
    found += [house.pk for house in lagging if _by_its_ledger(house, now)]
    for house in dict.fromkeys(found):
        close_day.delay(establishment=str(house))


def _by_its_ledger(house: Establishment, now: datetime) -> bool:
    return (
        gaming_day.day_state(house.pk).draining is not None or closing.due(house, now) is not None
    )


def _is_over(house: Establishment, day: date, now: datetime) -> bool:
    at = closing.closes_at(house, day)
    return at is not None and at <= now


def wake(*, establishment: UUID) -> None:
    """Wake a worker. If the message is lost, `watch` finds the house within a minute."""
    waking.after_commit(lambda: close_day.delay(establishment=str(establishment)))
