"""Regrades as resumable jobs, graded slice by slice; at the end the scoreboard is compared, too."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import asdict, dataclass, fields
from datetime import date, timedelta
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy

from casino.engine.scale.replicas import place as replicas
from casino.house.acts.game_streams import catalogue
from casino.house.attendants import permissions
from casino.house.establishments.gaming_day import gaming_day
from casino.kit.web.jobs import running
from casino.kit.web.jobs.models import Occasion
from casino.kit.web.jobs.running import Kind, StepResult
from casino.play.settlement import payout_holds, scoreboard, seasons
from casino.play.settlement.models import PRIZE_ISSUED, PrizeIssued, Season, Tally
from casino.play.settlement.scoreboard import FIRST
from casino.proof.disputes.regrade import grading, reading, worker_pool
from casino.proof.disputes.regrade.bookings import worth
from casino.proof.disputes.regrade.findings import Difference, Findings
from casino.proof.disputes.regrade.grading import Scope
from casino.proof.disputes.regrade.models import Regrade, RegradeDifference
from casino.proof.disputes.regrade.reading import Period
from ledger import journal
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment
    from casino.kit.web.jobs.models import Job
    from ledger.wire import StoredEvent

WAITING_KEPT: Final = 100
WHOLE_MAX: Final = 250_000  # positions, which take seconds; a longer ledger is not regraded whole
State = Regrade.State


def ask(
    *, by: Attendant, house: Establishment, period: Period, current: bool, now: datetime
) -> Regrade:
    """
    Begin a regrade for a person. Tasks advance it.

    :raises NotYours: if the person may not audit the house.
    :raises AlreadyBegun: if another regrade is running.
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
    """
    Begin a regrade.

    :raises AlreadyBegun: if another regrade is running.
    """
    stretch = reading.stretch(house.pk, period)
    return running.begin(
        REGRADE, house=house, now=now, start=stretch.start, stop=stretch.stop, asked_by=by,
        occasion=Occasion.NIGHT if night else Occasion.ON_DEMAND, day=night,
        since=period.since, until=period.until, parameters={"current": current},
    )  # fmt: skip


def nightly(house: Establishment, now: datetime) -> Regrade | None:
    """
    Begin the regrade that is due after each gaming day; None: none is due, or one is running.

    A short ledger is regraded whole. A longer one is regraded from the day of the last nightly
    regrade, or from an earlier day from which a game waited then. If that regrade was not done,
    its period is regraded again.
    """
    day = gaming_day(house, now) - timedelta(days=1)
    # Without regrades of later nights: a clock that ran ahead may have begun one.
    last = Regrade.objects.filter(establishment=house, day__lte=day).order_by("-day").first()
    head = journal.head(establishment=house.pk)
    if head < 0 or (last is not None and last.day == day):
        return None
    since = _since(last) if last is not None and head >= WHOLE_MAX else None
    try:
        return begin(house=house, period=Period(since), night=day, now=now)
    except running.AlreadyBegun:
        return None  # it is tried again soon


def _since(last: Regrade) -> date | None:
    if last.state in {State.FAILED, State.RUNNING}:
        return last.since
    waits = date.fromisoformat(last.waiting_since) if last.waiting_since else None
    return min(filter(None, (last.day, waits)))


def step(run: Regrade) -> StepResult:
    """Grade the next slice, or finish the run."""
    scope = Scope(
        run.establishment_id, Period(run.since, run.until), range(run.start, run.stop), run.current
    )
    if run.reached < run.stop:
        span = range(run.reached, min(run.reached + reading.SLICE, run.stop))
        return _grade(run, span.stop, grading.grade(scope, span))
    end = Findings()
    if scope.period.whole and not run.current:
        end.differences += compare_scoreboard(scope.establishment, _points_so_far(run), run.stop)
    if end.differences:
        _stop_payouts(run, run.stop + 1)
    differs = run.found + len(end.differences) > 0
    return StepResult(found=rows(end), state=State.DIFFERS if differs else State.AGREES)


def _grade(run: Regrade, reached: int, found: Findings) -> StepResult:
    if found.differences:
        _stop_payouts(run, reached)
    whole = _points_so_far(run)
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


def _points_so_far(run: Regrade) -> Findings:
    """The points that were booked so far, as findings."""
    whole = Findings()
    for ruleset, *season, player, points in run.points:
        number = season[0] if season else FIRST  # a run that began before there were seasons
        whole.scored(ruleset, number, player, Fraction(points))
    return whole


def rows(found: Findings) -> list[RegradeDifference]:
    return [
        RegradeDifference(game=each.game_id, details=each.as_dict()) for each in found.differences
    ]


def _stop_payouts(run: Regrade, reached: int) -> None:
    """
    Stop the payouts of the house until people have looked into it (E2). This is done before the
    finding is stored, so payouts are stopped even if the worker is killed in between, or a later
    slice fails.
    """
    replicas.sure()
    if not run.current:
        house, about = run.establishment, str(run.id)
        with payout_holds.unless_unguarded(house):
            payout_holds.stop_payouts(
                house, why="regrade", about=about, now=timezone.now(), part=reached
            )


def alarming() -> QuerySet[Regrade]:
    """
    The regrades by each game's own rules that found differences or failed, and that no later
    regrade without differences has cleared. A later regrade has to cover the same positions.
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
    """The address of the report about a regrade, for the day under which it is listed."""
    day = job.day or gaming_day(job.establishment, job.asked_at)
    return f"{reverse('report', args=['regrade'])}?day={day}"


REGRADE: Final = Kind(
    model=Regrade,
    title=gettext_lazy("Regrade"),
    step=step,
    from_replica=True,
    url=_report,
    words={
        State.RUNNING: gettext_lazy("on its way"),
        State.AGREES: gettext_lazy("no difference"),
        State.DIFFERS: gettext_lazy("differences"),
        State.FAILED: gettext_lazy("not done"),
    },
    levels={**running.LEVELS, State.AGREES: "well", State.DIFFERS: running.ALARM},
    busy="{house} is being regraded: wait until that is done.",
    due=lambda house, now: [nightly(house, now)],
)


# Run a whole regrade at once, in this process or in several.


def regrade(scope: Scope, *, workers: int = 1) -> Iterator[tuple[range, Findings]]:
    """
    Grade all slices and yield the findings of each as it is done. If the whole ledger of a house
    is regraded, the scoreboard is compared last.

    :raises Interrupted: if one of several processes is killed or fails.
    """
    spans, whole = reading.spans(scope.stretch), Findings()
    alone = ((span, grading.grade(scope, span)) for span in spans)
    for span, found in alone if workers == 1 else worker_pool.grade_slices(scope, spans, workers):
        whole.counted(found)
        yield span, found
    if scope.period.whole and not scope.current:
        stop = scope.stretch.stop
        differences = list(compare_scoreboard(scope.establishment, whole, stop))
        yield range(stop, stop), Findings(differences=differences)


# Compare the scoreboard of a house with all points that were ever booked.


POINTLESS = b'"points":{}'


def compare_scoreboard(establishment: UUID, found: Findings, stop: int) -> Iterator[Difference]:
    """
    The differences between a player's points on the scoreboard and the booked points, and between
    closed seasons and what they had to come to. Games whose package is missing were not counted,
    and are not compared.

    :param found: the findings of a run over the whole ledger of the house before position `stop`.
        What was booked since is added here, as of the moment in which the scoreboard is read.
    """
    expected = Findings()
    expected.counted(found)
    with reading.snapshot():
        _add_later_points(establishment, stop, expected)
        kept = {
            (row.ruleset, row.season, row.player): row.exact
            for row in Tally.objects.filter(establishment=establishment)
        }
        closed = list(_final_tables(establishment))
    left_out = catalogue.missing_games(establishment).games
    for ruleset, season, player in sorted({*expected.points, *kept}):
        if ruleset in left_out:
            continue
        due = expected.points.get((ruleset, season, player), Fraction())
        held = kept.get((ruleset, season, player), Fraction())
        if due != held:
            yield Difference(
                kind="points", what="altered", ruleset=ruleset,
                expected={player: str(due)}, found={player: str(held)},
            )  # fmt: skip
    for final in closed:
        if final.ruleset not in left_out:
            yield from final.differences(expected.points)


@dataclass(frozen=True, slots=True)
class FinalRow:
    """
    The end of a season as it is recorded.

    :param issued: the events that issued the prizes of its places.
    :param kept: rule and player of the prizes of the season that are kept as issued.
    """

    ruleset: str
    closed: StoredEvent
    issued: Sequence[StoredEvent]
    kept: frozenset[tuple[str, str]]

    def differences(self, points: Mapping[tuple[str, int, str], Fraction]) -> Iterator[Difference]:
        """Compare the final table with the booked points, and the prizes with the table (SB4)."""
        data, number = self.closed.data, self.closed.data["season"]
        at: dict[str, Any] = {"ruleset": self.ruleset, "position": self.closed.position}
        booked = {
            player: won
            for (ruleset, season, player), won in points.items()
            if (ruleset, season) == (self.ruleset, number) and won > 0
        }
        rounds = {each["player"]: each["rounds"] for each in data["table"]}
        due = list(seasons.table(booked, defaultdict(int, rounds), data["lot"]))
        if due != data["table"]:
            yield Difference(
                kind="points", what="altered", expected=due, found=data["table"],
                said=f"The final table of season {number} is another.", **at,
            )  # fmt: skip
        awards = scoreboard.awards(
            booked, [scoreboard.Place(**each) for each in data["places"]],
            tie=data["tie"], unit=data["unit"], lot=data["lot"],
        )  # fmt: skip
        expected = [asdict(each) for each in awards]
        found = [{name: each.data[name] for name in FIELDS} for each in self.issued]
        moved = [[_as_tuple(transfer) for transfer in each.transfers] for each in self.issued]
        worth_ = [[one[:3] for one in worth(each.amount, each.player)] for each in awards]
        keeps = all((each.rule, each.player) in self.kept for each in awards)
        if (expected, worth_) != (found, moved) or not keeps:
            yield Difference(
                kind="prize", what="altered", expected=expected, found=found,
                said=f"The prizes of season {number} are others.", **at,
            )  # fmt: skip


FIELDS = tuple(each.name for each in fields(scoreboard.Award))


def _as_tuple(transfer: Mapping[str, Any]) -> tuple[str, str, int]:
    return transfer["debit"], transfer["credit"], transfer["amount"]


def _final_tables(establishment: UUID) -> Iterator[FinalRow]:
    """The closed seasons of a house, in the order of their boards."""
    kept: dict[tuple[str, int], set[tuple[str, str]]] = defaultdict(set)
    for row in PrizeIssued.objects.filter(establishment=establishment):
        kept[row.ruleset, row.season].add((str(row.rule), row.player))
    boards = Season.objects.filter(establishment=establishment)
    for ruleset in boards.order_by("ruleset").values_list("ruleset", flat=True).distinct():
        events = journal.stream(establishment=establishment, stream=seasons.stream(ruleset))
        for closed in events:
            if closed.event_type == seasons.CLOSED:
                number = closed.data["season"]
                issued = [
                    each
                    for each in events
                    if each.event_type == PRIZE_ISSUED and each.data["season"] == number
                ]
                yield FinalRow(ruleset, closed, issued, frozenset(kept[ruleset, number]))


def _add_later_points(establishment: UUID, stop: int, points: Findings) -> None:
    rows = Event.objects.filter(establishment=establishment)
    later = rows.filter(position__gte=stop, stream__startswith=f"{reading.BOOKS}/")
    for stream, stored in later.values_list("stream", "body").iterator():
        body = bytes(stored)
        if POINTLESS in body:
            continue
        opening = rows.filter(stream=f"{reading.GAME}/{stream.partition('/')[2]}", stream_version=1)
        family = opening.values_list("event_type", flat=True).get().partition(".")[0]
        for each in scoreboard.changes_of(json.loads(body)["data"]):
            points.scored(family.replace("_", "-"), each.season, each.player, each.points)
