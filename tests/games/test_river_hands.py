"""The forty hands of River: counted over every outcome, beside a slow twin that tries them all."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.river.hands import (
    OUTCOMES,
    RANKS,
    SIDES,
    SIZES,
    TABLE,
    WAYS,
    best,
    best_with,
    chance_in_print,
    every_outcome,
)
from tests.forms import how_often

# fmt: off
# The Chance column as printed, in hundredths of a percent, from the first row to the last.
PRINTED = (
    16, 22, 47, 83, 104, 141, 156, 174, 195, 215, 269, 293, 336, 366, 452, 504, 509, 696, 770, 833,
    860, 951, 1062, 1072, 1186, 1312, 1636, 1810, 1833, 2003, 2256, 2497, 2497, 2763, 2763, 3083,
    3811, 3811, 4750, 5256,
)

# (dice, row, its own values)
MADE = [
    ((3, 5, 7, 9, 11),  1,  (11, 9, 7, 5, 3)),
    ((4, 6, 8, 10, 12), 1,  (12, 10, 8, 6, 4)),
    ((4, 5, 6, 7, 8),   7,  (8, 7, 6, 5, 4)),
    ((4, 6, 8, 9, 11),  20, (11,)),
    ((1, 1, 7, 9, 11),  3,  (11, 9, 7)),
    ((1, 1, 1, 10, 10), 13, (10, 10)),
    ((1, 6, 7, 8, 9),   4,  (9, 8, 7, 6)),
    ((2, 2, 2, 2, 12),  20, (12,)),
    ((2, 2, 2, 2, 2),   30, (2, 2, 2, 2, 2)),
    ((1, 1, 1, 1, 3),   34, (1, 1, 1, 1)),
    ((4, 3, 2, 2, 1),   35, (4, 3, 2, 1)),
    ((1, 2, 3, 2, 1),   38, (3, 2, 1)),
    ((1, 1, 2, 2, 4),   40, (2, 2)),
    ((4, 1, 4, 1, 1),   37, (1, 1, 1)),
    ((1, 2, 5, 2, 1),   39, (5,)),
]
# fmt: on


def ways_of(dice: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Every choice of some of the dice, values highest first."""
    return {
        tuple(sorted(chosen, reverse=True))
        for number in range(1, 6)
        for chosen in combinations(dice, number)
    }


def slow(dice: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    mine = ways_of(dice)
    return next((way.rank, way.values) for way in WAYS if way.values in mine)


def test_the_table_has_forty_rows_each_named_once() -> None:
    assert len(TABLE) == len({name for name, _ in TABLE}) == len(RANKS) == 40
    assert all(list(ways) == sorted(ways, reverse=True) for _, ways in TABLE)
    assert all(list(way.values) == sorted(way.values, reverse=True) for way in WAYS)


def test_every_outcome_makes_one_of_the_forty_hands_as_often_as_counted() -> None:
    """RV5. The figures of the house, and no outcome without a hand."""
    counted = Counter(best(dice).rank for dice in every_outcome())

    assert sum(counted.values()) == OUTCOMES == 23_040
    assert set(counted) <= set(RANKS)
    assert (counted[1], counted[20], counted[29], counted[40]) == (2, 3704, 5352, 180)


def test_row_30_can_be_formed_in_four_ways() -> None:
    quintuples = [dice for dice in every_outcome() if len(set(dice)) == 1]

    assert len(quintuples) == 4
    assert {best(dice).rank for dice in quintuples} == {30}


def test_every_outcome_is_judged_as_by_trying_all_choices() -> None:
    for dice in every_outcome():
        hand = best(dice)
        assert (hand.rank, hand.values) == slow(dice), dice


@pytest.mark.parametrize(("dice", "rank", "values"), MADE)
def test_five_dice_make_the_highest_hand_in_them(
    dice: tuple[int, ...], rank: int, values: tuple[int, ...]
) -> None:
    hand = best(dice)

    assert (hand.rank, hand.name, hand.values) == (rank, TABLE[rank - 1][0], values)


def test_the_published_chance_is_its_formula() -> None:
    """RV8: the same for every way of a row, and to the hundredth of a percent what is printed."""
    for rank, printed in zip(RANKS, PRINTED, strict=True):
        chances = {chance_in_print(way) for way in WAYS if way.rank == rank}
        assert len(chances) == 1
        assert abs(chances.pop() * 10_000 - printed) <= 1
    assert chance_in_print(WAYS[0]) == Fraction(29, 40) * Fraction(19, 40) * Fraction(
        37, 120
    ) * Fraction(11, 60) * Fraction(1, 12)


outcomes = st.tuples(*(st.integers(1, sides) for sides in SIDES))
wons = st.tuples(*(st.none() | st.integers(1, sides) for sides in SIDES))


@settings(max_examples=how_often(150), deadline=None)
@given(outcomes, wons)
def test_won_dice_count_as_by_trying_every_replacement(
    hole: tuple[int, ...], won: tuple[int | None, ...]
) -> None:
    """RV4: one die of each size, the hole die or the one that was won."""
    choices = [
        (own,) if other is None else (own, other) for own, other in zip(hole, won, strict=True)
    ]
    expected = min((slow(dice) for dice in product(*choices)), key=lambda each: worth(*each))

    made = best_with(hole, won)

    assert (made.hand.rank, made.hand.values) == expected
    assert slow(made.dice) == expected
    assert made.dice == tuple(
        other if size in made.replaced and other is not None else own
        for size, own, other in zip(SIZES, hole, won, strict=True)
    )


@settings(max_examples=how_often(150), deadline=None)
@given(outcomes, wons)
def test_every_die_replaced_is_one_that_the_hand_needs(
    hole: tuple[int, ...], won: tuple[int | None, ...]
) -> None:
    made = best_with(hole, won)

    for place, size in enumerate(SIZES):
        if size in made.replaced:
            without = (*made.dice[:place], hole[place], *made.dice[place + 1 :])
            assert slow(without) != slow(made.dice)


def worth(rank: int, values: tuple[int, ...]) -> tuple[int, ...]:
    return (rank, *(-value for value in values))
