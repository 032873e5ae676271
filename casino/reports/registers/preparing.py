"""
Reports prepared by a worker: begun, made file by file, stopped or done, and kept.

If a worker is killed while it writes a file, that file is made again.
"""

from __future__ import annotations

import hashlib
import time
import uuid
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, cast

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy

from casino.engine.processes.queues.house_subscriber import Area
from casino.floor.players.player_names import ERASED
from casino.house.attendants import permissions
from casino.house.establishments.clock import show_as_at
from casino.kit.documents import document, writers
from casino.kit.documents.report import Query
from casino.kit.documents.writers import FORMATS, File
from casino.kit.web.jobs import running
from casino.kit.web.jobs.models import Job, Occasion, State
from casino.kit.web.jobs.running import AlreadyBegun, Kind, StepResult
from casino.reports.gaming_days.models import GamingDay
from casino.reports.registers import catalogue, params
from casino.reports.registers.catalogue import REPORTS
from casino.reports.registers.models import Preparation, PreparedFile
from games.refusals import Refused
from ledger import canonical, journal
from ledger.ids import uuid7

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date, datetime
    from uuid import UUID

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment
    from casino.kit.documents.document import Document
    from casino.kit.documents.report import Report
    from casino.kit.documents.writers import Format
    from ledger.wire import StoredEvent

RECENT: Final = 7  # closed days whose reports may still have to be prepared
RUNNING_MOST: Final = 3  # preparations on demand that may run at a time for one house
ON_DEMAND_KEPT: Final = 50  # preparations on demand; beyond these, the oldest is deleted
FILE_MAX: Final = 32 * 2**20  # bytes
PROGRESS_EVERY: Final = 0.5  # seconds
STEPS: Final = tuple(FORMATS.values())


class TooMany(Refused):
    code = "too_many_preparations"


class NotToBeDone(Refused):
    """The preparation cannot be stopped or restarted in its present state."""

    code = "not_so_now"


class _Interrupted(Exception):  # noqa: N818 - caught here
    """The job was stopped or restarted."""


def ask(  # noqa: PLR0913 - the last two are of programs alone
    *,
    by: Attendant,
    report: Report,
    query: Query,
    now: datetime,
    key: UUID | None = None,
    request_hash: str = "",
) -> Preparation:
    """
    Begin a preparation on demand. Tasks run it.

    :param key: the id of the preparation, if a program's command determines it.
    :param request_hash: the hash of that command.
    :raises NotYours: if the person may not audit the house.
    :raises TooMany: if the house has as many running preparations as it may have.
    """
    permissions.require(by, "audit", query.house)
    mine = Preparation.objects.filter(establishment=query.house, occasion=Occasion.ON_DEMAND)
    if mine.filter(state=State.RUNNING).count() >= RUNNING_MOST:
        raise TooMany(f"{RUNNING_MOST} reports are being prepared: wait for one, or stop it.")
    over = mine.exclude(state=State.RUNNING)
    running.forget_older(query.house, over, PreparedFile, kept=ON_DEMAND_KEPT - 1)
    return _begin(report, query, now, asked_by=by, id=key or uuid7(), request_hash=request_hash)


def _begin(
    report: Report, query: Query, now: datetime, *, request_hash: str = "", **columns: Any
) -> Preparation:
    """
    Begin the job of a preparation.

    :raises AlreadyBegun: if another worker was quicker, or the command came twice at once.
    """
    parameters = {
        "report": report.name, "through": query.through, "chosen": dict(query.chosen),
        "lines": report.size(query), "request_hash": request_hash,
    }  # fmt: skip
    return running.begin(
        PREPARATION, house=query.house, now=now, stop=len(STEPS), since=query.since,
        until=query.until, parameters=parameters, **columns,
    )  # fmt: skip


def of_closed_days(house: Establishment, now: datetime) -> list[Preparation]:
    """
    Begin the preparation of all reports of closed days, once each, as the day was frozen. A day is
    due as soon as the projections that reports read have reached its closing event.
    """
    reached = params.position_of_projections(house)
    closed = GamingDay.objects.filter(establishment=house, state=GamingDay.State.CLOSED)
    days = list(closed.filter(closed_position__lte=reached).order_by("-day")[:RECENT])
    begun = set(
        Preparation.objects.filter(
            establishment=house, occasion=Occasion.DAY, day__in=[each.day for each in days]
        ).values_list("once", flat=True)
    )
    missing = (
        (report, row)
        for row in days
        for report in catalogue.REPORTS
        if once(report, row.day) not in begun
    )
    made = (_begin_day(house, report, row, now) for report, row in missing)
    return [each for each in made if each is not None]


def once(report: Report, day: date) -> str:
    return f"{report.name} {day}"


def _begin_day(
    house: Establishment, report: Report, row: GamingDay, now: datetime
) -> Preparation | None:
    """Begin one report of a closed day; None: another worker was quicker."""
    if row.closed_position is None:
        return None
    query = Query(house=house, since=row.day, until=row.day, through=row.closed_position)
    try:
        return _begin(
            report, query, now, occasion=Occasion.DAY, day=row.day, once=once(report, row.day)
        )
    except running.AlreadyBegun:
        return None


def stop(*, by: Attendant, house: Establishment, preparation: UUID, now: datetime) -> None:
    """
    Stop a preparation.

    :raises NotToBeDone: if it is not running.
    """
    if not running.stop(PREPARATION, by=by, house=house, job=preparation, now=now):
        raise NotToBeDone("It is not on its way: there is nothing to stop.")


def again(*, by: Attendant, house: Establishment, preparation: UUID, now: datetime) -> Preparation:
    """
    Restart a preparation that was stopped or failed, or whose files were deleted.

    :raises NotToBeDone: if it is running, or complete.
    """
    permissions.require(by, "audit", house)
    mine = Preparation.objects.filter(establishment=house, id=preparation)
    over = mine.filter(state__in=(State.STOPPED, State.FAILED))
    if not over.exists() and not drop(house, preparation):
        raise NotToBeDone("It is on its way, or whole: there is nothing to make anew.")
    running.restart(mine.exclude(state=State.RUNNING), worked_at=now)
    return mine.get()


def drop(house: Establishment, preparation: UUID) -> bool:
    files = PreparedFile.objects.filter(establishment=house, job=preparation)
    return files.filter(dropped_at__isnull=False).exists()


def step(run: Preparation) -> StepResult | None:
    """Make one file; None: the job was stopped or restarted."""
    form, begun = STEPS[run.reached], timezone.now()
    try:
        with speaking(run.establishment):
            file = _file(run, form, begun)
    except _Interrupted:
        return None
    made = run.reached + 1
    state = State.DONE if made == len(STEPS) else State.RUNNING
    return StepResult(reached=made, cursor={}, keep=lambda: _keep(file), state=state)


def _file(run: Preparation, form: Format, begun: datetime) -> PreparedFile:
    """
    Write one file of a preparation.

    :raises _Interrupted: if the job was stopped or restarted.
    """
    made = replace(_document(run), on_progress=_Progress(run))
    row = PreparedFile(
        establishment=run.establishment, job=run.id, format=form.name, made_at=begun,
        name=writers.filename(made, form),
    )  # fmt: skip
    try:
        with writers.write(made, form) as file:
            row.content = _check_bound(file.read(FILE_MAX + 1))
    except document.TooLong as refused:
        row.refused = str(refused)[:300]
        return row
    row.size, row.sha256 = len(row.content), sha256(row.content).hexdigest()
    return row


def _document(run: Preparation) -> Document:
    query = Query(
        house=run.establishment, since=cast("date", run.since), until=cast("date", run.until),
        through=run.through, chosen=run.chosen,
    )  # fmt: skip
    return document.make_document(
        catalogue.report(run.report), query,
        asked_by=str(run.asked_by) if run.asked_by else "", generated_at=run.asked_at,
    )  # fmt: skip


def _check_bound(content: bytes) -> bytes:
    if len(content) > FILE_MAX:
        raise document.TooLong(f"More than {FILE_MAX >> 20} MiB: ask for fewer days.")
    return content


class _Progress:
    """Records a file's progress at intervals; interrupts it if the job was stopped or restarted."""

    def __init__(self, run: Preparation) -> None:
        self._run = run
        self._next = time.monotonic() + PROGRESS_EVERY

    def __call__(self, lines: int) -> None:
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + PROGRESS_EVERY
        if not running.report_progress(self._run, written=lines):
            raise _Interrupted


def _keep(file: PreparedFile) -> None:
    PreparedFile.objects.update_or_create(
        establishment=file.establishment, job=file.job, format=file.format,
        defaults={
            "name": file.name, "sha256": file.sha256, "size": file.size,
            "content": file.content, "made_at": file.made_at, "refused": file.refused,
            "dropped_at": None,
        },
    )  # fmt: skip


@contextmanager
def speaking(house: Establishment) -> Iterator[None]:
    """Use the language, time zone, locale and coin of the house, whoever will read the report."""
    language = house.language or settings.LANGUAGE_CODE
    with translation.override(language), show_as_at(house):
        yield


def newest(house: Establishment, *, most: int) -> list[Preparation]:
    rows = Preparation.objects.filter(establishment=house).select_related("asked_by")
    return list(rows.order_by("-asked_at", "id")[:most])


def of_day(house: Establishment, day: date) -> dict[str, Preparation]:
    """The reports that were prepared when a day was closed, by name of the report."""
    rows = Preparation.objects.filter(establishment=house, occasion=Occasion.DAY, day=day)
    return {row.report: row for row in rows}


def files(house: Establishment, preparations: list[UUID]) -> dict[UUID, list[PreparedFile]]:
    """The files of each preparation, without their bytes."""
    rows = PreparedFile.objects.filter(establishment=house, job__in=preparations)
    found: dict[UUID, list[PreparedFile]] = {}
    for row in rows.defer("content"):
        found.setdefault(row.job, []).append(row)
    order = list(FORMATS)
    return {
        key: sorted(rows, key=lambda each: order.index(each.format)) for key, rows in found.items()
    }


def file_with_bytes(house: Establishment, preparation: UUID, form: str) -> PreparedFile | None:
    """A file with its bytes; None: there is none in that format, or its bytes were deleted."""
    rows = PreparedFile.objects.filter(establishment=house, job=preparation, format=form)
    return rows.exclude(sha256="").filter(dropped_at=None).first()


def title(job: Job) -> str:
    """The title of a job's report; if that report no longer exists, its name."""
    name: str = job.parameters["report"]
    return str(catalogue.BY_NAME[name].title) if name in catalogue.BY_NAME else name


PREPARATION: Final = Kind(
    model=Preparation,
    title=gettext_lazy("Report"),
    about=title,
    step=step,
    from_replica=True,
    url=lambda job: reverse("prepared", args=[job.id]),
    words={**dict(State.choices), State.DONE: gettext_lazy("ready")},
    due=of_closed_days,
)


# Reports on demand: read and written within the request, if they are short enough.


AT_ONCE: Final = 1_000  # lines


class NeedsWorker(Refused):
    """The report is too long for a request: a worker has to prepare it."""

    code = "needs_worker"


def fits_a_page(report: Report, query: Query) -> bool:
    """Whether the first lines of the report may be rendered within a request."""
    return not (report.long or params.Period(since=query.since, until=query.until).long)


def needs_worker(report: Report, query: Query) -> bool:
    """Whether the whole report is too long for a request."""
    return not fits_a_page(report, query) or report.at_least(query) > AT_ONCE


def ready(
    house: Establishment,
    report: Report,
    given: Mapping[str, str],
    *,
    asked_by: str,
    now: datetime,
) -> Document:
    """
    The report as a document, ready to be written.

    :raises Malformed: if a value is not valid; names the field.
    :raises NotReadYet: if projections have not reached the position yet.
    :raises NeedsWorker: if the report is too long for a request.
    """
    query = params.query(house, report, given, now)
    if needs_worker(report, query):
        raise NeedsWorker(
            f"{report.title}: these days take a worker. Have it prepared, or ask for fewer days, at"
            f" most {params.AT_ONCE.days}."
        )
    return document.make_document(report, query, asked_by=asked_by, generated_at=now)


def file(made: Document, form: Format) -> File:
    """
    The report as a file of one format.

    :raises TooLong: if the report has more lines than the format may have.
    """
    return File(
        name=writers.filename(made, form),
        media_type=form.media_type,
        content=writers.write(made, form),
    )


# Preparations that a program requests: one for each command, however often it is sent.


def begin_by_command(  # noqa: PLR0913 - one argument for each field of the request
    *,
    by: Attendant,
    house: Establishment,
    report: Report,
    given: Mapping[str, str],
    command_id: uuid.UUID,
    now: datetime,
) -> Preparation:
    """
    Begin a preparation, or find the one that the same command began. Tasks run it.

    :param given: as `params.query` takes it.
    :raises NotYours: if the person may not audit the house.
    :raises CommandReused: if the command's id was used for something else.
    :raises Malformed, NotReadYet, TooMany: as in `params.query` and `preparing.ask`.
    """
    permissions.require(by, "audit", house)
    key = uuid.uuid5(house.pk, f"preparation/{command_id}")
    digest = hashlib.sha256(
        canonical.encode({"by": str(by.pk), "report": report.name, "asked": dict(given)})
    ).hexdigest()
    if (known := _begun_by_command(house, key, digest, command_id)) is not None:
        return known
    query = params.query(house, report, given, now)
    try:
        return ask(by=by, report=report, query=query, now=now, key=key, request_hash=digest)
    except AlreadyBegun:  # the command was sent twice at once: the other request has begun it
        if (known := _begun_by_command(house, key, digest, command_id)) is None:
            raise
        return known


def _begun_by_command(
    house: Establishment, key: uuid.UUID, digest: str, command_id: uuid.UUID
) -> Preparation | None:
    found = Preparation.objects.filter(establishment=house, id=key).select_related("asked_by")
    run = found.first()
    if run is not None and run.request_hash != digest:
        raise journal.CommandReused(command_id)
    return run


# The erasure of a player's name: prepared files that may contain it are deleted and prepared again.
#
# The SHA-256 of each deleted file stays. An erasure that is read again finds nothing left to do.


LAG: Final = timedelta(hours=1)
"""How long after an erasure was recorded a file may still contain the name: the name is erased when
the subscriber reads the event. A rebuild reads the event again, and makes files of that hour again.
"""


def handle_erasure(event: StoredEvent) -> None:
    if event.event_type == ERASED:
        _forget(event)


def _forget(event: StoredEvent) -> None:
    at = event.provenance.recorded_at
    until = at + LAG
    named = [report.name for report in REPORTS if report.names_players]
    before = Preparation.objects.filter(
        establishment=event.establishment, parameters__report__in=named, asked_at__lte=until
    )
    held = PreparedFile.objects.filter(
        establishment=event.establishment, job__in=before.values("id"),
        made_at__lte=until, dropped_at=None,
    )  # fmt: skip
    touched = set(held.values_list("job", flat=True))
    for row in held.exclude(sha256=""):
        dropped = {"sha256": row.sha256, "made_at": row.made_at.isoformat()}
        PreparedFile.objects.filter(pk=row.pk).update(
            content=b"", dropped_at=at, earlier=[*row.earlier, dropped]
        )
    anew = before.filter(state=State.RUNNING) | before.filter(
        id__in=touched, state=State.DONE, occasion=Occasion.DAY
    )
    running.restart(anew)


ERASURES = Area("reports", handle_erasure, (), effects=(Job, PreparedFile))
