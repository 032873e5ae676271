"""Dice breaker's odds beside brute force and icepool."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

import icepool
import pytest

from games.dice_breaker.hands import LOW_TO_HIGH, TieBy, points
from games.dice_breaker.odds import NOTHING, by_name, counts, round_of

# rules.md, "Exact odds that must come out": five dice, 7776
FIVE = {"nothing": 480, "pair": 3600, "two_pairs": 1800, "three": 1200, "straight": 240,
        "full_house": 300, "four": 150, "five": 6}  # fmt: skip


def test_five_dice_come_out_as_published() -> None:
    """DB4."""
    assert by_name(5) == FIVE


def name_of_five(dice: tuple[int, ...]) -> str:
    """Of five dice, or fewer: from how often faces come."""
    often = sorted(Counter(dice).values(), reverse=True)
    shapes = {(5,): "five", (4,): "four", (3, 2): "full_house", (3,): "three", (2, 2): "two_pairs",
              (2,): "pair"}  # fmt: skip
    for shape, name in shapes.items():
        if tuple(often[: len(shape)]) == shape:
            return name
    return "straight" if len(dice) == 5 and set(dice) in STRAIGHTS else "nothing"


STRAIGHTS = [{1, 2, 3, 4, 5}, {2, 3, 4, 5, 6}]


@cache
def name_of(dice: tuple[int, ...]) -> str:
    """DB9: the best five of them."""
    return max(map(name_of_five, combinations(dice, min(5, len(dice)))), key=names.index)


names: list[str] = list(LOW_TO_HIGH)


@pytest.mark.parametrize("dice", [1, 2, 3, 4, 5, 6])
def test_brute_force_makes_the_same_hands(dice: int) -> None:
    """DB4, DB8: all 6 ** n throws."""
    found = Counter(name_of(tuple(sorted(lie))) for lie in product(range(1, 7), repeat=dice))

    assert {name: ways for name, ways in by_name(dice).items() if ways} == found


@pytest.mark.parametrize("dice", [4, 5, 6, 7])
def test_icepool_counts_the_same(dice: int) -> None:
    die = icepool.d(6).pool(dice).expand().map(lambda lie: name_of(tuple(lie)))

    assert by_name(dice) == {name: die.quantity(name) for name in reversed(names)}


@pytest.mark.parametrize("dice", [4, 5, 6, 7])
def test_every_throw_makes_one_hand(dice: int) -> None:
    assert sum(by_name(dice).values()) == 6**dice
    assert [sum(counts(dice - 1, trump)[hand] for trump in range(1, 7)
                for hand in counts(dice - 1, trump) if hand.name == name)
            for name in LOW_TO_HIGH] == [by_name(dice)[name] for name in LOW_TO_HIGH]  # fmt: skip


def strength(dice: tuple[int, ...], tie_by: TieBy) -> Any:
    """DB5: by name, or also by the faces that make it, those that come oftener first."""
    name = name_of(tuple(sorted(dice)))
    if tie_by == "category" or name == "five":
        return (names.index(name),)
    counted = Counter(dice)
    if name == "straight":
        return names.index(name), max(max(each) for each in STRAIGHTS if each <= set(dice))
    faces = sorted(counted, key=lambda face: (counted[face], face), reverse=True)
    makes = {"pair": 1, "two_pairs": 2, "three": 1, "full_house": 2, "four": 1, "nothing": 0}[name]
    return names.index(name), tuple(faces[:makes])


@pytest.mark.parametrize("tie_by", ["category", "face"])
def test_two_players_share_as_all_their_throws_say(tie_by: TieBy) -> None:
    """DB5: three dice each."""
    lies = Counter(strength(lie, tie_by) for lie in product(range(1, 7), repeat=3))
    shared = expected = Fraction(0)
    for (a, x), (b, y) in product(lies.items(), repeat=2):
        chance = Fraction(x * y, 6**6)
        best = max(a, b)
        shared += chance * (a == b and best[0] > 0)
        expected += chance * points(LOW_TO_HIGH[best[0]]) / 2

    found = round_of(2, 3, tie_by)

    assert (found.shared, found.expected) == (shared, expected)
    assert found.best(NOTHING) == Fraction(lies[min(lies)], 6**3) ** 2


@pytest.mark.parametrize("tie_by", ["category", "face"])
def test_the_trump_is_one_die_for_all(tie_by: TieBy) -> None:
    """DB9: two dice each and the trump, which is in both hands."""
    shared = Fraction(0)
    for trump in range(1, 7):
        lies = Counter(strength((*lie, trump), tie_by) for lie in product(range(1, 7), repeat=2))
        alike = sum(ways**2 for best, ways in lies.items() if best[0] > 0)
        shared += Fraction(alike, 6**5)

    assert round_of(2, 2, tie_by, trump=True).shared == shared


@pytest.mark.parametrize("players", [2, 6, 10])
@pytest.mark.parametrize("trump", [False, True])
def test_chances_add_up(players: int, trump: bool) -> None:  # noqa: FBT001 - a row's value
    found = round_of(players, 5, "face", trump=trump)

    assert sum(found.highest.values()) == 1
    assert found.best("five") > 0
