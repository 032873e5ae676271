"""
Celery: jobs in short stints, so that settlement never waits long for a worker.

A message is a wake; lost or doubled, it costs time.
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from datetime import timedelta
from typing import TYPE_CHECKING, Final
from uuid import UUID

from celery import shared_task
from django.utils import timezone

from casino.establishments.models import Establishment
from casino.jobs import kinds, running
from casino.platform import storage_failure, waking

if TYPE_CHECKING:
    from datetime import datetime

    from casino.jobs.kinds import Kind
    from casino.jobs.models import Job

STINT: Final = 2.0  # seconds
# One piece may be long: a file, projections made anew. The broker hands out again what takes 270 s.
SOFT_LIMIT: Final = 200  # seconds
LIMIT: Final = 230
CAME_UP: Final = time.monotonic()
"""When this worker came up, by a clock that nobody sets: Celery looks for tasks at its start."""


@shared_task(acks_late=True, soft_time_limit=SOFT_LIMIT, time_limit=LIMIT)
def bring_on(*, kind: str, establishment: str, job: str, **_newer: object) -> None:
    """Bring a job on a little, and send for the rest."""
    if running.advance(kinds.of(kind), UUID(establishment), UUID(job), seconds=STINT):
        bring_on.delay(kind=kind, establishment=establishment, job=job)


@shared_task(acks_late=True)
def watch(**_newer: object) -> None:
    """Wake what a killed worker left, and begin what is due. One that fails holds no other up."""
    if storage_failure.resting():
        return
    now = timezone.now()
    for job in running.resting(now):
        send(job)
    with ExitStack() as each:
        for house in Establishment.objects.all():
            for kind in kinds.every():
                each.callback(begin_due, kind, house, now)


def came_up(now: datetime) -> datetime:
    return now - timedelta(seconds=time.monotonic() - CAME_UP)


def begin_due(kind: Kind[Job], house: Establishment, now: datetime) -> None:
    for begun in kind.due(house, now):
        if begun is not None:
            send(begun)


def wake(job: Job) -> None:
    """Wake a worker; one that is not reached costs minutes: the watch comes by."""
    waking.after_commit(lambda: send(job))


def send(job: Job) -> None:
    bring_on.delay(kind=job.kind, establishment=str(job.establishment_id), job=str(job.id))
