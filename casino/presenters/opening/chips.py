"""Amounts that are added by one tap: the chips that a house counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from casino.establishments.models import Establishment

STEPS_MOST: Final = 4  # as many as stand beside each other under a thumb


def steps(house: Establishment, most: int | None = None) -> tuple[int, ...]:
    """
    The values of the house's chips, the smallest first.

    :param most: what a table takes at most: greater chips are of no use there.
    """
    values = sorted(each["value"] for each in house.denominations)
    fitting = [value for value in values if most is None or value <= most]
    return tuple((fitting or values[:1])[:STEPS_MOST])
