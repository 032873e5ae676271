"""
Jobs: begun, brought on piece by piece, stopped, begun anew.

Where a job has come to stands in its row and moves with what was found, so that a worker may be
killed at any moment, and two that work on the same piece count it once.
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
    from casino.jobs.kinds import Kind, Piece
    from casino.jobs.models import Finding, Run

FINDINGS_KEPT: Final = 1000  # of a job; all are counted
RESTING: Final = timedelta(minutes=2)  # without progress: whoever worked on it is gone

log = structlog.get_logger(__name__)


class AlreadyBegun(Exception):  # noqa: N818 - names the fact
    """One of its kind is on its way; or what it is begun once for, it was begun for."""


def begin(
    kind: Kind[Run], *, house: Establishment, now: datetime, start: int = 0, **told: Any
) -> Run:
    """
    Begin a job; tasks bring it on.

    :param told: its row's other columns.
    :raises AlreadyBegun: if another one is on its way, where a house has one at a time.
    """
    try:
        with transaction.atomic():
            return kind.rows().create(
                establishment=house, asked_at=now, worked_at=now, start=start, reached=start,
                alone=bool(kind.busy), **told,
            )  # fmt: skip
    except IntegrityError:
        raise AlreadyBegun(kind.busy.format(house=house)) from None


def stop(kind: Kind[Any], *, by: Attendant, house: Establishment, job: UUID, now: datetime) -> bool:
    """
    Let go of one that somebody asked for; whether it was on its way. What it came to stays.

    :raises NotYours: if the person may not audit the house.
    """
    permissions.require(by, "audit", house)
    rows = _rows(kind, house.pk, job).filter(state=State.RUNNING, occasion=Occasion.ASKED)
    return bool(rows.update(state=State.STOPPED, finished_at=now))


def begin_anew(jobs: QuerySet[Any], **told: Any) -> int:
    """Make them once more, from the first piece on; how many. Whoever works on one stops."""
    return jobs.update(
        state=State.RUNNING, step=0, reached=F("start"), cursor={}, figures={}, found=0,
        attempt=F("attempt") + 1, finished_at=None, reason="", **told,
    )  # fmt: skip


def forget_older(
    house: Establishment, jobs: QuerySet[Any], results: type[Any], *, kept: int
) -> None:
    """Of those the newest are kept, and what belongs to them."""
    older = list(jobs.order_by("-asked_at").values_list("id", flat=True)[kept:])
    if older:
        with transaction.atomic():
            results.objects.filter(establishment=house, job__in=older).delete()
            jobs.model.objects.filter(establishment=house, id__in=older).delete()


def resting(now: datetime) -> QuerySet[Job]:
    """
    The jobs that nobody has brought on for so long: whoever worked on them is gone.

    One that came on later than now was written by a clock that has been put back, or is wrong: to
    wait until it is right would be to wait for hours.
    """
    rests = Q(worked_at__lt=now - RESTING) | Q(worked_at__gt=now + RESTING)
    return Job.objects.filter(rests, state=State.RUNNING)


def advance(kind: Kind[Any], establishment: UUID, job: UUID, *, seconds: float) -> bool:
    """
    Bring a job on for some time; whether there is more to do.

    :raises OperationalError: and what else passes by itself; what was recorded stays.
    """
    until = time.monotonic() + seconds
    while True:
        rows = _rows(kind, establishment, job).select_related("establishment", "asked_by")
        run = rows.filter(state=State.RUNNING).first()
        if run is None or not came_on(kind, run):
            return False
        if time.monotonic() >= until:
            return True


def came_on(kind: Kind[Run], run: Run) -> bool:
    """One piece more; False: it was the last, or somebody was quicker, or has stopped it."""
    try:
        piece = kind.step(run)
        if piece is None or not _recorded(run, piece):
            return False
    except (OperationalError, InterfaceError, journal.StreamMoved):
        raise
    except Exception as error:  # whatever it is: a job that is not done is said to be failed
        _fail(kind, run, type(error).__name__)
        raise
    if piece.state == State.RUNNING:
        return True
    _told(kind, run)
    return False


def mine(run: Job) -> QuerySet[Job]:
    """The row, as long as it stands where this worker found it."""
    return Job.objects.filter(
        establishment=run.establishment_id, id=run.id, state=State.RUNNING,
        step=run.step, attempt=run.attempt,
    )  # fmt: skip


def heard(run: Job, **cursor: Any) -> bool:
    """Say how far a long piece is; False: it is not wanted any more."""
    cursor = {**run.cursor, **cursor}
    return bool(mine(run).update(cursor=cursor, worked_at=timezone.now()))


def _rows(kind: Kind[Run], establishment: UUID, job: UUID) -> QuerySet[Run]:
    return kind.rows().filter(establishment=establishment, id=job)


def _recorded(run: Job, piece: Piece) -> bool:
    """The job's row and what belongs to it in one, unless somebody took that step before."""
    now = timezone.now()
    told = {"reached": piece.reached, "cursor": piece.cursor, "figures": piece.figures}
    changes: dict[str, Any] = {name: each for name, each in told.items() if each is not None}
    if piece.state != State.RUNNING:
        changes |= {"state": piece.state, "finished_at": now}
    with transaction.atomic():
        if not mine(run).update(
            step=run.step + 1, worked_at=now, found=run.found + len(piece.found), **changes
        ):
            return False
        _keep(run, piece.found)
        if piece.keep is not None:
            piece.keep()
    return True


def _keep(run: Job, found: Sequence[Finding]) -> None:
    rows = found[: max(0, FINDINGS_KEPT - run.found)]
    for seq, each in enumerate(rows, run.found):
        each.establishment_id, each.job, each.seq = run.establishment_id, run.id, seq
    if rows:
        type(rows[0])._default_manager.bulk_create(rows)  # noqa: SLF001 - Django's documented API


def _fail(kind: Kind[Run], run: Run, reason: str) -> None:
    """Not done; but what was found before that was found."""
    changes = {"state": kind.failed(run), "reason": reason[:REASON_MAX]}
    now = timezone.now()
    mine(run).update(finished_at=now, worked_at=now, **changes)
    event = f"{kind.name}_failed"
    log.error(
        event, establishment=str(run.establishment_id), job=str(run.id),
        step=run.step, reached=run.reached, reason=reason,
    )  # fmt: skip


def _told(kind: Kind[Run], run: Run) -> None:
    run.refresh_from_db()
    loud = log.error if kind.signs[run.state] == ALARM else log.info
    loud(
        kind.name, establishment=str(run.establishment_id), job=str(run.id), state=run.state,
        start=run.start, stop=run.stop, found=run.found,
    )  # fmt: skip
