"""Amounts that are added by one tap: the chips that a house counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

STEPS_MOST: Final = 4  # as many as stand beside each other under a thumb


def steps(denominations: Iterable[Mapping[str, Any]], most: int | None = None) -> tuple[int, ...]:
    """
    The values of the house's chips, the smallest first.

    :param denominations: as the house has them, each with its `value` in the smallest coin.
    :param most: what a table takes at most: greater chips are of no use there.
    """
    values = sorted(each["value"] for each in denominations)
    fitting = [value for value in values if most is None or value <= most]
    return tuple((fitting or values[:1])[:STEPS_MOST])
