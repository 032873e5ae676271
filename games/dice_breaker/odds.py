"""
The exact odds of dice breaker: what a hand of so many dice makes, and how a round ends.

Breaking is aimed, so its result is not only a matter of chance. The odds are therefore those of
dice that were thrown and not broken: five, six with the trump (DB9), more with caught dice, fewer
if some left the arena (DB8).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Final, NamedTuple

from games.dice import faces
from games.dice_breaker.hands import (
    LOW_TO_HIGH,
    SIDES,
    Hand,
    HandName,
    TieBy,
    hand_of,
    points,
    strength,
)
from games.odds import NEVER, Chances, Extreme, chances_of_view, gather, greatest, scale

DICE: Final = range(1, 8)
PLAYERS: Final = range(2, 11)
NOTHING: Final[HandName] = LOW_TO_HIGH[0]


class Highest(NamedTuple):
    """The highest hand of a round, and how many players have it."""

    name: HandName
    players: int


@dataclass(frozen=True, slots=True)
class Round:
    """
    How a round ends in which all play equally many dice (DB5).

    :param highest: the chances of its highest hand and of how many share it; `NOTHING` wins for
        nobody.
    :param expected: the points that a player may expect from it; five of a kind has none.
    """

    highest: Chances[Highest]
    expected: Fraction

    @property
    def shared(self) -> Fraction:
        """The chance that several players win together."""
        won = (
            each for key, each in self.highest.items() if key.players > 1 and key.name != NOTHING
        )
        return sum(won, NEVER)

    def best(self, name: HandName) -> Fraction:
        return sum((each for key, each in self.highest.items() if key.name == name), NEVER)


@cache
def counts(dice: int, trump: int | None = None) -> dict[Hand, int]:
    """
    In how many of the 6 ** dice throws each hand is the highest, best first.

    :param trump: the face of a die that belongs to the hand as well (DB9), on top of `dice`.
    """
    found: dict[Hand, int] = {}
    for thrown in combinations_with_replacement(faces(SIDES), dice):
        hand = hand_of(thrown if trump is None else (*thrown, trump))
        alike = prod(factorial(thrown.count(face)) for face in set(thrown))
        found[hand] = found.get(hand, 0) + factorial(dice) // alike
    return dict(sorted(found.items(), key=lambda item: strength(item[0], "face"), reverse=True))


def by_name(dice: int) -> dict[HandName, int]:
    """
    In how many of the throws each hand name is the highest, best first; 0 for a hand that so many
    dice cannot make.
    """
    found = dict.fromkeys(reversed(LOW_TO_HIGH), 0)
    for hand, ways in counts(dice).items():
        found[hand.name] += ways
    return found


def round_of(players: int, dice: int, tie_by: TieBy, *, trump: bool = False) -> Round:
    """
    The odds of a round.

    :param dice: how many each player has, without the trump.
    :param tie_by: whether equal names share, or only equal faces (DB5).
    :param trump: whether one more die, the same for all, belongs to every hand.
    """
    lying = faces(SIDES) if trump else (None,)
    each = Fraction(1, len(lying))
    highest = gather(
        pair
        for face in lying
        for pair in scale(_highest(counts(dice, face), players, tie_by), each)
    )
    scored = sum((points(key.name) * likely for key, likely in highest.items()), NEVER)
    return Round(highest, scored / players)


def _highest(hands: Mapping[Hand, int], players: int, tie_by: TieBy) -> dict[Highest, Fraction]:
    """The chances of the highest hand, if all throw their own dice with the same chances."""
    strengths = sorted({strength(hand, tie_by) for hand in hands})
    rank = {each: place for place, each in enumerate(strengths)}
    total = sum(hands.values())
    one = gather(
        (rank[strength(hand, tie_by)], Fraction(ways, total)) for hand, ways in hands.items()
    )

    def highest_of(extreme: Extreme) -> Highest:
        return Highest(LOW_TO_HIGH[strengths[extreme.rank][0]], extreme.size)

    return chances_of_view(greatest(one, one, players - 1), highest_of)
