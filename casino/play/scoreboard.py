"""A house's scoreboard: points as rounds are settled, and the prizes they reach (SH13)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import F

from casino.play.models import PrizeIssued, PrizeRule, Tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from uuid import UUID


@dataclass(frozen=True, slots=True)
class Won:
    """A prize that a player has just reached."""

    rule: PrizeRule
    player: str


def score(establishment: UUID, ruleset: str, points: Mapping[str, int]) -> None:
    """Add points to the players' tallies; a reversal adds less than nothing."""
    for player, more in points.items():
        Tally.objects.get_or_create(establishment_id=establishment, ruleset=ruleset, player=player)
        Tally.objects.filter(establishment_id=establishment, ruleset=ruleset, player=player).update(
            points=F("points") + more
        )


def reached(
    establishment: UUID, ruleset: str, players: Mapping[str, int], position: int
) -> Iterator[Won]:
    """The prizes that these players have now reached and never had: each is written down once."""
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
    points = board.values_list("points", flat=True).get(player=player)
    if rule.kind == PrizeRule.Kind.POINTS:
        return points >= rule.at
    return points > 0 and board.filter(points__gt=points).count() < rule.at
