"""How often three d8 fall so, exactly, whatever their order."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING

from games import stone

if TYPE_CHECKING:
    from collections.abc import Sequence


def exactly(faces: Sequence[int]) -> Fraction:
    """The part of all throws of three d8 that shows these faces: 1-3-6 falls 6 times in 512."""
    return Fraction(len(set(permutations(faces))), stone.SIDES**stone.DICE)
