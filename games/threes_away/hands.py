"""What dice count in threes away, and which dice of a throw may be kept."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Final

from games.dice import Dice, every_throw

DICE: Final = 5
SIDES: Final = 6
ZERO: Final = 3
OPPOSITE: Final = SIDES + 1  # a face and the one underneath together


def value_of_face(face: int, *, zero: int = ZERO, bottoms: bool = False) -> int:
    """
    What a die counts (TA1, TA8): the face on top, or with bottoms the one underneath; the zero
    counts nothing.
    """
    value = OPPOSITE - face if bottoms else face
    return 0 if value == zero else value


def total(dice: Dice, *, zero: int = ZERO, bottoms: bool = False) -> int:
    return sum(value_of_face(face, zero=zero, bottoms=bottoms) for face in dice)


def missing(keep: Dice, thrown: Dice) -> int | None:
    """A face that is to be kept more often than it was thrown; None: all were thrown."""
    return next(iter(Counter(keep) - Counter(thrown)), None)


def keeps(thrown: Dice) -> Iterator[Dice]:
    """All that may be kept of a throw (TA2): at least one die; equal choices are listed once."""
    for many in range(1, len(thrown) + 1):
        yield from sorted(set(combinations(sorted(thrown), many)))


def throws(dice: int) -> Iterator[Dice]:
    """Every throw of so many dice, all equally likely."""
    return every_throw(dice, SIDES)
