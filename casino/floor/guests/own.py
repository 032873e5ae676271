"""What the holder of a code from the desk is told: their points, their prizes, where they wait."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final

from casino.floor.players import waiting_shown
from casino.floor.players.models import PrizeToHandOut
from casino.house.establishments.gaming_day import current
from casino.play.core import scoreboards
from casino.play.exclusions import limits
from casino.play.exclusions.models import PlayerLimit
from casino.play.exclusions.standing import Limit, standing
from casino.play.settlement.models import PrizeIssued, PrizeRule, Season, Tally
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment
    from casino.play.core.scoreboards import Board, Rank

SEASONS: Final = 8  # of all games
COLLECTED: Final = 24  # prizes that were handed out


@dataclass(frozen=True, slots=True)
class Score:
    """
    A player's line on a season of a game's scoreboard.

    :param reached: the prizes that they have won in it.
    """

    board: Board
    rank: Rank
    reached: Sequence[PrizeRule]


def scores(house: Establishment, player: str, now: datetime) -> list[Score]:
    """The points of a player, the seasons that run first, then the latest."""
    tallies = Tally.objects.filter(establishment=house, player=player)
    mine = set(tallies.values_list("ruleset", "season"))
    rows = Season.objects.filter(establishment=house, number__in={number for _, number in mine})
    seasons = [each for each in rows if (each.ruleset, each.number) in mine]
    seasons.sort(key=lambda each: each.last_day or date.max, reverse=True)
    seasons.sort(key=lambda each: each.state != Season.State.OPEN)
    issued = PrizeIssued.objects.filter(establishment=house, player=player)
    rules = PrizeRule.objects.filter(establishment=house).in_bulk({each.rule for each in issued})
    found = []
    for season in seasons[:SEASONS]:
        where = season.ruleset, season.number
        board = scoreboards.read(house, where[0], now, number=where[1], players=[player])
        won = [rules[each.rule] for each in issued if (each.ruleset, each.season) == where]
        if board and board.ranks:
            reached = sorted(won, key=lambda rule: (rule.kind, rule.at))
            found.append(Score(board, board.ranks[0], reached))
    return found


def prizes(house: Establishment, player: str) -> dict[str, QuerySet[PrizeToHandOut]]:
    """What a player may collect, the oldest first, and what they collected, the latest first."""
    mine = PrizeToHandOut.objects.filter(establishment=house, player=player)
    return {
        "owed": mine.filter(handed_at__isnull=True).order_by("position"),
        "collected": mine.filter(handed_at__isnull=False).order_by("-handed_at")[:COLLECTED],
    }


@dataclass(frozen=True, slots=True)
class Waits:
    """Where a player waits: for which game, after how many others."""

    title: str
    place: waiting_shown.Place
    ahead: int


def waits(house: Establishment, player: str, now: datetime) -> list[Waits]:
    return [
        Waits(line.title, place, number)
        for line in waiting_shown.public_lines(house, now)
        for number, place in enumerate(line.places)
        if place.entry.player == player
    ]


@dataclass(frozen=True, slots=True)
class Limited:
    """
    What a player may pay in, and has paid in, on a day, in a week or in a month.

    :param most: None: any amount. :param then: what holds from `since` on, if that is to come.
    """

    span: str
    label: str
    most: int | None
    paid: int
    then: int | None
    since: datetime | None


def limits_with_sums(house: Establishment, player: str, now: datetime) -> list[Limited]:
    """The limits of a player, those to come included; empty if there are none."""
    known, day = standing(house.pk).limits.get(player, {}), current(house, now)
    last = known and journal.last(establishment=house.pk, stream=limits.stream_of_payments(player))
    days = last.data["days"] if last else {}
    found = []
    for span, label in PlayerLimit.Span.choices:
        each = known.get(span, Limit(None))
        waits = each.since is not None and each.since > now
        if each.at(now) is not None or waits:
            found.append(
                Limited(
                    span=span,
                    label=str(label),
                    most=each.at(now),
                    paid=limits.sum_of_span(days, span, day),
                    then=each.then if waits else None,
                    since=each.since if waits else None,
                )
            )
    return found
