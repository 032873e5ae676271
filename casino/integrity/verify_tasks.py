"""Celery: verifications in short stints, so that settlement never waits long for a worker."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING, Final
from uuid import UUID

from celery import shared_task
from django.utils import timezone

from casino.establishments.models import Establishment
from casino.integrity import runs
from casino.platform import storage_failure, waking

if TYPE_CHECKING:
    from casino.integrity.models import Verification

STINT: Final = 2.0  # seconds
# Making projections anew is one step, and longer. The broker hands out again what takes 270 s.
SOFT_LIMIT: Final = 200  # seconds
LIMIT: Final = 230
CAME_UP: Final = time.monotonic()
"""When this worker came up, by a clock that nobody sets."""


@shared_task(acks_late=True, soft_time_limit=SOFT_LIMIT, time_limit=LIMIT)
def verify(*, establishment: str, run: str, **_newer: object) -> None:
    """Bring a verification on a little, and send for the rest."""
    if runs.advance(UUID(establishment), UUID(run), seconds=STINT):
        verify.delay(establishment=establishment, run=run)


@shared_task(acks_late=True)
def watch_verifications(**_newer: object) -> None:
    """Begin what is due at start and each night, and wake what a killed worker left."""
    if storage_failure.resting():
        return
    now = timezone.now()
    for run in runs.resting(now):
        send(run)
    started = now - timedelta(seconds=time.monotonic() - CAME_UP)
    for house in Establishment.objects.all():
        begun = runs.nightly(house, now) or runs.at_start(house, started, now)
        if begun is not None:
            send(begun)


def wake(run: Verification) -> None:
    """Wake a worker; one that is not reached costs minutes: the watch comes by."""
    waking.after_commit(lambda: send(run))


def send(run: Verification) -> None:
    verify.delay(establishment=str(run.establishment_id), run=str(run.id))
