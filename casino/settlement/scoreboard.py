"""A house's scoreboard: adds points when rounds are settled, and finds prizes reached (SH13)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from casino.settlement.models import PrizeIssued, PrizeRule, Tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from fractions import Fraction
    from uuid import UUID


@dataclass(frozen=True, slots=True)
class Won:
    """A prize that a player has just reached."""

    rule: PrizeRule
    player: str


def score(establishment: UUID, ruleset: str, points: Mapping[str, Fraction]) -> None:
    """
    Add points to the players' tallies; a reversal adds negative points.

    Only the process that holds the row of the house's settlement calls this, so nobody else adds
    points in between.
    """
    for player, more in points.items():
        tally, _ = Tally.objects.get_or_create(
            establishment_id=establishment, ruleset=ruleset, player=player
        )
        tally.add(more)
        tally.save(update_fields=["points", "share"])


def reached(
    establishment: UUID, ruleset: str, players: Iterable[str], position: int
) -> Iterator[Won]:
    """The prizes that players reach for the first time; each is recorded as issued, once."""
    rules = PrizeRule.objects.filter(establishment=establishment, ruleset=ruleset, active=True)
    for rule in rules:
        for player in players:
            if not _reaches(rule, player):
                continue
            _, first = PrizeIssued.objects.get_or_create(
                establishment_id=establishment,
                rule=rule.pk,
                player=player,
                defaults={"position": position},
            )
            if first:
                yield Won(rule, player)


def _reaches(rule: PrizeRule, player: str) -> bool:
    board = Tally.objects.filter(establishment=rule.establishment_id, ruleset=rule.ruleset)
    tally = board.get(player=player)
    if rule.kind == PrizeRule.Kind.POINTS:
        return tally.points >= rule.at
    as_many = board.filter(points__gte=tally.points).exclude(player=player)
    ahead = sum(other.exact > tally.exact for other in as_many)
    return tally.exact > 0 and ahead < rule.at
