"""
Verifications that are kept: begun, brought on stretch by stretch, finished.

Where a run has come to stands in its row and moves with what was found, so that a worker may be
killed at any moment, and two that work on the same stretch count it once.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

import structlog
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from casino.attendants import permissions
from casino.establishments.gaming_day import gaming_day
from casino.integrity import rollback_detection, verifying
from casino.integrity.models import Verification, VerificationFinding
from casino.platform.resumable_jobs import bring_on, rests
from ledger import journal
from ledger.checking.book import bounds, start_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.attendants.models import Attendant
    from casino.establishments.models import Establishment
    from ledger.checking.book import Book
    from ledger.checking.findings import Finding, Place

KEPT: Final = 1000  # findings of a run; all are counted
STRIDE: Final = 0.5  # seconds of one stretch: what is done again if its worker dies
RESTING: Final = timedelta(minutes=2)  # without progress: whoever worked on it is gone
RECENT: Final = 20_000  # positions at most that are looked at when the house starts
WHOLE_MAX: Final = 2_000_000  # positions: a minute or two. Of a longer book, whole once a week
REBUILT_MAX: Final = 20_000  # positions whose projections are made anew within a task's time
MONDAY: Final = 0
State, Occasion = Verification.State, Verification.Occasion

log = structlog.get_logger(__name__)


class AlreadyRunning(Exception):  # noqa: N818 - names the fact
    """A house is verified once at a time."""


def ask(*, by: Attendant, house: Establishment, since: int, now: datetime) -> Verification:
    """
    Begin a verification that somebody wants; tasks bring it on.

    :param since: the first position that matters; 0: everything.
    :raises NotYours: if the person may not audit the house.
    :raises AlreadyRunning: if another one is on its way.
    """
    permissions.require(by, "audit", house)
    return begin(house=house, occasion=Occasion.ASKED, since=since, by=by, now=now)


def begin(  # noqa: PLR0913 - who wants what, when
    *,
    house: Establishment,
    occasion: Verification.Occasion,
    now: datetime,
    since: int = 0,
    by: Attendant | None = None,
    night: date | None = None,
) -> Verification:
    """:raises AlreadyRunning: if another one is on its way."""
    stop, receipts = bounds(house.pk, settings.LEDGER_READER)
    start = start_of(house.pk, settings.LEDGER_READER, since) if since else 0
    first, *_ = verifying.stages(projections=False)
    try:
        with transaction.atomic():
            return Verification.objects.create(
                establishment=house, occasion=occasion, asked_by=by, asked_at=now, night=night,
                since=start, stop=stop, reached=start, worked_at=now, stage=first,
                place={"step": 0, "receipts": receipts, "at": {}, "not_compared": []},
            )  # fmt: skip
    except IntegrityError:
        raise AlreadyRunning(f"{house} is being verified: wait until that is done.") from None


def nightly(house: Establishment, now: datetime) -> Verification | None:
    """
    The verification that is due once a gaming day is over, begun; None: it is not, or one runs.

    The whole book; of a very long one what is new since the last sound one, and the whole on the
    night after a Monday.
    """
    day = gaming_day(house, now) - timedelta(days=1)
    # Of that night alone: one of a later night was begun by a clock that ran ahead.
    begun = Verification.objects.filter(establishment=house, night=day)
    head = journal.head(establishment=house.pk)
    if head < 0 or begun.exists():
        return None
    whole = head < WHOLE_MAX or day.weekday() == MONDAY
    since = 0 if whole else _sound_until(house)
    try:
        return begin(house=house, occasion=Occasion.NIGHT, since=since, night=day, now=now)
    except AlreadyRunning:
        return None  # the next look comes soon


def at_start(house: Establishment, started: datetime, now: datetime) -> Verification | None:
    """
    The verification that is due since a worker started; None: it was begun, or one runs.

    What is new since the last sound one, the newest `RECENT` positions at most.
    """
    since_then = Verification.objects.filter(establishment=house, asked_at__gte=started)
    head = journal.head(establishment=house.pk)
    if head < 0 or since_then.exists():
        return None
    since = max(_sound_until(house), head + 1 - RECENT)
    try:
        return begin(house=house, occasion=Occasion.START, since=since, now=now)
    except AlreadyRunning:
        return None


def whole(house: Establishment, occasion: Verification.Occasion) -> Verification:
    """
    A verification of the whole book, from its beginning to its end within this call; one that is on
    its way is ended first.

    :raises OperationalError: and what else passes by itself; what was recorded stays.
    """
    while True:
        try:
            return _ended_here(begin(house=house, occasion=occasion, now=timezone.now()))
        except AlreadyRunning:
            on_its_way = Verification.objects.filter(establishment=house, state=State.RUNNING)
            for run in on_its_way:
                _ended_here(run)


def _ended_here(run: Verification) -> Verification:
    """Whoever else works on it: what one has done the other goes on from."""
    rows = Verification.objects.filter(establishment=run.establishment_id, id=run.id)
    while (run := rows.get()).state == State.RUNNING:
        advance(run.establishment_id, run.id, seconds=STRIDE)
    return run


def last(house: Establishment) -> Verification | None:
    """The newest verification of a house, whatever became of it."""
    return Verification.objects.filter(establishment=house).order_by("-asked_at").first()


def _sound_until(house: Establishment) -> int:
    """How far the last verification came that found nothing."""
    sound = Verification.objects.filter(establishment=house, state=State.SOUND)
    return sound.order_by("-asked_at").values_list("stop", flat=True).first() or 0


def resting(now: datetime) -> QuerySet[Verification]:
    """Runs that nobody brings on."""
    return Verification.objects.filter(rests(now, RESTING), state=State.RUNNING)


def undone() -> QuerySet[Verification]:
    """Runs that could not be finished, and that no later one has made up for."""
    ended = (State.SOUND, State.BROKEN, State.BEHIND)
    later = Verification.objects.filter(
        establishment=OuterRef("establishment"), state__in=ended, asked_at__gt=OuterRef("asked_at")
    )
    return Verification.objects.filter(state=State.FAILED).exclude(Exists(later))


def advance(establishment: UUID, run_id: UUID, *, seconds: float) -> bool:
    """
    Bring a run on for some time; whether there is more to do.

    :raises OperationalError: and what else passes by itself; what was recorded stays.
    """
    rows = Verification.objects.filter(establishment=establishment, id=run_id, state=State.RUNNING)
    return bring_on(rows.first, _came_on, _fail, seconds=seconds)


@dataclass(frozen=True, slots=True)
class Stretch:
    """What some steps of one stage came to. :param ended: whether they were its last."""

    findings: list[Finding]
    place: Place
    ended: bool


def _came_on(run: Verification) -> bool:
    """One stretch more; False: it was the last, or somebody else was quicker."""
    book = verifying.book(
        run.establishment_id, run.since, run.stop, run.place["receipts"], now=timezone.now()
    )
    stretch = _stretch(book, run.stage, run.place["at"])
    if stretch.findings:
        _stop_payouts(run, stretch.findings, book)
    return _noted(run, stretch)


def _stretch(book: Book, stage: str, place: Place) -> Stretch:
    until, findings = time.monotonic() + STRIDE, []
    for step in verifying.steps(book, stage, place):
        findings += step.findings
        place = step.place
        if time.monotonic() >= until:
            return Stretch(findings, place, ended=False)
    return Stretch(findings, place, ended=True)


def _stop_payouts(run: Verification, findings: Sequence[Finding], book: Book) -> None:
    """
    E2: nobody is paid until somebody has looked. At once, and before the finding is noted: who is
    killed between the two, or fails in a later stretch, has stopped them all the same.
    """
    rollback_detection.stop(
        run.establishment, findings, book.kept,
        now=timezone.now(), about=str(run.id), part=run.place["step"],
    )  # fmt: skip


def _noted(run: Verification, stretch: Stretch) -> bool:
    changes: dict[str, Any] = {"stage": run.stage, "at": stretch.place}
    if stretch.ended:
        changes = {"stage": _following(run), "at": {}}
    reached = run.reached
    if run.stage == "events":
        reached = run.stop if stretch.ended else stretch.place["at"]
    missing = verifying.not_compared(run.establishment_id, run.stage)
    place = {**run.place, "not_compared": sorted({*run.place.get("not_compared", ()), *missing})}
    if changes["stage"] is None:
        return _finish(run, stretch.findings, place)
    place = {**place, "step": run.place["step"] + 1, "at": changes["at"]}
    return _moved(run, stretch.findings, stage=changes["stage"], reached=reached, place=place)


def _following(run: Verification) -> str | None:
    """The stage behind the run's; None: it was the last."""
    whole = run.since == 0 and run.stop <= REBUILT_MAX and verifying.can_make_anew()
    stages = verifying.stages(projections=whole)
    behind = stages[stages.index(run.stage) + 1 :]
    return behind[0] if behind else None


def _finish(run: Verification, findings: Sequence[Finding], place: dict[str, Any]) -> bool:
    state = _ended(run, findings)
    ended = timezone.now()
    if _moved(run, findings, state=state, reached=run.stop, place=place, finished_at=ended):
        loud = log.info if state is State.SOUND else log.error
        loud(
            "verification", establishment=str(run.establishment_id), verification=str(run.id),
            state=state.value, since=run.since, stop=run.stop,
            findings=run.findings + len(findings),
        )  # fmt: skip
    return False


def _ended(run: Verification, findings: Sequence[Finding]) -> Verification.State:
    """What a run came to: behind, where all that it found is that others have more of the book."""
    if not run.findings and not findings:
        return State.SOUND
    kept = VerificationFinding.objects.filter(
        establishment=run.establishment_id, verification=run.id, told__behind=True
    )
    only = kept.count() == run.findings and all(each.behind for each in findings)
    return State.BEHIND if only else State.BROKEN


def _fail(run: Verification, reason: str) -> None:
    """Not done; but what was found before that was found."""
    state = State.BROKEN if run.findings else State.FAILED
    _moved(run, (), state=state, finished_at=timezone.now(), reason=reason)
    log.error(
        "verification_failed", establishment=str(run.establishment_id), verification=str(run.id),
        stage=run.stage, reason=reason,
    )  # fmt: skip


def _moved(run: Verification, findings: Sequence[Finding], **changes: Any) -> bool:
    """The run's row and what was found, in one step, unless somebody took that step before."""
    mine = Verification.objects.filter(
        establishment=run.establishment_id, id=run.id, state=State.RUNNING,
        place__step=run.place["step"],
    )  # fmt: skip
    with transaction.atomic():
        changes |= {"worked_at": timezone.now(), "findings": run.findings + len(findings)}
        if not mine.update(**changes):
            return False
        VerificationFinding.objects.bulk_create(
            VerificationFinding(
                establishment_id=run.establishment_id, verification=run.id, seq=seq,
                told=each.told(),
            )
            for seq, each in enumerate(findings[:KEPT], run.findings)
            if seq < KEPT
        )  # fmt: skip
    return True
