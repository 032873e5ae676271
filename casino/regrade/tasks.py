"""Celery: short stints, so that settlement never waits long for a worker."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from celery import shared_task
from django.utils import timezone

from casino.establishments.models import Establishment
from casino.platform import waking
from casino.regrade import runs

if TYPE_CHECKING:
    from casino.regrade.models import Regrade

STINT = 2.0  # seconds


@shared_task(acks_late=True)
def grade(*, establishment: str, run: str, **_newer: object) -> None:
    """Bring a regrade on a little, and send for the rest."""
    if runs.advance(UUID(establishment), UUID(run), seconds=STINT):
        grade.delay(establishment=establishment, run=run)


@shared_task(acks_late=True)
def watch(**_newer: object) -> None:
    """Begin what is due each night, and wake what a killed worker left."""
    now = timezone.now()
    for run in runs.resting(now):
        send(run)
    for house in Establishment.objects.all():
        if (begun := runs.nightly(house, now)) is not None:
            send(begun)


def wake(run: Regrade) -> None:
    """Wake a worker; one that is not reached costs minutes: the watch comes by."""
    waking.after_commit(lambda: send(run))


def send(run: Regrade) -> None:
    grade.delay(establishment=str(run.establishment_id), run=str(run.id))
