"""The 512 throws, counted all, beside a twin that knows nothing of the rules' code."""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import product

import pytest

from games import stone
from games.dice import every_throw
from games.stone_hand.hands import classify
from games.stone_hand.messages import Options

HOME = (1, 3, 6)

# fmt: off
COUNTS = [
    ("wrap",     {"pair": 168, "run": 48, "triple": 8, "triad": 12, "home": 6, "empty": 270}),
    ("straight", {"pair": 168, "run": 36, "triple": 8, "triad": 12, "home": 6, "empty": 282}),
]
# fmt: on


@pytest.mark.parametrize(("runs", "counts"), COUNTS)
def test_the_512_throws_fall_into_the_published_counts(
    runs: stone.Runs, counts: dict[str, int]
) -> None:
    options = Options(runs=runs)
    seen = Counter(classify(dice, (HOME,), options).name for dice in every_throw(3, 8))

    assert seen == counts
    assert sum(seen.values()) == 512


@pytest.mark.parametrize("runs", ["wrap", "straight"])
def test_a_twin_by_brute_force_agrees_on_every_throw(runs: stone.Runs) -> None:
    options = Options(runs=runs)
    for dice in product(range(1, 9), repeat=3):
        hand = classify(dice, (HOME,), options)
        assert (hand.name, hand.score) == twin(dice, wrap=runs == "wrap")


def twin(dice: Iterable[int], *, wrap: bool) -> tuple[str, int | None]:
    faces = set(dice)
    if len(faces) == 1:
        return "triple", min(faces)
    if len(faces) == 2:
        counted = Counter(dice)
        return "pair", next(face for face in faces if counted[face] == 1)
    for middle in range(1, 9):
        beside = {(middle - 2) % 8 + 1, middle, middle % 8 + 1}
        if faces == beside and (wrap or max(faces) - min(faces) == 2):
            return "run", middle
    if faces in ({1, 4, 7}, {2, 5, 8}):
        return "triad", None
    return ("home" if faces == set(HOME) else "empty"), None


def test_scores_of_pairs_and_runs_are_equally_likely() -> None:
    hands = [classify(dice, (), Options()) for dice in every_throw(3, 8)]

    for score in range(1, 9):
        pairs = sum(hand.name == "pair" and hand.score == score for hand in hands)
        runs = sum(hand.name == "run" and hand.score == score for hand in hands)
        assert (pairs, runs) == (21, 6)
    assert Fraction(168, 512) == Fraction(21 * 8, 512)


def test_h2_finds_junk_as_often_as_a_count_of_sets_says() -> None:
    hands = Counter(stone.junk(dice, "straight").name for dice in every_throw(3, 8))

    assert hands == {
        "pair": 168, "run": 36, "triple": 8, "triad": 12,
        "show_up": 6, "double_show_up": 6, "junk": 276,
    }  # fmt: skip
