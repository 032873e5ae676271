"""
A scoreboard as people read it (SB6): place, player, points, rounds, the next prize, the trend.

`read` is the one query behind tables, wall boards, the guests' page, the office, files and the API.
It has tokens; staff read names (`tokens.names`), public screens `public_names`.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from casino.house.establishments import gaming_day
from casino.house.home_throws import house_rules
from casino.play.core.models import RoundRow
from casino.play.settlement import scoreboard, seasons
from casino.play.settlement.models import PrizeIssued, PrizeRule, Season
from casino.words.presenters import TITLES
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from datetime import date, datetime

    from casino.house.establishments.models import Establishment
    from casino.play.settlement.scoreboard import Award, Place

Points = dict[str, Fraction]
Trend = Literal["up", "down", "same", "new"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NextPrize:
    """
    The next threshold of a player (SB3).

    :param missing: points; 0: they win it with their next point, because it was set after they had
        come so far.
    """

    prize: str
    amount: int
    missing: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    """
    A player's line of a board.

    :param today: the points of this gaming day.
    :param rise: how many places these points have brought; None: the player had none before.
    :param wins: what the place wins: would win while the season runs, without odd units, which go
        by lot.
    """

    place: int
    player: str
    points: Fraction
    rounds: int
    today: Fraction
    rise: int | None
    next: NextPrize | None
    wins: tuple[Award, ...]

    @property
    def trend(self) -> Trend:
        if self.rise is None:
            return "new"
        return "up" if self.rise > 0 else "down" if self.rise < 0 else "same"


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """
    A season of a game's board, the best first.

    :param players: how many have a place, of whom `ranks` may be some.
    :param thresholds: what points may win, the fewest first; `places`: what places may, and what
        they did once the season is closed.
    """

    game: str
    season: Season
    players: int
    ranks: tuple[Rank, ...]
    thresholds: tuple[PrizeRule, ...]
    places: tuple[Place, ...]

    @property
    def title(self) -> str:
        return str(TITLES.get(self.game, self.game))

    @property
    def runs(self) -> bool:
        return self.season.state == Season.State.OPEN

    @property
    def closed(self) -> bool:
        return self.season.state == Season.State.CLOSED


def games(house: Establishment) -> list[str]:
    """The games of which the house has a board, in the order of the games."""
    rows = Season.objects.filter(establishment=house).order_by()
    known = set(rows.values_list("ruleset", flat=True).distinct())
    return [*(each for each in TITLES if each in known), *sorted(known - TITLES.keys())]


def season_of(house: Establishment, game: str, number: int | None = None) -> Season | None:
    """The season of a number; without one, the season that runs, or else the last one."""
    rows = Season.objects.filter(establishment=house, ruleset=game)
    if number is not None:
        return rows.filter(number=number).first()
    return rows.order_by("-number").first()


def read(  # noqa: PLR0913 - what of a board
    house: Establishment,
    game: str,
    now: datetime,
    *,
    number: int | None = None,
    most: int | None = None,
    players: Collection[str] | None = None,
) -> Board | None:
    """
    A season of a board; None: there is none.

    :param number: of the season; None: the one that runs, or else the last one.
    :param most: so many lines at most. :param players: only theirs.
    """
    season = season_of(house, game, number)
    if season is None:
        return None
    points, rounds = _points(house, season)
    thresholds = _thresholds(house, season)
    places, wins, lot = _wins(house, season, points, now)
    placed = [(place, each) for place, equals in scoreboard.rank(points, lot) for each in equals]
    some = [(place, each) for place, each in placed if players is None or each in players][:most]
    today = _today(house, season, now)
    rises = _rises(points, today, {player: place for place, player in some})
    issued = _issues(house, season, rises.keys()) if thresholds else set()
    ranks = tuple(
        Rank(
            place=place,
            player=player,
            points=points[player],
            rounds=rounds[player],
            today=today.get(player, Fraction()),
            rise=rises[player],
            next=_next(player, points[player], thresholds, issued),
            wins=wins.get(player, ()),
        )
        for place, player in some
    )
    return Board(
        game=game,
        season=season,
        players=len(placed),
        ranks=ranks,
        thresholds=thresholds,
        places=places,
    )


def of_players(
    house: Establishment, game: str, players: Collection[str]
) -> dict[str, tuple[Fraction, NextPrize | None]]:
    """The booked points of some players and what each wins next, in the season that runs."""
    season = season_of(house, game)
    if season is None or season.state == Season.State.CLOSED:
        return {}
    rows = seasons.of_season(house.pk, game, season.number).filter(player__in=players)
    points = {**dict.fromkeys(players, Fraction()), **{each.player: each.exact for each in rows}}
    thresholds = _thresholds(house, season)
    issued = _issues(house, season, players) if thresholds else set()
    return {player: (won, _next(player, won, thresholds, issued)) for player, won in points.items()}


def _points(house: Establishment, season: Season) -> tuple[Points, dict[str, int]]:
    rows = seasons.of_season(house.pk, season.ruleset, season.number)
    points, rounds = Points(), {}
    for player, whole, share, times in rows.values_list("player", "points", "share", "rounds"):
        points[player] = Fraction(whole) if share == "0" else whole + Fraction(share)
        rounds[player] = times
    return points, rounds


def _thresholds(house: Establishment, season: Season) -> tuple[PrizeRule, ...]:
    """The thresholds that may still be won, the lowest first."""
    if season.state == Season.State.CLOSED:
        return ()
    rules = PrizeRule.objects.filter(
        establishment=house, ruleset=season.ruleset, kind=PrizeRule.Kind.POINTS, active=True
    )
    return tuple(rules.order_by("at"))


def _wins(
    house: Establishment, season: Season, points: Points, now: datetime
) -> tuple[tuple[Place, ...], dict[str, tuple[Award, ...]], str]:
    """The places that win something, what each player's place wins, and the lot among equals."""
    closed = season.state == Season.State.CLOSED
    if closed:
        data = _final_event(house, season)
        places = [scoreboard.Place(**each) for each in data["places"]]
        tie, unit, lot = data["tie"], data["unit"], data["lot"]
    else:
        lot, places = "", seasons.places_of(house.pk, season.ruleset)
        if not places:
            return (), {}, lot
        rules = house_rules.in_force(establishment=house, game=season.ruleset, at=now)
        unit = house_rules.worth_of_point(house, rules.options if rules else {})
        tie = seasons.settings(house.pk, season.ruleset).place_tie
    awards = scoreboard.awards(points, places, tie=tie, unit=unit, lot=lot)
    found: dict[str, tuple[Award, ...]] = {}
    for each in awards if closed else _without_odd_units(awards):
        found[each.player] = (*found.get(each.player, ()), each)
    return tuple(places), found, lot


def _final_event(house: Establishment, season: Season) -> Mapping[str, Any]:
    """The event that closed a season: its final table, the places, and the lot."""
    events = journal.stream(establishment=house.pk, stream=seasons.stream(season.ruleset))
    return next(
        event.data
        for event in events
        if event.event_type == seasons.CLOSED and event.data["season"] == season.number
    )


def _without_odd_units(awards: Sequence[Award]) -> list[Award]:
    """What each of several equals gets for certain."""
    least: dict[tuple[int, str], int] = {}
    for each in awards:
        key = each.place, each.rule
        least[key] = min(each.amount, least.get(key, each.amount))
    return [replace(each, amount=least[each.place, each.rule]) for each in awards]


def _issues(house: Establishment, season: Season, players: Collection[str]) -> set[tuple[str, str]]:
    """The thresholds that players have won in a season: rule and player."""
    rows = PrizeIssued.objects.filter(
        establishment=house, ruleset=season.ruleset, season=season.number, player__in=players
    )
    return {(str(rule), player) for rule, player in rows.values_list("rule", "player")}


def _next(
    player: str, points: Fraction, thresholds: Sequence[PrizeRule], issued: set[tuple[str, str]]
) -> NextPrize | None:
    for rule in thresholds:
        if (str(rule.pk), player) not in issued:
            missing = max(rule.at - points, Fraction())
            return NextPrize(prize=rule.prize, amount=rule.amount, missing=missing)
    return None


def _today(house: Establishment, season: Season, now: datetime) -> Points:
    """The points of the current gaming day, by player, if the season has that day."""
    day = gaming_day.current(house, now)
    if season.state != Season.State.OPEN or not season.holds(day):
        return {}
    found = Points()
    for _day, points in points_by_round(house, season.ruleset, day, day):
        for player, more in points.items():
            found[player] = found.get(player, Fraction()) + Fraction(more)
    return found


def points_by_round(
    house: Establishment, game: str, since: date, until: date
) -> Iterator[tuple[date, Mapping[str, int | str]]]:
    """The gaming day and the points of each round of these days that was not voided, in order."""
    rows = RoundRow.objects.filter(
        establishment=house, ruleset=game, gaming_day__range=(since, until), voided__isnull=True
    ).exclude(points={})
    found = rows.order_by("gaming_day", "position").values_list("gaming_day", "points")
    yield from found.iterator()


def _rises(points: Points, today: Points, placed: Mapping[str, int]) -> dict[str, int | None]:
    """How many places each of some players has risen by the points of this gaming day."""
    before = {player: won - today.get(player, 0) for player, won in points.items()}
    there = sorted(won for won in before.values() if won > 0)
    if not today or not there:  # nobody has moved, or the season has begun today
        return dict.fromkeys(placed, 0)
    return {
        player: len(there) - bisect_right(there, before[player]) + 1 - place
        if before[player] > 0
        else None
        for player, place in placed.items()
    }
