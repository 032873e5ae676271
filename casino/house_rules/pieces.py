"""
What is played for at a house can be counted out in the house's pieces (G11).

A point is worth the smallest piece, unless the rules of the game say otherwise. Where the smallest
piece is one coin, every amount can be counted out. Where it is more, what a game is played for are
whole points: then all that changes hands in it are whole points, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from casino.establishments.denominations import can_make, smallest
from casino.presenters import fees
from casino.presenters.opening.fields import UNIT
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from casino.establishments.models import Establishment

USUAL: Final = 1  # coins of a point by the rules alone
BROUGHT: Final = ("stake", "price", "amount")
"""The fields of commands with an amount that comes to the table, or is played for."""


class NotInPieces(Refused):
    code = "not_in_pieces"


def unit(house: Establishment, options: Mapping[str, Any]) -> int:
    """What a point is worth at a house, with these options of its rules or of an opening."""
    chosen: int | None = options.get(UNIT)
    return smallest(house.denominations) if chosen is None else chosen


def completed(house: Establishment, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with what a point is worth; without it where that is as in the rules alone."""
    worth = unit(house, options)
    return {**options, UNIT: worth} if worth != USUAL else dict(options)


def check_amount(house: Establishment, amount: int, *, field: str) -> None:
    """:raises NotInPieces: if no pieces make an amount."""
    if not can_make(house.denominations, amount):
        least = smallest(house.denominations)
        raise NotInPieces(
            f"{field} is {amount}: no pieces of this house make that, the smallest is {least}. G11"
        )


def check_in_points(house: Establishment, amount: int, unit: int, *, field: str) -> None:
    """
    Check an amount of a game in which a point is worth so much.

    :raises NotInPieces: if no pieces make it, or could make what is left of it.
    """
    check_amount(house, amount, field=field)
    if smallest(house.denominations) > 1 and amount % unit:
        raise NotInPieces(
            f"{field} is {amount}: whole points of {unit} are played for, because the pieces of"
            " this house do not make what is left under a point. G11"
        )


def check_adjusted(house: Establishment, amount: int, options: Mapping[str, Any]) -> None:
    """
    Check an amount that sets a game right, unless that game was played for less than pieces make.

    :raises NotInPieces: if no pieces make it.
    """
    if can_make(house.denominations, options.get(UNIT, USUAL)):
        check_amount(house, amount, field="amount")


def check_terms(
    house: Establishment, options: Mapping[str, Any], fee: Mapping[str, Any] | None
) -> None:
    """:raises NotInPieces: if no pieces make a point, or an amount of the fee."""
    worth = unit(house, options)
    check_amount(house, worth, field=f"options.{UNIT}")
    for name, amount in (fee or {}).items():
        if name in fees.AMOUNTS and fees.AMOUNTS[name].money:
            check_in_points(house, amount, worth, field=f"fee.{name}")


def check_brought(
    house: Establishment, fields: Mapping[str, Any], options: Mapping[str, Any]
) -> None:
    """
    Check the amounts of a command that opens a game, seats somebody, or brings money.

    :param fields: the command's, as the vocabulary has read them. :param options: of the game.
    :raises NotInPieces: if one of them cannot be counted out.
    """
    worth = options.get(UNIT, USUAL)
    for field, amount in _brought(fields):
        check_in_points(house, amount, worth, field=field)


def _brought(fields: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    for name in BROUGHT:
        if fields.get(name) is not None:
            yield name, fields[name]
    for seat in fields.get("players", ()):
        if not isinstance(seat, str) and seat.get("stake") is not None:
            yield "stake", seat["stake"]
