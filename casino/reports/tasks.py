"""Celery: reports prepared in short stints. A message is a wake; lost or doubled, it costs time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from uuid import UUID

from celery import shared_task
from django.utils import timezone

from casino.establishments.models import Establishment
from casino.platform import storage_failure, waking
from casino.reports import preparing

if TYPE_CHECKING:
    from casino.reports.models import Preparation

STINT: Final = 2.0  # seconds
# One file is one step, and may be long. The broker hands out again what takes 270 s.
SOFT_LIMIT: Final = 200  # seconds
LIMIT: Final = 230


@shared_task(acks_late=True, soft_time_limit=SOFT_LIMIT, time_limit=LIMIT)
def prepare(*, establishment: str, preparation: str, **_newer: object) -> None:
    """Bring a report on by a file or some, and send for the rest."""
    if preparing.advance(UUID(establishment), UUID(preparation), seconds=STINT):
        prepare.delay(establishment=establishment, preparation=preparation)


@shared_task(acks_late=True)
def watch(**_newer: object) -> None:
    """Begin the reports of days that were closed, and wake what a killed worker left."""
    if storage_failure.resting():
        return
    now = timezone.now()
    for run in preparing.resting(now):
        send(run)
    for house in Establishment.objects.all():
        for begun in preparing.of_closed_days(house, now):
            send(begun)


def wake(run: Preparation) -> None:
    """Wake a worker; one that is not reached costs minutes: the watch comes by."""
    waking.after_commit(lambda: send(run))


def send(run: Preparation) -> None:
    prepare.delay(establishment=str(run.establishment_id), preparation=str(run.id))
