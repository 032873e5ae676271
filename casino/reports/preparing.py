"""
Reports that a worker prepares: begun, brought on file by file, stopped or done, and kept.

How many files are made stands in the row and moves with the file itself, so that a worker may be
killed at any moment: the file it was at is made once more. Two that work on the same file keep one.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

import structlog
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone, translation

from casino.attendants import permissions
from casino.documents import document, writers
from casino.documents.report import Query
from casino.documents.writers import FORMATS
from casino.gaming_days.models import GamingDay
from casino.languages import locales
from casino.platform.resumable_jobs import bring_on, rests
from casino.reports import catalogue, params
from casino.reports.models import Preparation, PreparedFile
from games.refusals import Refused
from ledger.ids import uuid7

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date, datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.attendants.models import Attendant
    from casino.documents.document import Document
    from casino.documents.report import Report
    from casino.documents.writers import Format
    from casino.establishments.models import Establishment

RESTING: Final = timedelta(minutes=2)  # without progress: whoever worked on it is gone
RECENT: Final = 7  # closed days that are looked at for what is still to be prepared
RUNNING_MOST: Final = 3  # of one house at a time that somebody asked for
ASKED_KEPT: Final = 50  # that somebody asked for: beyond, the oldest goes
FILE_MAX: Final = 32 * 2**20  # bytes
TOLD_EACH: Final = 0.5  # seconds
STEPS: Final = tuple(FORMATS.values())
State, Occasion = Preparation.State, Preparation.Occasion

log = structlog.get_logger(__name__)


class TooMany(Refused):
    code = "too_many_preparations"


class NotToBeDone(Refused):
    """Stopped or begun again in a state in which it cannot be."""

    code = "not_so_now"


class _Left(Exception):  # noqa: N818 - caught here
    """Somebody has stopped it, or begun it anew."""


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
    Begin what somebody wants to have; tasks bring it on.

    :param key: its id, where a program's command gives it; `request_hash`: what that command asked.
    :raises NotYours: if the person may not audit the house.
    :raises TooMany: if as many are on their way as a house may have.
    """
    permissions.require(by, "audit", query.house)
    mine = Preparation.objects.filter(establishment=query.house, occasion=Occasion.ASKED)
    if mine.filter(state=State.RUNNING).count() >= RUNNING_MOST:
        raise TooMany(f"{RUNNING_MOST} reports are being prepared: wait for one, or stop it.")
    for old in mine.exclude(state=State.RUNNING).order_by("-asked_at")[ASKED_KEPT - 1 :]:
        _remove(old)
    return Preparation.objects.create(
        establishment=query.house, report=report.name, occasion=Occasion.ASKED,
        since=query.since, until=query.until, through=query.through, chosen=dict(query.chosen),
        asked_by=by, asked_at=now, worked_at=now, lines=report.size(query),
        id=key or uuid7(), request_hash=request_hash,
    )  # fmt: skip


def _remove(old: Preparation) -> None:
    with transaction.atomic():
        PreparedFile.objects.filter(establishment=old.establishment_id, preparation=old.id).delete()
        old.delete()


def of_closed_days(house: Establishment, now: datetime) -> list[Preparation]:
    """
    Begin the reports of days that were closed, each once, as frozen; as soon as what they read has
    come there.
    """
    come = params.reached(house)
    closed = GamingDay.objects.filter(establishment=house, state=GamingDay.State.CLOSED)
    days = list(closed.filter(closed_position__lte=come).order_by("-day")[:RECENT])
    begun = set(
        Preparation.objects.filter(
            establishment=house, occasion=Occasion.DAY, day__in=[each.day for each in days]
        ).values_list("report", "day")
    )
    wanted = (
        (report, row)
        for row in days
        for report in catalogue.REPORTS
        if (report.name, row.day) not in begun
    )
    made = (_begin_day(house, report, row, now) for report, row in wanted)
    return [each for each in made if each is not None]


def _begin_day(
    house: Establishment, report: Report, row: GamingDay, now: datetime
) -> Preparation | None:
    """None: another worker was quicker."""
    if row.closed_position is None:
        return None
    query = Query(house=house, since=row.day, until=row.day, through=row.closed_position)
    try:
        with transaction.atomic():
            return Preparation.objects.create(
                establishment=house, report=report.name, occasion=Occasion.DAY, day=row.day,
                since=row.day, until=row.day, through=query.through, asked_at=now, worked_at=now,
                lines=report.size(query),
            )  # fmt: skip
    except IntegrityError:
        return None


def stop(*, by: Attendant, house: Establishment, preparation: UUID, now: datetime) -> None:
    """:raises NotToBeDone: if it does not run any more."""
    permissions.require(by, "audit", house)
    mine = Preparation.objects.filter(
        establishment=house, id=preparation, state=State.RUNNING, occasion=Occasion.ASKED
    )
    if not mine.update(state=State.STOPPED, finished_at=now):
        raise NotToBeDone("It is not on its way: there is nothing to stop.")


def again(*, by: Attendant, house: Establishment, preparation: UUID, now: datetime) -> Preparation:
    """
    Make it once more: what was stopped or not done, or has lost its bytes.

    :raises NotToBeDone: if it is on its way, or whole.
    """
    permissions.require(by, "audit", house)
    mine = Preparation.objects.filter(establishment=house, id=preparation)
    over = mine.filter(state__in=(State.STOPPED, State.FAILED))
    if not over.exists() and not dropped(house, preparation):
        raise NotToBeDone("It is on its way, or whole: there is nothing to make anew.")
    mine.exclude(state=State.RUNNING).update(
        state=State.RUNNING, step=0, written=0, attempt=F("attempt") + 1, worked_at=now,
        finished_at=None, reason="",
    )  # fmt: skip
    return mine.get()


def dropped(house: Establishment, preparation: UUID) -> bool:
    files = PreparedFile.objects.filter(establishment=house, preparation=preparation)
    return files.filter(dropped_at__isnull=False).exists()


def resting(now: datetime) -> QuerySet[Preparation]:
    """Those that nobody brings on."""
    return Preparation.objects.filter(rests(now, RESTING), state=State.RUNNING)


def advance(establishment: UUID, preparation: UUID, *, seconds: float) -> bool:
    """
    Bring one on for some time; whether there is more to do.

    :raises OperationalError: and what else passes by itself; what was made stays.
    """
    rows = Preparation.objects.filter(
        establishment=establishment, id=preparation, state=State.RUNNING
    ).select_related("establishment", "asked_by")
    return bring_on(rows.first, _came_on, _fail, seconds=seconds)


def _came_on(run: Preparation) -> bool:
    """One file more; False: it was the last, or somebody else was quicker, or it was stopped."""
    form, begun = STEPS[run.step], timezone.now()
    try:
        with speaking(run.establishment):
            file = _file(run, form, begun)
    except _Left:
        return False
    return _kept(run, file)


def _file(run: Preparation, form: Format, begun: datetime) -> PreparedFile:
    """:raises _Left: if somebody has stopped it."""
    made = replace(_document(run), heard=_Heard(run))
    row = PreparedFile(
        establishment=run.establishment, preparation=run.id, format=form.name, made_at=begun,
        name=writers.filename(made, form),
    )  # fmt: skip
    try:
        with writers.written(made, form) as file:
            row.content = _bounded(file.read(FILE_MAX + 1))
    except document.TooLong as refused:
        row.refused = str(refused)[:300]
        return row
    row.size, row.sha256 = len(row.content), sha256(row.content).hexdigest()
    return row


def _document(run: Preparation) -> Document:
    query = Query(
        house=run.establishment, since=run.since, until=run.until, through=run.through,
        chosen=run.chosen,
    )  # fmt: skip
    return document.made(
        catalogue.report(run.report), query,
        asked_by=str(run.asked_by) if run.asked_by else "", generated_at=run.asked_at,
    )  # fmt: skip


def _bounded(content: bytes) -> bytes:
    if len(content) > FILE_MAX:
        raise document.TooLong(f"More than {FILE_MAX >> 20} MiB: ask for fewer days.")
    return content


class _Heard:
    """Notes how far a file has come, now and then; stops where the work is not wanted any more."""

    def __init__(self, run: Preparation) -> None:
        self._mine = mine(run)
        self._next = time.monotonic() + TOLD_EACH

    def __call__(self, lines: int) -> None:
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + TOLD_EACH
        if not self._mine.update(written=lines, worked_at=timezone.now()):
            raise _Left


def mine(run: Preparation) -> QuerySet[Preparation]:
    """The row, as long as it stands where this worker found it."""
    return Preparation.objects.filter(
        establishment=run.establishment_id, id=run.id, state=State.RUNNING,
        step=run.step, attempt=run.attempt,
    )  # fmt: skip


def _kept(run: Preparation, file: PreparedFile) -> bool:
    """The file and the step in one, unless somebody took that step before."""
    last = run.step + 1 == len(STEPS)
    now = timezone.now()
    with transaction.atomic():
        changes = {"state": State.DONE, "finished_at": now} if last else {}
        if not mine(run).update(step=run.step + 1, written=0, worked_at=now, **changes):
            return False
        PreparedFile.objects.update_or_create(
            establishment=file.establishment, preparation=file.preparation, format=file.format,
            defaults={
                "name": file.name, "sha256": file.sha256, "size": file.size,
                "content": file.content, "made_at": file.made_at, "refused": file.refused,
                "dropped_at": None,
            },
        )  # fmt: skip
    if last:
        log.info(
            "report_prepared", establishment=str(run.establishment_id), report=run.report,
            since=str(run.since), until=str(run.until), position=run.through,
        )  # fmt: skip
    return not last


def _fail(run: Preparation, reason: str) -> None:
    mine(run).update(state=State.FAILED, finished_at=timezone.now(), reason=reason[:200])
    log.error(
        "report_not_prepared", establishment=str(run.establishment_id), report=run.report,
        preparation=str(run.id), reason=reason,
    )  # fmt: skip


@contextmanager
def speaking(house: Establishment) -> Iterator[None]:
    """Words, times and figures as the house has them, whoever will read it."""
    before = locales.current()
    language = house.language or settings.LANGUAGE_CODE
    with translation.override(language), timezone.override(ZoneInfo(house.time_zone)):
        locales.use(house.locale)
        try:
            yield
        finally:
            locales.use(before)


def newest(house: Establishment, *, most: int) -> list[Preparation]:
    rows = Preparation.objects.filter(establishment=house).select_related("asked_by")
    return list(rows.order_by("-asked_at", "id")[:most])


def of_day(house: Establishment, day: date) -> dict[str, Preparation]:
    """What was prepared when a day was closed, by report."""
    rows = Preparation.objects.filter(establishment=house, occasion=Occasion.DAY, day=day)
    return {row.report: row for row in rows}


def files(house: Establishment, preparations: list[UUID]) -> dict[UUID, list[PreparedFile]]:
    """What was made of each, without the bytes."""
    rows = PreparedFile.objects.filter(establishment=house, preparation__in=preparations)
    found: dict[UUID, list[PreparedFile]] = {}
    for row in rows.defer("content"):
        found.setdefault(row.preparation, []).append(row)
    order = list(FORMATS)
    return {
        key: sorted(rows, key=lambda each: order.index(each.format)) for key, rows in found.items()
    }


def kept(house: Establishment, preparation: UUID, form: str) -> PreparedFile | None:
    """A file with its bytes; None: there is none in that form, or its bytes went."""
    rows = PreparedFile.objects.filter(establishment=house, preparation=preparation, format=form)
    return rows.exclude(sha256="").filter(dropped_at=None).first()
