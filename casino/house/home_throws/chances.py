"""The exact probability of three faces of three d8, in any order."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING

from games import stone

if TYPE_CHECKING:
    from collections.abc import Sequence


def exactly(faces: Sequence[int]) -> Fraction:
    """The probability that three d8 show these faces, in any order: 6 in 512 for 1-3-6."""
    return Fraction(len(set(permutations(faces))), stone.SIDES**stone.DICE)
