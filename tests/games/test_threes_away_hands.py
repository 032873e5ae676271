"""What dice count, and what may be kept of them."""

import pytest

from games.dice import Dice
from games.threes_away.hands import DICE, SIDES, keeps, missing, throws, total, value_of_face

# fmt: off
# (dice, zero, bottoms, what they come to)
TOTALS: list[tuple[Dice, int, bool, int]] = [
    ((3, 3, 3, 3, 3), 3, False, 0),
    ((1, 2, 3, 4, 5), 3, False, 12),
    ((6, 6, 6, 6, 6), 3, False, 30),
    ((3, 1),          6, False, 4),
    ((6, 1),          6, False, 1),
    ((4, 4, 6),       3, True,  1),   # 3, 3 and 1 lie underneath
    ((3,),            3, True,  4),
    ((1, 6),          6, True,  1),   # 6 and 1 lie underneath
    ((),              3, False, 0),
]
# fmt: on


@pytest.mark.parametrize(("dice", "zero", "bottoms", "expected"), TOTALS)
def test_faces_count_their_value_and_the_zero_nothing(
    dice: Dice,
    zero: int,
    bottoms: bool,  # noqa: FBT001 - a column
    expected: int,
) -> None:
    assert total(dice, zero=zero, bottoms=bottoms) == expected


@pytest.mark.parametrize("zero", range(1, SIDES + 1))
def test_one_face_counts_nothing_above_and_underneath(zero: int) -> None:
    faces = range(1, SIDES + 1)

    assert [face for face in faces if value_of_face(face, zero=zero) == 0] == [zero]
    assert [face for face in faces if value_of_face(face, zero=zero, bottoms=True) == 0] == [
        7 - zero
    ]


@pytest.mark.parametrize(
    ("keep", "thrown", "face"),
    [((3,), (3, 4, 4), None), ((4, 4), (4, 3, 4), None), ((3, 3), (3, 4, 4), 3), ((5,), (4,), 5)],
)
def test_only_what_lies_there_is_kept(keep: Dice, thrown: Dice, face: int | None) -> None:
    assert missing(keep, thrown) == face


def test_something_is_kept_of_every_throw() -> None:
    assert list(keeps((4, 3, 4))) == [(3,), (4,), (3, 4), (4, 4), (3, 4, 4)]
    assert list(keeps((6,))) == [(6,)]
    for thrown in throws(3):
        kept = list(keeps(thrown))
        assert len(kept) == len(set(kept))
        assert all(missing(each, thrown) is None for each in kept)


def test_five_dice_fall_in_7776_ways() -> None:
    assert sum(1 for _ in throws(DICE)) == 7776
