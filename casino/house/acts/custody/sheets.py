"""
Count sheets: a sheet says how many pieces of each denomination were counted.

A sheet is JSON, ``{"25": 4, "1": 12}``: value of a piece to number of pieces. Both are whole
numbers; pieces of which there are none are left out. Events, requests and forms use this format.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.payments import COINS_MAX
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.house.establishments.models import Establishment

Sheet = dict[str, int]

PIECES_MOST = 1_000_000  # of one denomination at one place


class NotACount(Refused):
    code = "not_a_count"


@dataclass(frozen=True, slots=True)
class Denomination:
    """
    A coin or chip of the house.

    :param value: in the house's smallest coin.
    :param name: its name, or "".
    """

    value: int
    name: str


def denominations(house: Establishment) -> tuple[Denomination, ...]:
    """The house's coins and chips, the greatest first."""
    listed = [Denomination(each["value"], each["name"]) for each in house.denominations]
    return tuple(sorted(listed, key=lambda each: -each.value))


def normalise(house: Establishment, given: Mapping[str, int]) -> Sheet:
    """
    Check a sheet and bring it into the stored form: greatest value first, without zeros.

    :raises NotACount: if a value is no denomination of the house, a number of pieces is not valid,
        or the sum is too large.
    """
    known = {str(each.value) for each in denominations(house)}
    for coin_value, pieces in given.items():
        if coin_value not in known:
            raise NotACount(f"{house} has no coin or chip of {coin_value}: count by its own. B1")
        if type(pieces) is not int or not 0 <= pieces <= PIECES_MOST:
            raise NotACount(f"{coin_value}: a whole number of pieces, from 0 to {PIECES_MOST}. B1")
    if total(given) > COINS_MAX:
        raise NotACount(f"More than {COINS_MAX} coins cannot lie in one place. B1")
    return {value: given[value] for value in sorted(given, key=lambda each: -int(each))
            if given[value]}  # fmt: skip


def total(sheet: Mapping[str, int]) -> int:
    """The sum of a sheet, in the house's smallest coin."""
    return sum(int(value) * pieces for value, pieces in sheet.items())
