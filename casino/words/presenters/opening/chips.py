"""Amounts that one tap adds in a form: the values of the house's chips."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from casino.words.languages.amounts import in_units

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

STEPS_MOST: Final = 4  # as many as fit beside each other on a phone


def steps(
    denominations: Iterable[Mapping[str, Any]], most: int | None = None, *, unit: int = 1
) -> tuple[int, ...]:
    """
    The values of the house's chips, the smallest first.

    :param denominations: those of the house, each with its `value` in the smallest coin.
    :param most: the largest amount that a table takes; larger chips are left out.
    :param unit: what a point is worth: chips that are no whole points are left out (G11).
    """
    values = sorted(each["value"] for each in denominations)
    whole = [value for value in values if value % unit == 0] or [unit]
    fitting = [value for value in whole if most is None or value <= most]
    return tuple((fitting or whole[:1])[:STEPS_MOST])


def in_points(amount: int, unit: int) -> int:
    """An amount, or as little more as makes it whole points (G11)."""
    return -(-amount // unit) * unit


def propose(units: int, unit: int) -> int:
    """
    So many units of the house's coin, as a form proposes them, where a point is worth `unit`: at
    least as many points, and whole ones (G11).
    """
    return in_points(max(in_units(units), units * unit), unit)
