"""Evidence against fair dice: the known answers, and what a fair die is spared (F2)."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.play.dice.surveillance.e_values import (
    ChangeDetector,
    EProcess,
    NoSuchFace,
    discoveries,
    expected_log10_e,
    smallest_tilt,
    throws_needed,
)
from tests.forms import how_often

# R. Wolf threw a white die 20 000 times (Vierteljahrsschrift, Zürich 1893); chi-square 270.957.
WOLF = (3246, 3449, 2897, 2841, 3635, 3932)
# Z. Labby's machine threw twelve dice 26 306 times (Chance 22, 2009); chi-square 24.73, 5 degrees.
LABBY = (53222, 52118, 52465, 52338, 52244, 53285)
LOOKS = 5000


def test_wolf_s_white_die_was_not_fair() -> None:
    assert EProcess.from_counts(WOLF).log10 == pytest.approx(52.6222, abs=1e-3)


def test_labby_s_dice_were_off_by_a_percent() -> None:
    assert EProcess.from_counts(LABBY).log10 >= 1.5


def test_nothing_thrown_is_no_evidence() -> None:
    assert EProcess(8).log10 == 0


@given(st.lists(st.integers(1, 8), max_size=80), st.randoms())
def test_it_does_not_depend_on_the_order_of_throws(faces: list[int], chance: Random) -> None:
    one, other = EProcess(8), EProcess(8)
    for face in faces:
        one.add(face)
    chance.shuffle(faces)
    for face in faces:
        other.add(face)

    assert one.log10 == pytest.approx(other.log10, abs=1e-9)
    assert one.log10 == pytest.approx(EProcess.from_counts(one.counts).log10, abs=1e-9)
    assert one.throws == len(faces)


@given(st.integers(2, 12), st.data())
def test_on_average_a_throw_of_a_fair_die_says_nothing(sides: int, data: st.DataObject) -> None:
    """A martingale: the mean over the next face of the e-value is the e-value now."""
    counts = data.draw(st.lists(st.integers(0, 30), min_size=sides, max_size=sides))
    now = EProcess.from_counts(counts)
    nexts = []
    for face in range(sides):
        after = [seen + (place == face) for place, seen in enumerate(counts)]
        nexts.append(10 ** (EProcess.from_counts(after).log10 - now.log10))

    assert sum(nexts) / sides == pytest.approx(1)


def test_a_fair_die_is_rarely_accused_however_often_it_is_looked_at() -> None:
    """Ville's inequality, over 5 000 looks each: under alpha, with room for a simulation's luck."""
    chance, alpha, dice = Random(1), 0.05, how_often(200, short=40)  # noqa: S311 - dice of a test
    accused = 0
    for _ in range(dice):
        evidence = EProcess(6)
        for _ in range(LOOKS):
            evidence.add(chance.randint(1, 6))
            if evidence.log10 >= 1.301:  # 20
                accused += 1
                break

    assert accused <= alpha * dice


def test_a_fair_die_is_rarely_accused_in_half_a_million_throws() -> None:
    """Slight tilts have priors of their own; looked at each two thousand throws."""
    chance, alpha, dice = Random(3), 0.05, how_often(60, short=4)  # noqa: S311 - dice of a test
    accused = 0
    for _ in range(dice):
        counts = [0] * 6
        for _ in range(250):
            for face, seen in Counter(chance.choices(range(6), k=2000)).items():
                counts[face] += seen
            if EProcess.from_counts(counts).log10 >= 1.301:  # 20
                accused += 1
                break

    assert accused <= alpha * dice


def test_the_change_detector_seldom_alarms_on_fair_dice() -> None:
    chance, threshold, throws = Random(2), 1000, 60_000  # noqa: S311
    change, alarms = ChangeDetector(6), 0
    for _ in range(throws):
        change.add(chance.randint(1, 6))
        if change.value >= threshold:
            change, alarms = ChangeDetector(6), alarms + 1

    assert alarms <= throws / threshold


def test_a_die_that_was_fair_for_long_is_found_soon_after_it_changed() -> None:
    chance, change = Random(3), ChangeDetector(6)  # noqa: S311
    for _ in range(20_000):
        change.add(chance.randint(1, 6))
    assert change.value < 1e6

    late = 0
    while change.value < 1e6:
        change.add(chance.choice((1, 2, 3, 4, 5, 6, 6)))
        late += 1
    assert late < 2000


def test_a_planted_set_is_found_among_fair_ones_and_no_fair_one_is_named() -> None:
    """Twenty sets of d8, looked at ten times each; one shows its eight a third too often."""
    chance, sets = Random(5), 20  # noqa: S311 - dice of a test
    counts = {f"S{number}": [0] * 8 for number in range(sets)}
    named: set[str] = set()
    for _look in range(10):
        for name, seen in counts.items():
            weights = [1.0] * 7 + [4 / 3 if name == "S7" else 1.0]
            for face in chance.choices(range(8), weights, k=600):
                seen[face] += 1
        evidence = {name: EProcess.from_counts(seen).log10 for name, seen in counts.items()}
        named |= discoveries(evidence, alpha=0.001)

    assert named == {"S7"}


@pytest.mark.parametrize("face", [0, 7, -1])
def test_a_face_that_the_die_does_not_have_is_refused(face: int) -> None:
    for watch in (EProcess(6), ChangeDetector(6)):
        with pytest.raises(NoSuchFace, match=f"{face} is no face of a d6"):
            watch.add(face)
    assert EProcess(6).counts == [0] * 6


@pytest.mark.parametrize(
    ("log10s", "chosen"),
    [
        ({}, set()),
        ({"one": 1.9}, set()),
        ({"one": 2.0}, {"one"}),  # K / (k alpha) = 100
        ({"one": 2.0, "other": 0.0}, set()),  # now 200 is needed
        ({"one": 2.1, "other": 2.0}, {"one", "other"}),  # two of two at 100 each
        ({"one": 9.0, "other": 1.9, "third": 0.0}, {"one"}),
    ],
)
def test_among_many_streams_each_needs_more_evidence(
    log10s: dict[str, float], chosen: set[str]
) -> None:
    assert discoveries(log10s, alpha=0.01) == chosen


def test_what_the_numbers_can_show() -> None:
    assert throws_needed(8, 1.1, 0.001) == pytest.approx(22_000, rel=0.2)
    assert throws_needed(8, 1.5, 0.001) == pytest.approx(900, rel=0.25)
    assert smallest_tilt(8, throws_needed(8, 1.5, 0.001), 0.001) == pytest.approx(1.5, abs=0.01)
    assert smallest_tilt(8, 0, 0.001) is None
    assert smallest_tilt(8, 2, 0.001) is None
    assert expected_log10_e(8, 1000, 1.0) < 0
