"""
The forty hands of River (RV5), with a fast look-up: what five dice make, and what won dice improve.

Each row of the table can be made in one or several *ways*, each naming the values it needs. A way
is a bit; the ways that five dice make are an AND of twelve masks, one for each value, and the
lowest bit left is the best of them. All outcomes are looked up once and kept, one byte each.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import Final

from games.dice import Dice, faces

SIDES: Final = (4, 6, 8, 10, 12)
SIZES: Final = tuple(f"d{sides}" for sides in SIDES)
OUTCOMES: Final = prod(SIDES)
STRIDES: Final = tuple(prod(SIDES[size + 1 :]) for size in range(len(SIDES)))  # mixed radix

# Highest row first, as in the game's table; within a row the highest values first.
TABLE: Final[tuple[tuple[str, tuple[Dice, ...]], ...]] = (
    ("Perfect Odd/Even River", ((12, 10, 8, 6, 4), (11, 9, 7, 5, 3))),
    ("Perfect Odd/Even Turn", ((12, 10, 8, 6), (11, 9, 7, 5))),
    ("Perfect Odd/Even Flop", ((12, 10, 8), (11, 9, 7))),
    ("Perfect Turn", ((9, 8, 7, 6),)),
    ("Perfect Flop", ((10, 9, 8),)),
    ("High Odd/Even River", ((10, 8, 6, 4, 2), (9, 7, 5, 3, 1))),
    ("Perfect River", ((8, 7, 6, 5, 4),)),
    ("High Flop", ((9, 8, 7),)),
    ("High Odd/Even Turn", ((10, 8, 6, 4), (9, 7, 5, 3))),
    ("High Turn", ((8, 7, 6, 5),)),
    ("High Odd/Even Flop", ((10, 8, 6), (9, 7, 5))),
    ("Triple 7s/8s", ((8, 8, 8), (7, 7, 7))),
    ("Double 9s/10s", ((10, 10), (9, 9))),
    ("High River", ((7, 6, 5, 4, 3),)),
    ("Ordinary Flop", ((8, 7, 6),)),
    ("Ordinary Turn", ((7, 6, 5, 4),)),
    ("Quadruple 5s/6s", ((6, 6, 6, 6), (5, 5, 5, 5))),
    ("Low Flop", ((7, 6, 5),)),
    ("Odd/Even Turn", ((8, 6, 4, 2), (7, 5, 3, 1))),
    ("High 11/12", ((12,), (11,))),
    ("River", ((6, 5, 4, 3, 2),)),
    ("Double 7s/8s", ((8, 8), (7, 7))),
    ("Odd/Even Flop", ((8, 6, 4), (7, 5, 3))),
    ("Triple 5s/6s", ((6, 6, 6), (5, 5, 5))),
    ("Low Turn", ((6, 5, 4, 3),)),
    ("Low River", ((5, 4, 3, 2, 1),)),
    ("Flop 6", ((6, 5, 4),)),
    ("Turn 5", ((5, 4, 3, 2),)),
    ("High 9/10", ((10,), (9,))),
    ("Quintuple 1s/2s/3s/4s", tuple((value,) * 5 for value in (4, 3, 2, 1))),
    ("Double 5s/6s", ((6, 6), (5, 5))),
    ("Low Odd/Even Flop", ((6, 4, 2), (5, 3, 1))),
    ("Flop 5", ((5, 4, 3),)),
    ("Quadruple 1s/2s/3s/4s", tuple((value,) * 4 for value in (4, 3, 2, 1))),
    ("Turn 4", ((4, 3, 2, 1),)),
    ("High 7/8", ((8,), (7,))),
    ("Triple 1s/2s/3s/4s", tuple((value,) * 3 for value in (4, 3, 2, 1))),
    ("Flop 3/4", ((4, 3, 2), (3, 2, 1))),
    ("High 5/6", ((6,), (5,))),
    ("Double 1s/2s/3s/4s", tuple((value,) * 2 for value in (4, 3, 2, 1))),
)
RANKS: Final = range(1, len(TABLE) + 1)


@dataclass(frozen=True, slots=True)
class Hand:
    """
    :param rank: the row of the table; 1 is the highest.
    :param values: the values of the dice that the row names, highest first.
    """

    rank: int
    name: str
    values: Dice


@dataclass(frozen=True, slots=True)
class Made:
    """
    The best hand that somebody can lay (RV4).

    :param dice: one of each size.
    :param replaced: the sizes whose won die the hand needs in place of the hole die.
    """

    hand: Hand
    dice: Dice
    replaced: tuple[str, ...] = ()


# Every way of every row, best first; within a row the highest values first.
WAYS: Final = tuple(
    Hand(rank, name, values) for rank, (name, ways) in enumerate(TABLE, 1) for values in ways
)


def every_outcome() -> Iterator[Dice]:
    """The sample space of five dice, one of each size: 23 040 throws, all equally likely."""
    return product(*map(faces, SIDES))


def best(dice: Sequence[int]) -> Hand:
    """The highest hand in these five dice, one of each size (RV5)."""
    return WAYS[_best_ways()[sum(map(_place, range(len(SIDES)), dice))]]


def best_with(hole: Sequence[int], won: Sequence[int | None]) -> Made:
    """
    The highest hand of the hole dice, each perhaps replaced by the won die of its size (RV4).

    :param won: for each size the face of the die won, or None. Of equal hands, the one that
        replaces fewest dice counts, so that every die replaced is one that the hand needs.
    """
    ways = _best_ways()
    laid = (
        (ways[sum(places)], replacing)
        for places, replacing in zip(
            product(*_places(hole, won)), product(*map(_dice_kept, won)), strict=True
        )
    )
    way, replacing = min(laid, key=lambda each: (each[0], sum(each[1]), each[1]))
    dice = tuple(
        own if other is None or not takes else other
        for own, other, takes in zip(hole, won, replacing, strict=True)
    )
    sizes = tuple(size for size, takes in zip(SIZES, replacing, strict=True) if takes)
    return Made(WAYS[way], dice, sizes)


def chance_in_print(hand: Hand) -> Fraction:
    """
    The chance that the table prints beside a hand (RV8); it is no probability.

    It is the product, over the hand's values v, of the sum of 1/n over the dice with n >= v sides.
    """
    return prod(
        (sum((Fraction(1, n) for n in SIDES if n >= value), Fraction()) for value in hand.values),
        start=Fraction(1),
    )


def _place(size: int, face: int) -> int:
    """The part that a face adds to the index of an outcome among all outcomes."""
    return (face - 1) * STRIDES[size]


def _places(hole: Sequence[int], won: Sequence[int | None]) -> list[tuple[int, ...]]:
    return [
        (_place(size, own),) if other is None else (_place(size, own), _place(size, other))
        for size, (own, other) in enumerate(zip(hole, won, strict=True))
    ]


def _dice_kept(other: int | None) -> tuple[bool, ...]:
    return (False,) if other is None else (False, True)


@cache
def _best_ways() -> bytes:
    """For each outcome, in order, the index of its best way in WAYS."""
    enough = [_ways_to_make(value) for value in range(max(SIDES) + 1)]
    return bytes(_best_way(dice, enough) for dice in every_outcome())


def _ways_to_make(value: int) -> list[int]:
    """For each number of dice showing `value`: the ways, as bits, that need no more of them."""
    needs = [way.values.count(value) for way in WAYS]
    return [
        sum(1 << place for place, need in enumerate(needs) if need <= showing)
        for showing in range(len(SIDES) + 1)
    ]


def _best_way(dice: Dice, enough: list[list[int]]) -> int:
    made = -1
    showing = Counter(dice)
    for value in faces(max(SIDES)):
        made &= enough[value][showing[value]]
    return (made & -made).bit_length() - 1
