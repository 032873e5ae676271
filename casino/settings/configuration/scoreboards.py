"""
A house's scoreboards as managers keep them: seasons ended and put right, and prizes' cost.

    end_season(act, ruleset=game, last_day=date(2026, 12, 31))
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import timedelta
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext_lazy, ngettext

from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments import gaming_day
from casino.house.home_throws import house_rules
from casino.kit.approvals import kinds
from casino.kit.approvals import operations as approvals
from casino.play.core.scoreboards import points_by_round
from casino.play.settlement import scoreboard, seasons
from casino.play.settlement.models import Scoreboard, Season
from casino.words.languages import locales
from casino.words.presenters import TITLES
from games.refusals import Refused
from games.reporting import exactly
from ledger import journal
from ledger.models import Event
from ledger.wire import read_events

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date, datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment
    from casino.kit.approvals.requests import Request
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


#
# Points of a closed season, put right by two people (SB2, C1).
#
# The final table stays as it was closed: an adjustment is an event beside it, in ``season/<game>``,
# that says by how many points and why. It moves no money and changes no prize: what a prize would
# have been is an adjustment of money (`casino.money.payouts.adjustments`).


ADJUSTMENT: Final = "season_points"
ADJUSTED: Final = "season.adjusted"


class NotClosed(Refused):
    code = "season_not_closed"


class NotInSeason(Refused):
    code = "not_in_season"


class AdjustedPoints(Refused):
    code = "adjusted_points"


@dataclass(frozen=True, slots=True)
class Adjusted:
    """An adjustment that was made. `reason` is a token; `position` is its event's."""

    ruleset: str
    season: int
    player: str
    points: Fraction
    reason: str
    position: int
    day: date


def ask_adjustment(  # noqa: PLR0913 - whose points, of which season, and why
    act: acts.Act, *, ruleset: str, season: int, player: str, points: str, reason: str
) -> journal.Receipt:
    """
    Ask that points of a player in a closed season are adjusted; a second person approves it.

    :param player: a token, or a name. :param points: to add, such as 2 or 1/2; -2: to take away.
    :raises NotYours: if the person's role does not let them change the house's things.
    :raises Refused: `NotClosed`, `NotInSeason`, `AdjustedPoints`; `ReasonMissing`.
    """
    if act.by is None:
        raise permissions.NotYours("Somebody asks by name, or nobody does. C1")
    permissions.require(act.by, "configure", act.house)
    token = tokens.player_tokens(act.house.pk, [player], new=False).get(player, player)
    more = Fraction(points)
    subject = {
        "game": ruleset, "season": season, "player": token, "points": scoreboard.as_json(more)
    }  # fmt: skip
    _check_adjustment(act.house, subject)
    winners = [token] if more > 0 else ()
    return approvals.ask(act, kind=ADJUSTMENT, subject=subject, reason=reason, players=winners)


def adjustments_of(establishment: UUID, ruleset: str) -> list[Adjusted]:
    """The adjustments of the closed seasons of a board, the oldest first."""
    rows = Event.objects.filter(
        establishment=establishment, stream=seasons.stream(ruleset), event_type=ADJUSTED
    ).order_by("stream_version")
    events = read_events(establishment, rows.values_list("position", "body", "leaf_hash"))
    return [
        Adjusted(
            ruleset, event.data["season"], event.data["player"], Fraction(event.data["points"]),
            event.data["reason"], event.position, event.provenance.gaming_day,
        )
        for event in events
    ]  # fmt: skip


def _check_adjustment(house: Establishment, subject: Mapping[str, Any]) -> None:
    """
    :raises NotClosed: if the season is not closed: a void still changes its points.
    :raises NotInSeason: if the player has not played in it.
    :raises AdjustedPoints: if nothing would change, or they would have less than nothing.
    """
    ruleset, season, player = subject["game"], subject["season"], subject["player"]
    rows = Season.objects.filter(establishment=house, ruleset=ruleset, number=season)
    if not rows.filter(state=Season.State.CLOSED).exists():
        raise NotClosed("Only points of a closed season are adjusted: others change by voids. SB2")
    tally = seasons.of_season(house.pk, ruleset, season).filter(player=player).first()
    if tally is None:
        raise NotInSeason("Nobody of this name has played in this season. SB2")
    more = Fraction(subject["points"])
    others = adjustments_of(house.pk, ruleset)
    mine = (each.points for each in others if (each.season, each.player) == (season, player))
    if not more or tally.exact + sum(mine) + more < 0:
        raise AdjustedPoints("An adjustment changes something, and leaves no points below 0. SB2")


def carry_out_adjustment(request: Request, by: Attendant, now: datetime) -> acts.Done:
    """
    Carry out an approved adjustment: one event.

    :raises AdjustedPoints: if an adjustment since then has left too few points.
    """
    del by, now
    stream = seasons.stream(request.subject["game"])
    seen = journal.versions(establishment=request.house.pk, streams=[stream])
    _check_adjustment(request.house, request.subject)
    named = {name: request.subject[name] for name in ("season", "player", "points")}
    data = {**named, "reason": request.reason, "because": str(request.id)}
    event = journal.NewEvent(stream=stream, event_type=ADJUSTED, schema_version=1, data=data)
    return acts.Done(guards=seen, events=[event])


def describe_adjustment(request: Request) -> str:
    subject = request.subject
    points = Fraction(subject["points"])
    words = ngettext(
        "%(points)s point for %(player)s in season %(season)s of %(game)s.",
        "%(points)s points for %(player)s in season %(season)s of %(game)s.",
        1 if abs(points) == 1 else 2,
    )
    return words % {
        "points": with_sign(points),
        "player": subject["player"],
        "season": subject["season"],
        "game": TITLES.get(subject["game"], subject["game"]),
    }


def with_sign(points: Fraction) -> str:
    """Points with their sign, as people read them."""
    return f"{'+' if points > 0 else locales.MINUS}{exactly(abs(points))}"


def address_of_adjustment(request: Request) -> str:
    return reverse("settings-scoreboard", args=[request.subject["game"]])


REQUESTS: Final = {
    ADJUSTMENT: kinds.Kind(
        title=gettext_lazy("Points of a closed season"),
        act="approve",
        carry_out=carry_out_adjustment,
        tells=kinds.each(describe_adjustment),
        refusals=kinds.each_refusal(
            lambda request: _check_adjustment(request.house, request.subject)
        ),
        address=address_of_adjustment,
    ),
}
