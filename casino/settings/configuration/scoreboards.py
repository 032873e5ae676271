"""
A house's scoreboards as its managers keep them: a season ended, and what prizes would have cost.

    end_season(act, ruleset=game, last_day=date(2026, 12, 31))
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import timedelta
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from django.db import transaction

from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.house.establishments import gaming_day
from casino.house.home_throws import house_rules
from casino.play.core.scoreboards import points_by_round
from casino.play.settlement import scoreboard, seasons
from casino.play.settlement.models import Scoreboard, Season
from casino.words.languages import locales
from games.refusals import Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date, datetime

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment
    from casino.play.settlement.scoreboard import Place

WEEKS: Final = timedelta(weeks=4)
END_SEASON: Final = "end_season"


class NoSeason(Refused):
    code = "no_season"


class SeasonEnded(Refused):
    code = "season_ended"


class DayPassed(Refused):
    code = "day_passed"


def end_season(act: acts.Act, *, ruleset: str, last_day: date) -> journal.Receipt:
    """
    Set the last gaming day of the running season of a board (SB2). It is closed, and its places are
    decided, when that day is closed.

    :raises NotYours: if the person's role does not let them change the house's things.
    :raises NoSeason: if no season of the board runs.
    :raises SeasonEnded: if its last day has passed already; it waits to be closed.
    :raises DayPassed: if the day lies before the current gaming day.
    """
    if act.by is not None:
        permissions.require(act.by, "configure", act.house)

    def decide() -> acts.Done:
        today = gaming_day.enter(act.house, act.now)
        running = _running(act.house, ruleset).select_for_update(of=("self",), no_key=True).first()
        if running is None:
            raise NoSeason("No season of this scoreboard runs: it begins with the first point. SB2")
        if running.last_day is not None and running.last_day < today.day:
            raise SeasonEnded("The season has ended: it is closed after its last gaming day. SB2")
        if last_day < today.day:
            said = locales.figures_of_day(last_day)
            raise DayPassed(f"{said} has passed: a season ends with this gaming day or later. SB2")
        stream = seasons.stream(ruleset)
        event = journal.NewEvent(
            stream=stream,
            event_type=seasons.ENDED,
            schema_version=1,
            data={"season": running.number, "last_day": last_day.isoformat()},
        )
        guards = journal.versions(establishment=act.house.pk, streams=[stream])
        return acts.Done(guards={**guards, **today.guards}, events=[event])

    request = {"do": END_SEASON, "game": ruleset, "last_day": last_day.isoformat()}
    refusal: Refused | None = None
    with transaction.atomic():  # the row and its event together; a refusal is recorded, too
        try:
            receipt = acts.perform(replace(act, request=request), decide)
        except Refused as refused:
            refusal = refused
        else:
            if not receipt.repeated:
                _running(act.house, ruleset).update(last_day=last_day)
    if refusal is not None:
        raise refusal
    return receipt


def _running(house: Establishment, ruleset: str) -> QuerySet[Season]:
    return Season.objects.filter(establishment=house, ruleset=ruleset, state=Season.State.OPEN)


@dataclass(frozen=True, slots=True)
class Cost:
    """
    What prizes would have come to in four whole weeks, from Monday to Sunday.

    :param seasons: how many; longer ones than a week count as one that lasted these four weeks.
    :param prizes: how many would have been issued, money or not.
    :param coins: the money among them.
    """

    since: date
    until: date
    seasons: int
    prizes: int
    coins: int


def cost(
    kept: Scoreboard, thresholds: Mapping[int, int], places: Sequence[Place], now: datetime
) -> Cost:
    """
    What prizes of a board would have cost in the last four weeks, by the points of these weeks.

    :param thresholds: points to reach, with what each is worth in coins.
    """
    house = kept.establishment
    today = gaming_day.current(house, now)
    monday = today - timedelta(days=today.weekday())
    since, until = monday - WEEKS, monday - gaming_day.A_DAY
    rules = house_rules.in_force(establishment=house, game=kept.ruleset, at=now)
    unit = house_rules.worth_of_point(house, rules.options if rules else {})
    boards = _points(kept, since, until)
    prizes = coins = 0
    for points in boards:
        for won in points.values():
            reached = [amount for at, amount in thresholds.items() if won >= at]
            prizes, coins = prizes + len(reached), coins + sum(reached)
        for award in scoreboard.awards(points, places, tie=kept.place_tie, unit=unit, lot=""):
            prizes, coins = prizes + 1, coins + award.amount
    return Cost(since, until, _many(kept.season), prizes, coins)


def _many(length: str) -> int:
    return {Scoreboard.Length.DAY: WEEKS.days, Scoreboard.Length.WEEK: 4}.get(length, 1)  # type: ignore[call-overload,no-any-return]


def _points(kept: Scoreboard, since: date, until: date) -> Iterable[dict[str, Fraction]]:
    """The points of each player in each season of the weeks, of rounds that were not voided."""
    shorter = kept.season in {Scoreboard.Length.DAY, Scoreboard.Length.WEEK}
    found: dict[date, dict[str, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for day, points in points_by_round(kept.establishment, kept.ruleset, since, until):
        first = seasons.span(kept.season, day)[0] if shorter else since
        for player, won in points.items():
            found[first][player] += Fraction(won)
    return found.values()
