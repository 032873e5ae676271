"""River's odds beside twins that try every way on every outcome."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import icepool
import pytest

from games.river.hands import RANKS, SIDES, SIZES, TABLE, Hand, best
from games.river.odds import NO_PROBABILITY, Others, auction, rows, standing, unseen

Dice = tuple[int, ...]

# fmt: off
PUBLISHED = [
    # rules.md: of 23 040, the row is the best; RV5
    (1, 2), (20, 3704), (29, 5352), (40, 180),
]
# fmt: on


@pytest.mark.parametrize(("rank", "ways"), PUBLISHED)
def test_best_rows_come_out_as_published(rank: int, ways: int) -> None:
    assert rows()[rank - 1].best == ways


def test_row_thirty_is_the_second_rarest() -> None:
    """RV8: it can be formed in 4 ways, although the table prints 20 % beside it."""
    by_formed = sorted(rows(), key=lambda row: row.formed)

    assert [(row.rank, row.formed) for row in by_formed[:2]] == [(1, 2), (30, 4)]
    assert 0.2 < by_formed[1].published < 0.201
    assert "no probability" in NO_PROBABILITY


@cache
def outcomes() -> dict[Dice, int]:
    """Sets of faces, and how many of the 23 040 outcomes show them."""
    return Counter(
        tuple(sorted(dice)) for dice in product(*(range(1, sides + 1) for sides in SIDES))
    )


def holds(dice: Dice, way: Dice) -> bool:
    return all(dice.count(value) >= way.count(value) for value in way)


def rank_of(dice: Dice) -> int:
    """The first row of the table of which some way lies there."""
    return next(
        rank for rank, (_, ways) in enumerate(TABLE, 1) if any(holds(dice, way) for way in ways)
    )


@cache
def ranks() -> dict[int, int]:
    found: Counter[int] = Counter()
    for dice, ways in outcomes().items():
        found[rank_of(dice)] += ways
    return dict(found)


def test_every_row_is_formed_as_often_as_a_twin_finds_it() -> None:
    for row, (name, needs) in zip(rows(), TABLE, strict=True):
        formed = sum(
            ways for dice, ways in outcomes().items() if any(holds(dice, way) for way in needs)
        )
        assert (row.name, row.formed) == (name, formed)


def test_the_best_row_is_as_often_as_a_twin_finds_it() -> None:
    assert {row.rank: row.best for row in rows()} == ranks()
    assert sum(row.best for row in rows()) == rows()[-1].at_least == 23040
    assert [row.at_least for row in rows()] == [
        sum(ranks()[higher] for higher in RANKS if higher <= row.rank) for row in rows()
    ]


@pytest.mark.long
def test_icepool_counts_the_same() -> None:
    dice = icepool.tupleize(*(icepool.d(sides) for sides in SIDES))

    found = dice.map(lambda lie: rank_of(tuple(lie)))

    assert {row.rank: Fraction(row.best, 23040) for row in rows()} == {
        rank: Fraction(found.probability(rank)) for rank in RANKS
    }


# --- Against others -------------------------------------------------------------------------------


def test_a_hand_wins_as_often_as_all_hands_of_two_others_say() -> None:
    """RV6, split: counted rank by rank."""
    total = 23040**2
    for rank in (1, 20, 29, 36, 40):
        wins = shares = 0
        pot = Fraction(0)
        for one, two in product(ranks(), repeat=2):
            ways = ranks()[one] * ranks()[two]
            if min(one, two) < rank:
                continue
            equal = (one, two).count(rank)
            wins += ways * (equal == 0)
            shares += ways * (equal > 0)
            pot += Fraction(ways, equal + 1)
        name, values = TABLE[rank - 1]

        found = standing(Hand(rank, name, values[0]), Others(2))

        assert (found.wins, found.shares) == (Fraction(wins, total), Fraction(shares, total))
        assert found.pot == pot / total


def test_equal_rows_are_parted_as_the_option_says() -> None:
    """RV6: by value the higher dice of a row win; a roll-off gives each the same part."""
    high, low = (Hand(20, "High 11/12", (value,)) for value in (12, 11))

    for tie in ("split", "rolloff"):
        assert standing(high, Others(3, tie)) == standing(low, Others(3, tie))
    assert standing(high, Others(3, "high_value")).pot > standing(high, Others(3)).pot
    assert standing(low, Others(3, "high_value")).pot < standing(low, Others(3)).pot


def test_by_value_the_row_s_own_dice_are_compared() -> None:
    """RV6, high_value: against one other, over all outcomes."""
    mine = best((1, 1, 2, 2, 11))
    worse = sum(
        ways
        for dice, ways in outcomes().items()
        if rank_of(dice) > 20 or (rank_of(dice) == 20 and 12 not in dice and 11 not in dice)
    )
    equal = sum(ways for dice, ways in outcomes().items() if rank_of(dice) == 20 and 12 not in dice)

    found = standing(mine, Others(1, "high_value"))

    assert (found.wins, found.shares) == (Fraction(worse, 23040), Fraction(equal, 23040))


# --- The auction ----------------------------------------------------------------------------------

# fmt: off
AUCTIONS = [
    # hole dice          the banker's
    ((4, 6, 8, 10, 12),  (1, 2, 3, 4, 5)),
    ((1, 2, 2, 4, 5),    (3, 4, 7, 9, 11)),
    ((2, 2, 2, 2, 9),    (2, 1, 8, 10, 2)),
]
# fmt: on


@pytest.mark.parametrize(("hole", "banker"), AUCTIONS)
def test_each_combination_of_lots_makes_the_best_that_can_be_laid(hole: Dice, banker: Dice) -> None:
    """RV4: a won die may replace the hole die of its size."""
    found = {each.sizes: each for each in auction(hole, banker, Others(3))}

    assert len(found) == 32
    for many in range(6):
        for won in combinations(range(5), many):
            laid = product(
                *((own, other) if lot in won else (own,)
                  for lot, (own, other) in enumerate(zip(hole, banker, strict=True)))
            )  # fmt: skip
            rank = min(map(rank_of, laid))
            each = found[tuple(SIZES[lot] for lot in won)]
            assert each.made.hand.rank == rank
            assert each.rows == rank_of(hole) - rank
            assert rank_of(each.made.dice) == rank


def test_before_the_banker_throws_each_face_is_as_likely() -> None:
    """RV3, RV4."""
    hole = (1, 2, 2, 4, 5)
    for each, (lot, sides) in zip(unseen(hole, Others(3)), enumerate(SIDES), strict=True):
        faces = [
            min(rank_of(hole), rank_of((*hole[:lot], face, *hole[lot + 1 :])))
            for face in range(1, sides + 1)
        ]
        assert each.size == SIZES[lot]
        assert each.ranks == {rank: Fraction(many, sides) for rank, many in Counter(faces).items()}
        assert each.improves == Fraction(sum(rank < rank_of(hole) for rank in faces), sides)
