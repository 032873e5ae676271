"""
Celery tasks of jobs, which run in short turns, so that settlement never waits long for a worker.

A message is only a wake: if it is lost or sent twice, nothing but time is lost.
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from datetime import timedelta
from typing import TYPE_CHECKING, Final
from uuid import UUID

from celery import shared_task
from django.utils import timezone

from casino.engine.databases import storage_failure
from casino.engine.processes.queues import waking
from casino.house.establishments import rounds
from casino.house.establishments.models import Establishment
from casino.kit.web.jobs import running

if TYPE_CHECKING:
    from datetime import datetime

    from casino.kit.web.jobs.models import Job
    from casino.kit.web.jobs.running import Kind

EVERY: Final = 30  # seconds; how often beat sends `watch`
LOOKED_AT: Final = 200  # houses each time; what is due by the calendar may wait for the next round
TURN_SECONDS: Final = 2.0  # seconds
# One step may be long: a file, a rebuild of projections. The broker redelivers after 270 s.
SOFT_LIMIT: Final = 200  # seconds
LIMIT: Final = 230
STARTED: Final = time.monotonic()
"""When this worker started (Celery imports tasks then), by a monotonic clock."""


@shared_task(
    name="casino.jobs.tasks.run_job", acks_late=True, soft_time_limit=SOFT_LIMIT, time_limit=LIMIT
)
def run_job(*, kind: str, establishment: str, job: str, **_newer: object) -> None:
    """Run a job for one turn, and send another message if steps are left."""
    if running.advance(running.kind_of(kind), UUID(establishment), UUID(job), seconds=TURN_SECONDS):
        run_job.delay(kind=kind, establishment=establishment, job=job)


@shared_task(name="casino.jobs.tasks.watch", acks_late=True)
def watch(**_newer: object) -> None:
    """Resume the jobs of killed workers, and begin jobs that are due; failures are independent."""
    if storage_failure.resting():
        return
    now = timezone.now()
    for job in running.jobs_without_step(now):
        send(job)
    in_turn = rounds.of_houses(now, every=EVERY, most=LOOKED_AT)
    with ExitStack() as each:
        for house in Establishment.objects.filter(pk__in=in_turn):
            for kind in running.every_kind():
                each.callback(begin_due, kind, house, now)


def start_of(now: datetime) -> datetime:
    return now - timedelta(seconds=time.monotonic() - STARTED)


def begin_due(kind: Kind[Job], house: Establishment, now: datetime) -> None:
    for begun in kind.due(house, now):
        if begun is not None:
            send(begun)


def wake(job: Job) -> None:
    """Wake a worker after commit; if the message is lost, `watch` sends it within minutes."""
    waking.after_commit(lambda: send(job))


def send(job: Job) -> None:
    run_job.delay(kind=job.kind, establishment=str(job.establishment_id), job=str(job.id))
