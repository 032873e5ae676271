"""Regrades that are kept: begun by somebody or each night, graded slice by slice, finished."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy

from casino.attendants import permissions
from casino.establishments.gaming_day import gaming_day
from casino.jobs import kinds, running
from casino.jobs.kinds import Kind, StepResult
from casino.jobs.models import Occasion
from casino.regrade import reading, scoreboard, slices
from casino.regrade.findings import Findings
from casino.regrade.models import Regrade, RegradeDifference
from casino.regrade.reading import Period
from casino.regrade.slices import Scope
from casino.settlement import payout_holds
from ledger import journal

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from casino.attendants.models import Attendant
    from casino.establishments.models import Establishment
    from casino.jobs.models import Job

WAITING_KEPT: Final = 100
WHOLE_MAX: Final = 250_000  # positions: seconds. Of a longer ledger what is new since the last
State = Regrade.State


def ask(
    *, by: Attendant, house: Establishment, period: Period, current: bool, now: datetime
) -> Regrade:
    """
    Begin a regrade for a person; tasks advance it.

    :raises NotYours: if the person may not audit the house.
    :raises AlreadyBegun: if another one is on its way.
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
    """:raises AlreadyBegun: if another one is on its way."""
    stretch = reading.stretch(house.pk, period)
    return running.begin(
        REGRADE, house=house, now=now, start=stretch.start, stop=stretch.stop, asked_by=by,
        occasion=Occasion.NIGHT if night else Occasion.ON_DEMAND, day=night,
        since=period.since, until=period.until, parameters={"current": current},
    )  # fmt: skip


def nightly(house: Establishment, now: datetime) -> Regrade | None:
    """
    The regrade that is due once a gaming day is over, begun; None: it is not, or one is running.

    A short ledger is regraded whole. Of a longer one what was played since the last night's, that
    day once more included, and every day from which on a game waited then.
    """
    day = gaming_day(house, now) - timedelta(days=1)
    # None of a later night, which was begun by a clock that ran ahead.
    last = Regrade.objects.filter(establishment=house, day__lte=day).order_by("-day").first()
    head = journal.head(establishment=house.pk)
    if head < 0 or (last is not None and last.day == day):
        return None
    since = _since(last) if last is not None and head >= WHOLE_MAX else None
    try:
        return begin(house=house, period=Period(since), night=day, now=now)
    except running.AlreadyBegun:
        return None  # the next look comes soon


def _since(last: Regrade) -> date | None:
    if last.state in {State.FAILED, State.RUNNING}:
        return last.since
    waits = date.fromisoformat(last.waiting_since) if last.waiting_since else None
    return min(filter(None, (last.day, waits)))


def step(run: Regrade) -> StepResult:
    """One slice more, or the end."""
    scope = Scope(
        run.establishment_id, Period(run.since, run.until), range(run.start, run.stop), run.current
    )
    if run.reached < run.stop:
        span = range(run.reached, min(run.reached + reading.SLICE, run.stop))
        return _graded(run, span.stop, slices.grade(scope, span))
    end = Findings()
    if scope.period.whole and not run.current:
        end.differences += scoreboard.compared(scope.establishment, _booked(run), run.stop)
    if end.differences:
        _stop_payouts(run, run.stop + 1)
    differs = run.found + len(end.differences) > 0
    return StepResult(found=rows(end), state=State.DIFFERS if differs else State.AGREES)


def _graded(run: Regrade, reached: int, found: Findings) -> StepResult:
    if found.differences:
        _stop_payouts(run, reached)
    whole = _booked(run)
    whole.counted(found)
    days = [each["day"] for each in found.waiting]
    if run.waiting_since:
        days.append(run.waiting_since)
    figures = {name: getattr(run, name) + more for name, more in found.figures().items()}
    return StepResult(
        reached=reached,
        cursor={"points": [[*key, str(points)] for key, points in whole.points.items()]},
        figures={
            **figures,
            "waiting": run.waiting + len(found.waiting),
            "waiting_since": min(days, default=None),
            "waiting_games": [*run.waiting_games, *found.waiting][:WAITING_KEPT],
        },
        found=rows(found),
    )


def _booked(run: Regrade) -> Findings:
    """The points that were booked so far."""
    whole = Findings()
    for ruleset, player, points in run.points:
        whole.scored(ruleset, player, Fraction(points))
    return whole


def rows(found: Findings) -> list[RegradeDifference]:
    return [
        RegradeDifference(game=each.game_id, details=each.as_dict()) for each in found.differences
    ]


def _stop_payouts(run: Regrade, reached: int) -> None:
    """
    E2: nobody is paid until somebody has looked. At once, and before the finding is noted: who is
    killed between the two, or fails in a later slice, has stopped them all the same.
    """
    if not run.current:
        house, about = run.establishment, str(run.id)
        payout_holds.failed(house, why="regrade", about=about, now=timezone.now(), part=reached)


def alarming() -> QuerySet[Regrade]:
    """
    Runs by the pinned rules that found differences, or were not done, and that no later run over
    at least the same days has cleared.
    """
    finished = Regrade.objects.filter(parameters__current=False)
    later = finished.filter(
        establishment=OuterRef("establishment"),
        state=State.AGREES,
        asked_at__gt=OuterRef("asked_at"),
    )
    return finished.filter(state__in=(State.DIFFERS, State.FAILED)).exclude(
        Exists(later.filter(start__lte=OuterRef("start"), stop__gte=OuterRef("stop")))
    )


def _report(job: Job) -> str:
    """Its report, of the day on which it stands there."""
    day = job.day or gaming_day(job.establishment, job.asked_at)
    return f"{reverse('report', args=['regrade'])}?day={day}"


REGRADE: Final = Kind(
    model=Regrade,
    title=gettext_lazy("Regrade"),
    step=step,
    url=_report,
    words={
        State.RUNNING: gettext_lazy("on its way"),
        State.AGREES: gettext_lazy("no difference"),
        State.DIFFERS: gettext_lazy("differences"),
        State.FAILED: gettext_lazy("not done"),
    },
    levels={**kinds.LEVELS, State.AGREES: "well", State.DIFFERS: kinds.ALARM},
    busy="{house} is being regraded: wait until that is done.",
    due=lambda house, now: [nightly(house, now)],
)
