"""Amounts that one tap adds in a form: the values of the house's chips."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

STEPS_MOST: Final = 4  # as many as fit beside each other on a phone


def steps(denominations: Iterable[Mapping[str, Any]], most: int | None = None) -> tuple[int, ...]:
    """
    The values of the house's chips, the smallest first.

    :param denominations: those of the house, each with its `value` in the smallest coin.
    :param most: the largest amount that a table takes; larger chips are left out.
    """
    values = sorted(each["value"] for each in denominations)
    fitting = [value for value in values if most is None or value <= most]
    return tuple((fitting or values[:1])[:STEPS_MOST])
