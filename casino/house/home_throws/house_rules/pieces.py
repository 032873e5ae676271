"""
What is played for at a house can be counted out in the house's pieces (G11).

A point is worth the smallest piece, unless the rules of the game say otherwise. What pieces make is
said in `games.pieces`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from casino.house.establishments.denominations import smallest, values
from casino.words.presenters import fees
from casino.words.presenters.opening.fields import UNIT
from games import pieces

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.house.establishments.models import Establishment

USUAL: Final = 1  # coins of a point by the rules alone


def unit(house: Establishment, options: Mapping[str, Any]) -> int:
    """What a point is worth at a house, with these options of its rules or of an opening."""
    chosen: int | None = options.get(UNIT)
    return smallest(house.denominations) if chosen is None else chosen


def complete(house: Establishment, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with what a point is worth; without it where that is as in the rules alone."""
    worth = unit(house, options)
    return {**options, UNIT: worth} if worth != USUAL else dict(options)


def check_amount(house: Establishment, amount: int, *, field: str) -> None:
    """:raises NotInPieces: if no pieces make an amount."""
    pieces.check_amount(values(house.denominations), amount, field=field)


def check_adjusted(house: Establishment, amount: int, options: Mapping[str, Any]) -> None:
    """
    Check an amount that sets a game right, unless that game was played for less than pieces make.

    :raises NotInPieces: if no pieces make it.
    """
    if pieces.can_make(values(house.denominations), options.get(UNIT, USUAL)):
        check_amount(house, amount, field="amount")


def check_terms(
    house: Establishment, options: Mapping[str, Any], fee: Mapping[str, Any] | None
) -> None:
    """:raises NotInPieces: if no pieces make a point, or an amount of the fee."""
    worth, listed = unit(house, options), values(house.denominations)
    check_amount(house, worth, field=f"options.{UNIT}")
    for name, amount in (fee or {}).items():
        if name in fees.AMOUNTS and fees.AMOUNTS[name].money:
            pieces.check_in_points(listed, amount, worth, field=f"fee.{name}")


def check_opening(house: Establishment, fields: Mapping[str, Any]) -> None:
    """
    Check the amounts of a command that opens a game.

    :param fields: the command's, as the vocabulary has read them.
    :raises NotInPieces: if one of them cannot be counted out.
    """
    options = fields.get("options", {})
    check_terms(house, options, fields.get("fee"))
    pieces.check_brought(values(house.denominations), fields, options.get(UNIT, USUAL))
