"""
What is played for can be counted out in the pieces of the house (G11).

A house's pieces are given by their values, of which there are enough. Where the smallest piece is
one coin, every amount can be counted out. Where it is more, what a game is played for are whole
points: then all that changes hands in it are whole points, too.

The module is pure: a device that has no line runs it as well.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Any, Final

from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

BROUGHT: Final = ("stake", "price", "amount")
"""The fields of commands with an amount that comes to the table, or is played for."""
BRINGS_MONEY: Final = ("join", "buy_in", "start_round")
RESTS_MOST: Final = 10_000  # of a division by the smallest piece, that are looked at one by one


class NotInPieces(Refused):
    code = "not_in_pieces"


def can_make(pieces: Sequence[int], amount: int) -> bool:
    """
    Whether an amount is a sum of pieces.

    Usually the smallest value divides the others. Where it does not, each rest of a division by it
    has a smallest sum; the sums with that rest are that one, and it with more smallest pieces.
    """
    common = 0
    for value in pieces:
        common = gcd(common, value)
    least, units = min(pieces) // common, amount // common
    if amount % common:
        return False
    if least == 1 or least > RESTS_MOST:
        return True
    return units >= smallest_sums([value // common for value in pieces])[units % least]


def smallest_sums(pieces: Sequence[int]) -> list[int]:
    """
    By each rest of a division by the smallest piece: the smallest sum that leaves it.

    Adding one piece again and again leads from a rest to others and back. From the rest with the
    smallest sum, one such round finds the best sums with that piece (S. Böcker and Zs. Lipták, "A
    fast and simple algorithm for the money changing problem", 2007).

    :param pieces: without a common divisor, so that every rest is reached.
    """
    least = min(pieces)
    unknown = least * max(pieces)  # no smallest sum is as large
    sums = [0 if rest == 0 else unknown for rest in range(least)]
    for value in pieces:
        rounds = gcd(least, value)
        for first in range(rounds):
            rests = range(first, least, rounds)
            total = min([sums[rest] for rest in rests])
            for _ in rests:
                total = min(total + value, sums[(total + value) % least])
                sums[total % least] = total
    return sums


def check_amount(pieces: Sequence[int], amount: int, *, field: str) -> None:
    """:raises NotInPieces: if no pieces make an amount."""
    if not can_make(pieces, amount):
        least = min(pieces)
        raise NotInPieces(
            f"{field} is {amount}: no pieces of this house make that, the smallest is {least}. G11"
        )


def check_in_points(pieces: Sequence[int], amount: int, unit: int, *, field: str) -> None:
    """
    Check an amount of a game in which a point is worth `unit` coins.

    :raises NotInPieces: if no pieces make it, or could make what is left of it.
    """
    check_amount(pieces, amount, field=field)
    if min(pieces) > 1 and amount % unit:
        raise NotInPieces(
            f"{field} is {amount}: whole points of {unit} are played for, because the pieces of"
            " this house do not make what is left under a point. G11"
        )


def check_brought(pieces: Sequence[int], fields: Mapping[str, Any], unit: int) -> None:
    """
    Check the amounts of a command that opens a game, seats somebody, or brings money.

    :param fields: the command's, as the vocabulary has read them.
    :raises NotInPieces: if one of them cannot be counted out.
    """
    for field, amount in _brought(fields):
        check_in_points(pieces, amount, unit, field=field)


def check_command(
    pieces: Sequence[int], do: str, fields: Mapping[str, Any], unit: int, stakes: Mapping[str, int]
) -> None:
    """
    Check what a command of an open game brings to the table, or takes from it.

    Who takes all they have takes it as it is.

    :param stakes: of each player, before the command.
    :raises NotInPieces: if it cannot be counted out.
    """
    if do in BRINGS_MONEY:
        check_brought(pieces, fields, unit)
    elif do == "cash_out" and fields["amount"] != stakes.get(fields["player"]):
        check_amount(pieces, fields["amount"], field="amount")
    elif fields.get("instead") is not None:
        instead = fields["instead"]
        check_command(pieces, instead["do"], instead, unit, stakes)


def _brought(fields: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    for name in BROUGHT:
        if fields.get(name) is not None:
            yield name, fields[name]
    for seat in fields.get("players", ()):
        if not isinstance(seat, str) and seat.get("stake") is not None:
            yield "stake", seat["stake"]
