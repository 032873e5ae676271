"""Tails of counts, beside their definitions in fractions and beside scipy (decision 0057)."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
import scipy
from hypothesis import example, given, settings
from hypothesis import strategies as st

from casino.play.dice.surveillance import goodness_of_fit

CLOSE = 1e-10
LEAST = 1e-290  # below, floats have fewer digits; nobody reads them


def near(value: float | tuple[float, float], rel: float = CLOSE) -> object:
    return pytest.approx(value, rel=rel, abs=LEAST)


@pytest.mark.rows(60)
@pytest.mark.parametrize("degrees", [*range(1, 31), 99, 255])
@pytest.mark.parametrize("statistic", [0, 1e-9, 0.01, 0.5, 1, 3, 10, 50.5, 300, 1200, 2000])
def test_chi_square_is_scipy_s(statistic: float, degrees: int) -> None:
    assert goodness_of_fit.chi_square_p(statistic, degrees) == near(
        float(scipy.special.chdtrc(degrees, statistic))
    )


def exactly(count: int, throws: int, chance: Fraction) -> Fraction:
    """The two-sided test as it is defined, in fractions."""
    each = [comb(throws, k) * chance**k * (1 - chance) ** (throws - k) for k in range(throws + 1)]
    return sum((p for p in each if p <= each[count]), Fraction(0))


@pytest.mark.parametrize(
    "chance", [Fraction(1, 2), Fraction(1, 6), Fraction(3, 256), Fraction(9, 10)]
)
@pytest.mark.parametrize("throws", [1, 2, 7, 30, 61])
def test_the_binomial_test_is_its_definition(throws: int, chance: Fraction) -> None:
    for count in range(throws + 1):
        assert goodness_of_fit.binomial_test(count, throws, chance) == near(
            float(exactly(count, throws, chance))
        )


chances = st.builds(Fraction, st.integers(1, 99), st.just(100)) | st.builds(
    Fraction, st.just(1), st.integers(2, 100)
)


@st.composite
def counts(draw: st.DrawFn) -> tuple[int, int, Fraction]:
    """A count, mostly one that might well be seen, of up to ten million throws."""
    throws = draw(st.integers(1, 1000) | st.integers(1000, 10_000_000))
    chance = draw(chances)
    spread = float(throws * chance * (1 - chance)) ** 0.5
    seen = float(throws * chance) + draw(st.floats(-8, 8)) * spread
    return min(throws, max(0, round(seen))), throws, chance


@settings(deadline=None)
@given(counts())
@example((26_000, 100_000, Fraction(1, 4)))
def test_the_binomial_test_is_scipy_s(seen: tuple[int, int, Fraction]) -> None:
    count, throws, chance = seen
    theirs = scipy.stats.binomtest(count, throws, float(chance)).pvalue

    assert goodness_of_fit.binomial_test(count, throws, chance) == near(float(theirs))


@pytest.mark.long
@settings(deadline=None)
@given(counts())
def test_the_interval_of_a_chance_is_scipy_s(seen: tuple[int, int, Fraction]) -> None:
    count, throws, _chance = seen
    theirs = scipy.stats.binomtest(count, throws).proportion_ci(0.95, method="exact")

    # scipy looks for the ends by steps, to nine digits.
    assert goodness_of_fit.clopper_pearson(count, throws, 0.95) == near(
        (float(theirs.low), float(theirs.high)), 1e-8
    )


@pytest.mark.parametrize(("count", "throws"), [(0, 12), (1, 1), (3, 40), (40, 40)])
def test_at_the_ends_of_the_interval_a_count_is_as_seldom_as_allowed(
    count: int, throws: int
) -> None:
    low, high = map(Fraction, goodness_of_fit.clopper_pearson(count, throws, 0.95))

    def chance(p: Fraction, seen: range) -> float:
        return float(sum(comb(throws, k) * p**k * (1 - p) ** (throws - k) for k in seen))

    assert count == 0 or chance(low, range(count, throws + 1)) == near(0.025)
    assert count == throws or chance(high, range(count + 1)) == near(0.025)


@settings(deadline=None)
@given(st.integers(0, 60), st.integers(0, 60), st.integers(1, 60), st.integers(0, 60))
def test_fisher_s_test_is_its_definition(marked: int, drawn: int, among: int, of_them: int) -> None:
    drawn, of_them = min(drawn, among), min(of_them, among)
    ways = sum(
        comb(of_them, k) * comb(among - of_them, drawn - k)
        for k in range(marked, min(drawn, of_them) + 1)
    )

    found = goodness_of_fit.fisher_exact(marked, drawn, of_them, among)
    assert found == near(float(Fraction(ways, comb(among, drawn))))


@settings(deadline=None)
@given(
    st.integers(100, 1_000_000),
    st.floats(0.001, 0.999),
    st.floats(0.001, 0.999),
    st.floats(-6, 6),
)
def test_fisher_s_test_is_scipy_s(among: int, drawing: float, marking: float, off: float) -> None:
    drawn, of_them = round(among * drawing), round(among * marking)
    usual = drawn * of_them / among
    spread = (usual * (1 - drawing) * (1 - marking)) ** 0.5
    marked = min(drawn, of_them, max(0, round(usual + off * spread)))
    theirs = float(scipy.stats.hypergeom(among, of_them, drawn).sf(marked - 1))

    # scipy's is a difference of logarithms of gammas: of many throws it has fewer digits than ours.
    assert goodness_of_fit.fisher_exact(marked, drawn, of_them, among) == near(theirs, 1e-8)
