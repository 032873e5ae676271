"""What the holder of a code from the desk is told: their points, their prizes, where they wait."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from casino.establishments.gaming_day import current
from casino.exclusions import limits
from casino.exclusions.models import PlayerLimit
from casino.exclusions.standing import Limit, standing
from casino.players import waiting_shown
from casino.players.models import PrizeToHandOut
from casino.presenters import TITLES
from casino.settlement.models import PrizeIssued, PrizeRule, Season, Tally
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from fractions import Fraction

    from casino.establishments.models import Establishment

SHOWN: Final = 24  # seasons, and prizes that were handed out


@dataclass(frozen=True, slots=True)
class Score:
    """
    A player's points in a season of a game's scoreboard.

    :param reached: the prizes that they have won in it.
    :param next: the next threshold of a season that runs; None if there is no higher one.
    """

    season: Season
    title: str
    points: Fraction
    rounds: int
    reached: Sequence[PrizeRule]
    next: PrizeRule | None

    @property
    def missing(self) -> Fraction:
        """The points to the next threshold."""
        return self.next.at - self.points if self.next else self.points - self.points


def scores(house: Establishment, player: str) -> list[Score]:
    """The points of a player, the seasons that run first, then the latest."""
    tallies = {
        (each.ruleset, each.season): each
        for each in Tally.objects.filter(establishment=house, player=player)
    }
    numbers = {number for _ruleset, number in tallies}
    rows = Season.objects.filter(establishment=house, number__in=numbers).order_by("-last_day")
    seasons = [each for each in rows if (each.ruleset, each.number) in tallies]
    seasons.sort(key=lambda each: each.state != Season.State.OPEN)
    rules = {each.pk: each for each in PrizeRule.objects.filter(establishment=house)}
    won: dict[tuple[str, int], list[PrizeRule]] = defaultdict(list)
    for each in PrizeIssued.objects.filter(establishment=house, player=player):
        if each.rule in rules:
            won[each.ruleset, each.season].append(rules[each.rule])
    return [
        Score(
            season=each,
            title=str(TITLES.get(each.ruleset, each.ruleset)),
            points=(tally := tallies[each.ruleset, each.number]).exact,
            rounds=tally.rounds,
            reached=sorted(won[each.ruleset, each.number], key=lambda rule: (rule.kind, rule.at)),
            next=_next(rules.values(), each, tally) if each.state == Season.State.OPEN else None,
        )
        for each in seasons[:SHOWN]
    ]


def _next(rules: Any, season: Season, tally: Tally) -> PrizeRule | None:
    ahead = [
        each
        for each in rules
        if each.active
        and each.ruleset == season.ruleset
        and each.kind == PrizeRule.Kind.POINTS
        and each.at > tally.exact
    ]
    return min(ahead, key=lambda each: each.at, default=None)


def prizes(house: Establishment, player: str) -> dict[str, Sequence[PrizeToHandOut]]:
    """What a player may collect, the oldest first, and what they collected, the latest first."""
    mine = PrizeToHandOut.objects.filter(establishment=house, player=player)
    return {
        "owed": mine.filter(handed_at__isnull=True).order_by("position"),
        "collected": mine.filter(handed_at__isnull=False).order_by("-handed_at")[:SHOWN],
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


def limited(house: Establishment, player: str, now: datetime) -> list[Limited]:
    """The limits of a player, those to come included; empty if there are none."""
    known, day = standing(house.pk).limits.get(player, {}), current(house, now)
    last = known and journal.last(establishment=house.pk, stream=limits.paid_stream(player))
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
                    paid=limits.paid_in(days, span, day),
                    then=each.then if waits else None,
                    since=each.since if waits else None,
                )
            )
    return found
