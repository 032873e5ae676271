"""
Jobs: begun, run step by step, stopped, restarted.

The progress of a job stands in its row and is recorded together with the findings. A worker may
therefore be killed at any moment, and two workers on the same step count it once.
"""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

import structlog
from django.db import IntegrityError, InterfaceError, OperationalError, transaction
from django.db.models import F, Q
from django.utils import timezone

from casino.attendants import permissions
from casino.jobs.kinds import ALARM
from casino.jobs.models import REASON_MAX, Job, Occasion, State
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.attendants.models import Attendant
    from casino.establishments.models import Establishment
    from casino.jobs.kinds import Kind, Step
    from casino.jobs.models import Finding, JobT

FINDINGS_KEPT: Final = 1000  # of a job; all are counted
STALLED_AFTER: Final = timedelta(minutes=2)  # without progress: its worker is gone

log = structlog.get_logger(__name__)


class AlreadyBegun(Exception):  # noqa: N818 - names the fact
    """Another of its kind is running, or one was begun for the same `once`."""


def begin(
    kind: Kind[JobT], *, house: Establishment, now: datetime, start: int = 0, **columns: Any
) -> JobT:
    """
    Begin a job; tasks run it.

    :param columns: the other columns of its row.
    :raises AlreadyBegun: if another one is running, where a house has one at a time.
    """
    try:
        with transaction.atomic():
            return kind.rows().create(
                establishment=house, asked_at=now, worked_at=now, start=start, reached=start,
                alone=bool(kind.busy), **columns,
            )  # fmt: skip
    except IntegrityError:
        raise AlreadyBegun(kind.busy.format(house=house)) from None


def stop(kind: Kind[Any], *, by: Attendant, house: Establishment, job: UUID, now: datetime) -> bool:
    """
    Stop a job that somebody requested; whether it was running. What it found stays.

    :raises NotYours: if the person may not audit the house.
    """
    permissions.require(by, "audit", house)
    rows = _rows(kind, house.pk, job).filter(state=State.RUNNING, occasion=Occasion.ON_DEMAND)
    return bool(rows.update(state=State.STOPPED, finished_at=now))


def restart(jobs: QuerySet[Any], **columns: Any) -> int:
    """Run them again from the first step; how many. A worker that is on one of them stops."""
    return jobs.update(
        state=State.RUNNING, step=0, reached=F("start"), cursor={}, figures={}, found=0,
        attempt=F("attempt") + 1, finished_at=None, reason="", **columns,
    )  # fmt: skip


def forget_older(
    house: Establishment, jobs: QuerySet[Any], results: type[Any], *, kept: int
) -> None:
    """Delete all but the newest of these jobs, with their results."""
    older = list(jobs.order_by("-asked_at").values_list("id", flat=True)[kept:])
    if older:
        with transaction.atomic():
            results.objects.filter(establishment=house, job__in=older).delete()
            jobs.model.objects.filter(establishment=house, id__in=older).delete()


def stalled(now: datetime) -> QuerySet[Job]:
    """
    The jobs without progress for so long that their worker must be gone.

    Progress in the future was written by a clock that has been put back since, or is wrong. Such a
    job counts as stalled too: to wait until the clock has caught up could take hours.
    """
    late = Q(worked_at__lt=now - STALLED_AFTER) | Q(worked_at__gt=now + STALLED_AFTER)
    return Job.objects.filter(late, state=State.RUNNING)


def advance(kind: Kind[Any], establishment: UUID, job: UUID, *, seconds: float) -> bool:
    """
    Run a job for some time; whether there is more to do.

    :raises OperationalError: like other failures that pass by themselves; what was recorded stays.
    """
    until = time.monotonic() + seconds
    while True:
        rows = _rows(kind, establishment, job).select_related("establishment", "asked_by")
        run = rows.filter(state=State.RUNNING).first()
        if run is None or not run_step(kind, run):
            return False
        if time.monotonic() >= until:
            return True


def run_step(kind: Kind[JobT], run: JobT) -> bool:
    """Run one step; False: it was the last, another worker was quicker, or the job was stopped."""
    try:
        step = kind.step(run)
        if step is None or not _recorded(run, step):
            return False
    except (OperationalError, InterfaceError, journal.StreamMoved):
        raise
    except Exception as error:  # whatever it is: the job is marked as failed
        _fail(kind, run, type(error).__name__)
        raise
    if step.state == State.RUNNING:
        return True
    _log_end(kind, run)
    return False


def unmoved(run: Job) -> QuerySet[Job]:
    """The row of a job, if it still runs and is at the step and attempt of this worker."""
    return Job.objects.filter(
        establishment=run.establishment_id, id=run.id, state=State.RUNNING,
        step=run.step, attempt=run.attempt,
    )  # fmt: skip


def report_progress(run: Job, **cursor: Any) -> bool:
    """Record how far a long step is; False: the job was stopped or restarted."""
    cursor = {**run.cursor, **cursor}
    return bool(unmoved(run).update(cursor=cursor, worked_at=timezone.now()))


def _rows(kind: Kind[JobT], establishment: UUID, job: UUID) -> QuerySet[JobT]:
    return kind.rows().filter(establishment=establishment, id=job)


def _recorded(run: Job, step: Step) -> bool:
    """Record a step in one transaction; False: another worker has recorded it already."""
    now = timezone.now()
    values = {"reached": step.reached, "cursor": step.cursor, "figures": step.figures}
    changes: dict[str, Any] = {name: each for name, each in values.items() if each is not None}
    if step.state != State.RUNNING:
        changes |= {"state": step.state, "finished_at": now}
    with transaction.atomic():
        if not unmoved(run).update(
            step=run.step + 1, worked_at=now, found=run.found + len(step.found), **changes
        ):
            return False
        _keep(run, step.found)
        if step.keep is not None:
            step.keep()
    return True


def _keep(run: Job, found: Sequence[Finding]) -> None:
    rows = found[: max(0, FINDINGS_KEPT - run.found)]
    for seq, each in enumerate(rows, run.found):
        each.establishment_id, each.job, each.seq = run.establishment_id, run.id, seq
    if rows:
        type(rows[0])._default_manager.bulk_create(rows)  # noqa: SLF001 - Django's documented API


def _fail(kind: Kind[JobT], run: JobT, reason: str) -> None:
    """Mark a job as failed; what it found before stays."""
    changes = {"state": kind.failed(run), "reason": reason[:REASON_MAX]}
    now = timezone.now()
    unmoved(run).update(finished_at=now, worked_at=now, **changes)
    event = f"{kind.name}_failed"
    log.error(
        event, establishment=str(run.establishment_id), job=str(run.id),
        step=run.step, reached=run.reached, reason=reason,
    )  # fmt: skip


def _log_end(kind: Kind[JobT], run: JobT) -> None:
    run.refresh_from_db()
    level = log.error if kind.signs[run.state] == ALARM else log.info
    level(
        kind.name, establishment=str(run.establishment_id), job=str(run.id), state=run.state,
        start=run.start, stop=run.stop, found=run.found,
    )  # fmt: skip
