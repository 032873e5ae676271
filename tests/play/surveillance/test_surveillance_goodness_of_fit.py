"""Tests of a fixed sample of throws, on data that others have tested before (F2)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, prod

import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.play.dice.surveillance import goodness_of_fit
from casino.play.dice.surveillance.goodness_of_fit import Method
from tests.forms import how_often

# R. Wolf, 1893: 20 000 throws of a white die and a red one; as in Jaynes, "Probability Theory".
WHITE = (3246, 3449, 2897, 2841, 3635, 3932)
RED = (3407, 3631, 3176, 2916, 3448, 3422)
# W. F. R. Weldon, 1894 (Pearson 1900): 26 306 throws of twelve dice, by how many were 5 or 6.
WELDON = (185, 1149, 3265, 5475, 6114, 5194, 3067, 1331, 403, 105, 14, 4, 0)


@pytest.mark.rows(1)
@pytest.mark.parametrize(("counts", "statistic"), [(WHITE, 270.957), (RED, 94.189)])
def test_wolf_s_dice_were_not_fair(counts: tuple[int, ...], statistic: float) -> None:
    found, theirs = goodness_of_fit.chi_square_test(counts), scipy.stats.chisquare(counts)

    assert round(found.statistic, 3) == statistic
    assert (found.method, found.degrees, found.error) == (Method.CHI_SQUARE, 5, 0.0)
    assert found.p == pytest.approx(float(theirs.pvalue), rel=1e-9)
    assert found.statistic == pytest.approx(float(theirs.statistic), rel=1e-12)


def test_weldon_s_dice_showed_five_and_six_too_often() -> None:
    high = sum(shown * times for shown, times in enumerate(WELDON))
    dice = 12 * sum(WELDON)

    assert (high, dice) == (106_602, 315_672)  # 0.33770, as Pearson has it
    found = goodness_of_fit.binomial_test(high, dice, Fraction(1, 3))
    assert found == pytest.approx(2.0e-7, rel=0.05)


def test_each_face_of_wolf_s_white_die_is_held_against_the_others() -> None:
    found = goodness_of_fit.face_tests(WHITE)

    assert [each.face for each in found if each.p_holm < 0.001] == [3, 4, 5, 6]
    assert [each.count for each in found] == list(WHITE)
    for each in found:
        theirs = scipy.stats.binomtest(each.count, 20_000, 1 / 6).pvalue
        assert each.p == pytest.approx(float(theirs), rel=1e-10)


def by_hand(counts: tuple[int, ...]) -> Fraction:
    """Every sequence of throws gone through, as the definition has it."""
    sides, throws = len(counts), sum(counts)
    bound = sum(each * each for each in counts)
    reached = sum(
        sum(thrown.count(face) ** 2 for face in range(sides)) >= bound
        for thrown in product(range(sides), repeat=throws)
    )
    return Fraction(reached, sides**throws)


@pytest.mark.parametrize("counts", [(3, 0), (2, 1, 1), (4, 1, 0, 0), (0, 0, 5), (1, 1, 1, 1, 1, 0)])
def test_the_exact_p_is_that_of_every_sequence(counts: tuple[int, ...]) -> None:
    assert goodness_of_fit.chi_square_test(counts).method == Method.EXACT
    assert goodness_of_fit.exact_p(counts) == pytest.approx(float(by_hand(counts)), rel=1e-12)


@given(st.integers(2, 6), st.integers(1, 14))
@settings(max_examples=how_often(40), deadline=None)
def test_sequences_of_all_partitions_are_all_sequences(sides: int, throws: int) -> None:
    parts = list(goodness_of_fit._partitions(throws, sides, throws))

    assert sum(goodness_of_fit._sequence_count(each, sides) for each in parts) == sides**throws
    assert len(set(parts)) == len(parts) == goodness_of_fit._partition_count(throws, sides)


@pytest.mark.parametrize("sides", [4, 6, 8, 10])
def test_small_samples_are_enumerated(sides: int) -> None:
    assert (
        goodness_of_fit._partition_count(goodness_of_fit.EXPECTED_MIN * sides - 1, sides)
        <= goodness_of_fit.PARTITIONS_MAX
    )
    assert (
        goodness_of_fit.chi_square_test([goodness_of_fit.EXPECTED_MIN] * sides).method
        == Method.CHI_SQUARE
    )


def test_what_is_not_enumerated_is_simulated_and_says_how_far_off_it_may_be() -> None:
    counts = [9, *([4] * 19)]
    found = goodness_of_fit.chi_square_test(counts)

    assert found.method == Method.MONTE_CARLO
    assert found == goodness_of_fit.chi_square_test(counts)  # from a fixed seed
    assert 0 < found.error < 0.004
    p, error = goodness_of_fit.monte_carlo_p((6, 2, 2, 2))
    assert abs(p - goodness_of_fit.exact_p((6, 2, 2, 2))) < 4 * error


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_never_makes_a_p_smaller_nor_changes_their_order(ps: list[float]) -> None:
    adjusted = goodness_of_fit.holm(ps)

    assert all(p <= after <= 1 for p, after in zip(ps, adjusted, strict=True))
    assert adjusted[ps.index(min(ps))] == pytest.approx(min(1, len(ps) * min(ps)))
    by_p = sorted(zip(ps, adjusted, strict=True))
    assert [after for _, after in by_p] == sorted(adjusted)


def test_holm_s_own_steps() -> None:
    assert goodness_of_fit.holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])


def test_a_fair_die_is_called_unfair_as_often_as_alpha_says() -> None:
    """Exactly: the chance that the exact p is 0.05 or less, over all counts of 8 throws of a d4."""
    sides, throws = 4, 8
    chance = Fraction(0)
    for counts in product(range(throws + 1), repeat=sides):
        if sum(counts) == throws and goodness_of_fit.exact_p(counts) <= 0.05:
            left = [throws - sum(counts[:place]) for place in range(sides)]
            ways = prod(comb(n, k) for n, k in zip(left, counts, strict=True))
            chance += Fraction(ways, sides**throws)
    assert 0 < chance <= Fraction(5, 100)


@pytest.mark.parametrize("counts", [(0, 0, 0), ()])
def test_of_nothing_there_is_no_test(counts: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"thrown|faces"):
        goodness_of_fit.chi_square_test(counts)
