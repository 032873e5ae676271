"""
Regrades that are kept: begun, brought on slice by slice, finished.

Where a run has come to stands in its row and moves with what was found, so that a worker may be
killed at any moment, and two that work on the same slice count it once.
"""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import structlog
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from casino.attendants import permissions
from casino.establishments.gaming_day import gaming_day
from casino.platform.resumable_jobs import bring_on, rests
from casino.regrade import reading, scoreboard, slices
from casino.regrade.findings import Findings
from casino.regrade.models import Regrade, RegradeDifference
from casino.regrade.reading import Period
from casino.regrade.slices import Asked
from casino.settlement import payout_holds
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.attendants.models import Attendant
    from casino.establishments.models import Establishment
    from casino.regrade.findings import Difference

KEPT: Final = 1000  # differences of a run; all are counted
WAITING_KEPT: Final = 100
RESTING: Final = timedelta(minutes=2)  # without progress: whoever worked on it is gone
WHOLE_MAX: Final = 250_000  # positions: seconds. Of a longer ledger what is new since the last
State = Regrade.State

log = structlog.get_logger(__name__)


class AlreadyRunning(Exception):  # noqa: N818 - names the fact
    """A house is regraded once at a time."""


def ask(
    *, by: Attendant, house: Establishment, period: Period, current: bool, now: datetime
) -> Regrade:
    """
    Begin a regrade that somebody wants; tasks bring it on.

    :raises NotYours: if the person may not audit the house.
    :raises AlreadyRunning: if another one is on its way.
    """
    permissions.require(by, "audit", house)
    return begin(house=house, period=period, current=current, by=by, now=now)


def begin(  # noqa: PLR0913 - who wants what, when
    *,
    house: Establishment,
    period: Period,
    now: datetime,
    current: bool = False,
    by: Attendant | None = None,
    night: date | None = None,
) -> Regrade:
    stretch = reading.stretch(house.pk, period)
    try:
        with transaction.atomic():
            return Regrade.objects.create(
                establishment=house, asked_by=by, asked_at=now, night=night,
                since=period.since, until=period.until, current=current,
                start=stretch.start, stop=stretch.stop, reached=stretch.start, worked_at=now,
            )  # fmt: skip
    except IntegrityError:
        raise AlreadyRunning(f"{house} is being regraded: wait until that is done.") from None


def nightly(house: Establishment, now: datetime) -> Regrade | None:
    """
    The regrade that is due once a gaming day is over, begun; None: it is not, or one is running.

    A short ledger is regraded whole. Of a longer one what was played since the last night's, that
    day once more included, and every day from which on a game waited then.
    """
    day = gaming_day(house, now) - timedelta(days=1)
    # None of a later night, which was begun by a clock that ran ahead.
    last = Regrade.objects.filter(establishment=house, night__lte=day).order_by("-night").first()
    head = journal.head(establishment=house.pk)
    if head < 0 or (last is not None and last.night == day):
        return None
    since = _since(last) if last is not None and head >= WHOLE_MAX else None
    try:
        return begin(house=house, period=Period(since), night=day, now=now)
    except AlreadyRunning:
        return None  # the next look comes soon


def _since(last: Regrade) -> date | None:
    if last.state in {State.FAILED, State.RUNNING}:
        return last.since
    return min(filter(None, (last.night, last.waiting_since)))


def resting(now: datetime) -> QuerySet[Regrade]:
    """Runs that nobody brings on."""
    return Regrade.objects.filter(rests(now, RESTING), state=State.RUNNING)


def advance(establishment: UUID, run_id: UUID, *, seconds: float) -> bool:
    """
    Bring a run on for some time; whether there is more to do.

    :raises OperationalError: and what else passes by itself; what was recorded stays.
    """
    rows = Regrade.objects.filter(establishment=establishment, id=run_id, state=State.RUNNING)
    return bring_on(rows.first, _came_on, _fail, seconds=seconds)


def _came_on(run: Regrade) -> bool:
    """One slice more, or the end; False: it is the end, or somebody else was quicker."""
    asked = Asked(
        run.establishment_id, Period(run.since, run.until), range(run.start, run.stop), run.current
    )
    if run.reached < run.stop:
        span = range(run.reached, min(run.reached + reading.SLICE, run.stop))
        return _noted(run, span.stop, slices.grade(asked, span))
    end = Findings()
    if asked.period.whole and not run.current:
        booked = Findings()
        for ruleset, player, points in run.points:
            booked.scored(ruleset, player, Fraction(points))
        end.differences += scoreboard.compared(asked.establishment, booked, run.stop)
    _finish(run, end)
    return False


def _noted(run: Regrade, reached: int, found: Findings) -> bool:
    if found.differences:
        _stop_payouts(run, reached)
    whole = Findings()
    for ruleset, player, points in run.points:
        whole.scored(ruleset, player, Fraction(points))
    whole.counted(found)
    days = [each["day"] for each in found.waiting]
    if run.waiting_since:
        days.append(run.waiting_since.isoformat())
    return _moved(
        run,
        found.differences,
        reached=reached,
        **{name: getattr(run, name) + more for name, more in found.figures().items()},
        waiting=run.waiting + len(found.waiting),
        waiting_since=min(days, default=None),
        waiting_games=[*run.waiting_games, *found.waiting][:WAITING_KEPT],
        points=[[*key, str(points)] for key, points in whole.points.items()],
    )


def _stop_payouts(run: Regrade, reached: int) -> None:
    """
    E2: nobody is paid until somebody has looked. At once, and before the finding is noted: who is
    killed between the two, or fails in a later slice, has stopped them all the same.
    """
    if not run.current:
        house, about = run.establishment, str(run.id)
        payout_holds.failed(house, why="regrade", about=about, now=timezone.now(), part=reached)


def _finish(run: Regrade, end: Findings) -> None:
    differs = run.differences + len(end.differences) > 0
    if end.differences:
        _stop_payouts(run, run.stop + 1)
    ended = {"state": State.DIFFERS if differs else State.AGREES, "finished_at": timezone.now()}
    if not _moved(run, end.differences, **ended):
        return
    figures = {name: getattr(run, name) for name in ("games", "events", "payouts", "differences")}
    loud = log.error if differs and not run.current else log.info
    loud(
        "regrade", establishment=str(run.establishment_id), regrade=str(run.id),
        differs=differs, **figures,
    )  # fmt: skip


def _fail(run: Regrade, reason: str) -> None:
    _moved(run, (), state=State.FAILED, finished_at=timezone.now(), reason=reason)
    log.error(
        "regrade_failed", establishment=str(run.establishment_id), regrade=str(run.id),
        position=run.reached, reason=reason,
    )  # fmt: skip


def _moved(run: Regrade, differences: Sequence[Difference], **changes: Any) -> bool:
    """The run's row and what was found, in one step, unless somebody took that step before."""
    mine = Regrade.objects.filter(
        establishment=run.establishment_id, id=run.id, reached=run.reached, state=State.RUNNING
    )
    with transaction.atomic():
        changes |= {
            "worked_at": timezone.now(), "differences": run.differences + len(differences)
        }  # fmt: skip
        if not mine.update(**changes):
            return False
        RegradeDifference.objects.bulk_create(
            RegradeDifference(
                establishment_id=run.establishment_id, regrade=run.id, seq=seq, game=each.game_id,
                told=each.told(),
            )
            for seq, each in enumerate(differences[: KEPT], run.differences)
            if seq < KEPT
        )  # fmt: skip
    return True


def alarming() -> QuerySet[Regrade]:
    """
    Runs by the pinned rules that found differences, or were not done, and that no later run over
    at least the same days has cleared.
    """
    finished = Regrade.objects.filter(current=False)
    later = finished.filter(
        establishment=OuterRef("establishment"),
        state=State.AGREES,
        asked_at__gt=OuterRef("asked_at"),
    )
    return finished.filter(state__in=(State.DIFFERS, State.FAILED)).exclude(
        Exists(later.filter(start__lte=OuterRef("start"), stop__gte=OuterRef("stop")))
    )
