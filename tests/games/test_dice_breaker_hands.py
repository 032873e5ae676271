"""What dice make in dice breaker, and what is higher."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations, combinations_with_replacement

import pytest

from games.dice import Dice, every_throw
from games.dice_breaker.hands import (
    DICE,
    LOW_TO_HIGH,
    SIDES,
    Hand,
    HandName,
    TieBy,
    hand_of,
    points,
    strength,
)

# fmt: off
# (dice, what they make, of which faces)
HANDS: list[tuple[Dice, HandName, Dice]] = [
    ((),                    "nothing",    ()),
    ((6,),                  "nothing",    ()),
    ((1, 2, 3, 4, 6),       "nothing",    ()),
    ((1, 3, 4, 5, 6),       "nothing",    ()),
    ((1, 2, 3, 3, 6),       "pair",       (3,)),
    ((1, 2, 3, 3, 1),       "two_pairs",  (3, 1)),
    ((4, 2, 4, 3, 4),       "three",      (4,)),
    ((5, 3, 1, 2, 4),       "straight",   (5,)),
    ((6, 5, 4, 3, 2),       "straight",   (6,)),
    ((2, 5, 2, 5, 2),       "full_house", (2, 5)),
    ((1, 1, 6, 1, 1),       "four",       (1,)),
    ((6, 6, 6, 6, 6),       "five",       (6,)),
    # A hand with fewer dice plays what it has.
    ((2, 2),                "pair",       (2,)),
    ((2, 2, 5, 5),          "two_pairs",  (5, 2)),
    ((1, 2, 3, 4),          "nothing",    ()),
    ((3, 3, 3, 3),          "four",       (3,)),
    # Of more than five the best five count.
    ((1, 2, 3, 4, 5, 6),    "straight",   (6,)),
    ((1, 2, 3, 4, 5, 5, 5), "straight",   (5,)),
    ((1, 2, 3, 3, 5, 5, 5), "full_house", (5, 3)),
    ((1, 1, 2, 2, 3, 3),    "two_pairs",  (3, 2)),
    ((4, 4, 4, 5, 5, 5),    "full_house", (5, 4)),
    ((4, 4, 4, 1, 1, 6, 6), "full_house", (4, 6)),
    ((4, 4, 4, 4, 6, 6, 6), "four",       (4,)),
    ((2, 2, 2, 2, 2, 2, 6), "five",       (2,)),
]
# fmt: on


@pytest.mark.parametrize(("dice", "name", "faces"), HANDS)
def test_dice_make_their_highest_hand(dice: Dice, name: HandName, faces: Dice) -> None:
    assert hand_of(dice) == Hand(name, faces)


def test_hands_score_in_the_order_of_the_rules() -> None:
    assert {name: points(name) for name in LOW_TO_HIGH} == {
        "nothing": 0,
        "pair": 1,
        "two_pairs": 2,
        "three": 3,
        "straight": 4,
        "full_house": 5,
        "four": 6,
        "five": 0,  # it wins the game
    }


# fmt: off
HIGHER: list[tuple[TieBy, Dice, Dice, int]] = [
    ("category", (6, 6, 1, 2, 3), (1, 1, 2, 3, 4),  0),
    ("face",     (6, 6, 1, 2, 3), (1, 1, 2, 3, 4),  1),
    ("face",     (6, 6, 1, 2, 3), (6, 6, 2, 4, 5),  0),   # the odd dice do not count
    ("face",     (6, 6, 1, 1, 3), (6, 6, 2, 2, 1), -1),
    ("face",     (2, 2, 2, 6, 6), (3, 3, 3, 1, 1), -1),   # three before two
    ("face",     (1, 2, 3, 4, 5), (2, 3, 4, 5, 6), -1),
    ("face",     (6, 6, 6, 1, 2), (1, 2, 3, 4, 5), -1),   # the name before the face
    ("face",     (6, 6, 6, 6, 6), (1, 1, 1, 1, 1),  0),   # two fives share
]
# fmt: on


@pytest.mark.parametrize(("tie_by", "one", "other", "sign"), HIGHER)
def test_which_hand_is_higher(tie_by: TieBy, one: Dice, other: Dice, sign: int) -> None:
    mine, theirs = (strength(hand_of(dice), tie_by) for dice in (one, other))

    assert (mine > theirs) - (mine < theirs) == sign


def test_of_five_dice_each_hand_comes_as_often_as_it_must() -> None:
    assert Counter(hand_of(dice).name for dice in every_throw(DICE, SIDES)) == {
        "nothing": 480,
        "pair": 3600,
        "two_pairs": 1800,
        "three": 1200,
        "straight": 240,
        "full_house": 300,
        "four": 150,
        "five": 6,
    }


@pytest.mark.parametrize(
    "six",
    [
        pytest.param(combinations_with_replacement(range(1, SIDES + 1), 6), id="in order"),
        pytest.param(every_throw(6, SIDES), id="as they fell", marks=pytest.mark.long),
    ],
)
def test_of_six_dice_no_five_make_a_higher_hand(six: Iterable[tuple[int, ...]]) -> None:
    for dice in six:
        of_five = [hand_of(five) for five in combinations(dice, DICE)]
        assert strength(hand_of(dice), "face") == max(strength(each, "face") for each in of_five)
