"""
Kinds of jobs, which rooms declare; and beginning, running, stopping and restarting jobs.

A job's progress is in its row and is written together with the findings of a step. So a worker may
be killed at any moment, and a step that two workers run is counted once.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Generic

import structlog
from django.apps import apps
from django.db import IntegrityError, InterfaceError, OperationalError, transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.module_loading import import_string

from casino.engine.scale.replicas import place as replicas
from casino.house.attendants import permissions
from casino.kit.web.jobs.models import REASON_MAX, Job, Occasion, Run, State
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment
    from casino.kit.web.jobs.models import Finding
    from casino.kit.web.listings.listing import Level, Sign

FINDINGS_KEPT: Final = 1000  # findings stored for a job; all are counted
STALLED_AFTER: Final = timedelta(minutes=2)  # after so long without progress its worker is gone

log = structlog.get_logger(__name__)


class AlreadyBegun(Exception):  # noqa: N818 - names the fact
    """A job of the kind is running; or the job may run only once, and was begun before."""


def begin(
    kind: Kind[Run], *, house: Establishment, now: datetime, start: int = 0, **columns: Any
) -> Run:
    """
    Begin a job; a worker runs it.

    :param columns: the other columns of its row.
    :raises AlreadyBegun: if a house may have one such job at a time, and one is running; or if the
        job may run only once, and was begun before.
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
    Stop a job that a person began; returns whether it was running. Its results so far stay.

    :raises NotYours: if the person may not audit the house.
    """
    permissions.require(by, "audit", house)
    rows = _rows(kind, house.pk, job).filter(state=State.RUNNING, occasion=Occasion.ON_DEMAND)
    return bool(rows.update(state=State.STOPPED, finished_at=now))


def restart(jobs: QuerySet[Any], **columns: Any) -> int:
    """Restart jobs from the first step; returns how many. A worker that is running one stops."""
    return jobs.update(
        state=State.RUNNING, step=0, reached=F("start"), cursor={}, figures={}, found=0,
        attempt=F("attempt") + 1, finished_at=None, reason="", **columns,
    )  # fmt: skip


def forget_older(
    house: Establishment, jobs: QuerySet[Any], results: type[Any], *, kept: int
) -> None:
    """Delete all but the newest `kept` of these jobs, with their results."""
    older = list(jobs.order_by("-asked_at").values_list("id", flat=True)[kept:])
    if older:
        with transaction.atomic():
            results.objects.filter(establishment=house, job__in=older).delete()
            jobs.model.objects.filter(establishment=house, id__in=older).delete()


def jobs_without_step(now: datetime) -> QuerySet[Job]:
    """
    The running jobs without a step for `STALLED_AFTER`: their worker is gone.

    A job whose last step is in the future counts too: a clock was wrong or has been put back, and
    the time until then may be hours.
    """
    rests = Q(worked_at__lt=now - STALLED_AFTER) | Q(worked_at__gt=now + STALLED_AFTER)
    return Job.objects.filter(rests, state=State.RUNNING)


def advance(kind: Kind[Any], establishment: UUID, job: UUID, *, seconds: float) -> bool:
    """
    Run a job for some time; returns whether more steps follow.

    :raises OperationalError: and other errors that are temporary; recorded steps stay.
    """
    until = time.monotonic() + seconds
    while True:
        rows = _rows(kind, establishment, job).select_related("establishment", "asked_by")
        run = rows.filter(state=State.RUNNING).first()
        if run is None or not run_step(kind, run):
            return False
        if time.monotonic() >= until:
            return True


def run_step(kind: Kind[Run], run: Run) -> bool:
    """
    Run the next step of a job; returns whether more steps follow.

    They do not if this was the last step, another worker was faster, or the job was stopped.
    """
    try:
        result = replicas.step(lambda: kind.step(run)) if kind.from_replica else kind.step(run)
        if result is None or not _record_step(run, result):
            return False
    except (OperationalError, InterfaceError, journal.StreamMoved):
        raise
    except Exception as error:  # with any other exception the job has failed
        _fail(kind, run, type(error).__name__)
        raise
    if result.state == State.RUNNING:
        return True
    _log_end(kind, run)
    return False


def row_unless_moved(run: Job) -> QuerySet[Job]:
    """The job's row, unless another worker has moved it since; for a conditional update."""
    return Job.objects.filter(
        establishment=run.establishment_id, id=run.id, state=State.RUNNING,
        step=run.step, attempt=run.attempt,
    )  # fmt: skip


def report_progress(run: Job, **cursor: Any) -> bool:
    """Record the progress within a long step; False if the job is no longer wanted."""
    cursor = {**run.cursor, **cursor}
    with replicas.on_primary():
        return bool(row_unless_moved(run).update(cursor=cursor, worked_at=timezone.now()))


def _rows(kind: Kind[Run], establishment: UUID, job: UUID) -> QuerySet[Run]:
    return kind.rows().filter(establishment=establishment, id=job)


def _record_step(run: Job, result: StepResult) -> bool:
    """Record a step in one transaction; False if another worker has recorded it."""
    now = timezone.now()
    moved = {"reached": result.reached, "cursor": result.cursor, "figures": result.figures}
    changes: dict[str, Any] = {name: each for name, each in moved.items() if each is not None}
    if result.state != State.RUNNING:
        reason = result.reason[:REASON_MAX]
        changes |= {"state": result.state, "finished_at": now, "reason": reason}
    with transaction.atomic():
        if not row_unless_moved(run).update(
            step=run.step + 1, worked_at=now, found=run.found + len(result.found), **changes
        ):
            return False
        _keep(run, result.found)
        if result.keep is not None:
            result.keep()
    return True


def _keep(run: Job, found: Sequence[Finding]) -> None:
    rows = found[: max(0, FINDINGS_KEPT - run.found)]
    for seq, each in enumerate(rows, run.found):
        each.establishment_id, each.job, each.seq = run.establishment_id, run.id, seq
    if rows:
        type(rows[0])._default_manager.bulk_create(rows)  # noqa: SLF001 - Django's documented API


def _fail(kind: Kind[Run], run: Run, reason: str) -> None:
    """Record that the job failed; its findings so far stay."""
    changes = {"state": kind.failed(run), "reason": reason[:REASON_MAX]}
    now = timezone.now()
    row_unless_moved(run).update(finished_at=now, worked_at=now, **changes)
    event = f"{kind.name}_failed"
    log.error(
        event, establishment=str(run.establishment_id), job=str(run.id),
        step=run.step, reached=run.reached, reason=reason,
    )  # fmt: skip


def _log_end(kind: Kind[Run], run: Run) -> None:
    run.refresh_from_db()
    loud = log.error if kind.levels[run.state] == ALARM else log.info
    loud(
        kind.name, establishment=str(run.establishment_id), job=str(run.id), state=run.state,
        start=run.start, stop=run.stop, found=run.found,
    )  # fmt: skip


# Kinds of jobs: what a step of each kind does, and its words for people. Rooms declare them.


ALARM: Final[Level] = "alarm"
LEVELS: Final[Mapping[str, Level]] = {
    State.RUNNING: "wait", State.DONE: "well", State.STOPPED: "off", State.FAILED: ALARM,
}  # fmt: skip
"""The sign with which each state is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """
    The result of a step of a job; recorded in one transaction, or not at all.

    :param reached, cursor, figures: new values of the job's row; None: unchanged.
    :param found: all findings of the step, even if not all are stored.
    :param keep: writes what else belongs to the step, within the same transaction.
    :param state: how the job ended; `RUNNING`: more steps follow. `reason`: why it was not done.
    """

    reached: int | None = None
    cursor: Mapping[str, Any] | None = None
    figures: Mapping[str, Any] | None = None
    found: Sequence[Finding] = ()
    keep: Callable[[], object] | None = None
    state: str = State.RUNNING
    reason: str = ""


def nothing_due(_house: Establishment, _now: datetime) -> Iterable[Job | None]:
    return ()


def without_details(_job: Job) -> str:
    return ""


def tell_failure(_job: Job) -> str:
    return State.FAILED


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind(Generic[Run]):
    """
    A kind of job.

    :param title: in lists of jobs; `about`: the details of one job, such as its period.
    :param url: the page that shows a job or its result.
    :param words: the label of each state, perhaps with ``%(findings)s``; `levels`: its sign.
    :param step: runs the next step of a job; returns None if the job is no longer wanted. It does
        itself what has to happen before the step is recorded, such as a stop of payouts.
    :param busy: the refusal if such a job is running, with ``{house}``; "": several may run.
    :param due: begins the jobs that are due at a house by the calendar.
    :param failed: the state of a job that failed.
    :param from_replica: its steps only read, but for what they leave `on_primary`; a replica may be
        read for them (`casino.engine.scale.replicas`).
    """

    model: type[Run]
    title: Any
    step: Callable[[Run], StepResult | None]
    url: Callable[[Job], str]
    words: Mapping[str, Any] = field(default_factory=lambda: dict(State.choices))
    about: Callable[[Job], str] = without_details
    levels: Mapping[str, Level] = field(default_factory=lambda: LEVELS)
    busy: Any = ""
    due: Callable[[Establishment, datetime], Iterable[Job | None]] = nothing_due
    failed: Callable[[Run], str] = tell_failure
    from_replica: bool = False

    @property
    def name(self) -> str:
        return self.model.KIND

    def rows(self) -> QuerySet[Run]:
        found: QuerySet[Any] = self.model._default_manager.all()  # noqa: SLF001 - documented API
        return found

    def sign(self, job: Job) -> Sign:
        from casino.kit.web.listings.listing import Sign  # noqa: PLC0415 - workers show nobody a page

        word = self.words[job.state] % {"findings": job.found}
        return Sign(self.levels[job.state], str(word))


@cache
def places_of_kinds() -> Mapping[str, str]:
    """The dotted path of each kind, by its name."""
    return {
        each.KIND: each.KIND_PATH
        for each in apps.get_models()
        if issubclass(each, Job) and each.KIND
    }


def kind_of(name: str) -> Kind[Any]:
    """:raises KeyError: if there is no such kind."""
    kind: Kind[Any] = import_string(places_of_kinds()[name])
    return kind


def every_kind() -> list[Kind[Any]]:
    return [kind_of(name) for name in places_of_kinds()]
