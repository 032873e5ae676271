"""
A house's scoreboards: points of a season, thresholds reached, and what places are worth (SB).

`rank` and `awards` are pure: closing a season, a regrade and the settings ask them alike.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from itertools import groupby
from typing import TYPE_CHECKING, Any

from casino.play.settlement.models import PrizeIssued, PrizeRule, Scoreboard, Season, Tally
from games.payments import share
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from uuid import UUID

FIRST = 1
"""The season of what was booked before boards had seasons."""


class SeasonClosed(Refused):
    code = "season_closed"


@dataclass(frozen=True, slots=True)
class Scored:
    """A change of a player's points in a season; both are negative where a void takes back."""

    season: int
    player: str
    points: Fraction
    rounds: int


@dataclass(frozen=True, slots=True)
class Won:
    """A prize that a player has just reached."""

    rule: PrizeRule
    player: str
    season: int


def changes_of(data: Mapping[str, Any]) -> Iterator[Scored]:
    """What an event of settlement, a booking or a reversal, changes on the board of its game."""
    if "seasons" in data:
        for season, players in data["seasons"].items():
            for player, (points, rounds) in players.items():
                yield Scored(int(season), player, Fraction(points), rounds)
        return
    season, points = data.get("season", FIRST), data.get("points") or {}
    for player in dict.fromkeys((*points, *data.get("played", ()))):
        yield Scored(season, player, Fraction(points.get(player, 0)), int("season" in data))


def as_data(back: Iterable[Scored]) -> dict[str, Any]:
    """Points that a void takes back as data of its event: of each player, and by season."""
    points: dict[str, Fraction] = {}
    by_season: dict[str, dict[str, tuple[Fraction, int]]] = {}
    for each in back:
        points[each.player] = points.get(each.player, Fraction()) + each.points
        players = by_season.setdefault(str(each.season), {})
        sum_, rounds = players.get(each.player, (Fraction(), 0))
        players[each.player] = sum_ + each.points, rounds + each.rounds
    seasons = {
        season: {player: [as_json(won), rounds] for player, (won, rounds) in players.items()}
        for season, players in by_season.items()
    }
    whole = {player: as_json(won) for player, won in points.items() if won}
    return {"points": whole, **({"seasons": seasons} if seasons else {})}


def as_json(points: Fraction) -> int | str:
    """Points as JSON: whole points as a number, fractions as a string such as ``8/3``."""
    return points.numerator if points.denominator == 1 else str(points)


def score(establishment: UUID, ruleset: str, changes: Iterable[Scored]) -> None:
    """
    Change the players' tallies, with two statements for each season.

    Only the process that holds the row of the house's settlement calls this, so nobody else adds
    points in between.
    """
    of_season = sorted(changes, key=lambda each: each.season)
    for season, mine in groupby(of_season, key=lambda each: each.season):
        board = {"establishment_id": establishment, "ruleset": ruleset, "season": season}
        changed = list(mine)
        rows = Tally.objects.filter(**board, player__in={each.player for each in changed})
        tallies = {row.player: row for row in rows}
        for each in changed:
            tally = tallies.setdefault(each.player, Tally(**board, player=each.player))
            tally.add(each.points)
            tally.rounds += each.rounds
        Tally.objects.bulk_create(
            tallies.values(),
            update_conflicts=True,
            unique_fields=["establishment", "ruleset", "season", "player"],
            update_fields=["points", "share", "rounds"],
        )


def take_back(establishment: UUID, ruleset: str, changes: Sequence[Scored]) -> None:
    """
    Take points back that a void cancels.

    :raises SeasonClosed: if they are on a final table, which no void changes (SB2).
    """
    numbers = {each.season for each in changes}
    final = Season.objects.filter(
        establishment=establishment, ruleset=ruleset, number__in=numbers, state=Season.State.CLOSED
    )
    if final.exists():
        raise SeasonClosed("These points are on the final table of a season: adjust it. SB2")
    score(establishment, ruleset, changes)


def thresholds_reached(
    establishment: UUID, ruleset: str, season: int, players: Iterable[str], position: int
) -> Iterator[Won]:
    """
    The thresholds that players reach for the first time in a season (SB3); each is recorded as
    issued, once. Places are decided when the season is closed.
    """
    rules = list(
        PrizeRule.objects.filter(
            establishment=establishment, ruleset=ruleset, active=True, kind=PrizeRule.Kind.POINTS
        )
    )
    if not rules:
        return
    board = Tally.objects.filter(establishment=establishment, ruleset=ruleset, season=season)
    points = dict(board.filter(player__in=players).values_list("player", "points"))
    for rule in rules:
        for player in players:
            if points.get(player, 0) >= rule.at and issue(
                establishment, ruleset, season, str(rule.pk), player, position
            ):
                yield Won(rule, player, season)


def issue(  # noqa: PLR0913, PLR0917 - the columns of a row
    establishment: UUID, ruleset: str, season: int, rule: str, player: str, position: int
) -> bool:
    """Record a prize as issued in a season; False if it was issued there before."""
    _, first = PrizeIssued.objects.get_or_create(
        establishment_id=establishment,
        ruleset=ruleset,
        season=season,
        rule=rule,
        player=player,
        defaults={"position": position},
    )
    return first


@dataclass(frozen=True, slots=True)
class Place:
    """A place that is worth something; `amount` 0: the prize is not money."""

    at: int
    rule: str
    prize: str
    amount: int


@dataclass(frozen=True, slots=True)
class Award:
    """A prize for a place: `place` is the one that equals share."""

    player: str
    place: int
    rule: str
    prize: str
    amount: int


def rank(points: Mapping[str, Fraction], lot: str) -> list[tuple[int, tuple[str, ...]]]:
    """
    The places of a board, the first one first, each with its players (SB4). Without a point there
    is no place. Equal points share one; within it players are in the order of the lot.

    :param lot: any text that nobody could foresee; it decides instead of name or time (SB5).
    """
    there = sorted(
        (player for player, won in points.items() if won > 0),
        key=lambda player: (-points[player], sha256(f"{lot}/{player}".encode()).digest()),
    )
    places, place = [], 1
    for _, equals in groupby(there, key=points.__getitem__):
        players = tuple(equals)
        places.append((place, players))
        place += len(players)
    return places


def awards(
    points: Mapping[str, Fraction], places: Iterable[Place], *, tie: str, unit: int, lot: str
) -> list[Award]:
    """
    What each player gets for their place (SB4).

    Equals pool the money of the places that they take together, and share it (G5) in whole units
    (G11); odd units go in the order of the lot. With ``all`` each gets the better prize instead.
    Of prizes that are not money each gets the better one, always.

    :param points: by player.
    :param tie: ``split`` or ``all``.
    :param unit: whole coins.
    """
    worth = {each.at: each for each in places}
    last = max(worth, default=0)
    found: list[Award] = []
    for place, players in rank(points, lot):
        taken = [
            worth[at] for at in range(place, min(place + len(players), last + 1)) if at in worth
        ]
        if tie == Scoreboard.PlaceTie.ALL:
            found += [_award(player, place, each) for each in taken[:1] for player in players]
            continue
        pooled = [each for each in taken if each.amount]
        pool = sum(each.amount for each in pooled)
        parts = share(pool, players, (), unit=unit)
        best = [_award(each.payee, place, pooled[0]) for each in parts]
        found += [replace(one, amount=each.amount) for one, each in zip(best, parts, strict=True)]
        goods = [each for each in taken if not each.amount]
        found += [_award(player, place, each) for each in goods[:1] for player in players]
    return found


def _award(player: str, place: int, prize: Place) -> Award:
    return Award(player, place, prize.rule, prize.prize, prize.amount)
