"""
p-values of four textbook tests, with `math` alone: chi-square, binomial, Clopper-Pearson, Fisher.

The probability of a single count follows Loader ("Fast and Accurate Computation of Binomial
Probabilities", 2000). It is computed from the distance between the count and the expected count.
That distance is a whole number, so no large numbers cancel. A tail is summed from the count
outward; each term is computed from the term before it. The relative error is below 1e-10 for a
million throws. The tests compare all four with scipy.

Pure: no clock, no random numbers, no Django.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from fractions import Fraction
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TIE_TOLERANCE: Final = 1 + 1e-7
"""Probabilities this close count as equal, so that rounding breaks no tie (as in R and scipy)."""
NEGLIGIBLE: Final = 2.0**-60
STIRLING_MIN: Final = 16
BISECTIONS: Final = 60


def chi_square_p(statistic: float, degrees: int) -> float:
    """
    The upper tail of the chi-square distribution: the p-value of a statistic.

    For whole degrees of freedom it is a finite sum (Abramowitz and Stegun 26.4.4, 26.4.5). Let y be
    half the statistic. For even degrees the sum is exp(-y) * y^i / i!, with i from 0 to
    degrees/2 - 1. For odd degrees it is erfc(sqrt(y)) plus exp(-y) * y^i / gamma(i + 1), with i
    from 1/2 to degrees/2 - 1.
    """
    half = statistic / 2
    if half <= 0:
        return 1.0
    odd = degrees % 2
    powers = (step + odd / 2 for step in range(degrees // 2))
    terms = [math.exp(each * math.log(half) - half - math.lgamma(each + 1)) for each in powers]
    return math.fsum([*terms, math.erfc(math.sqrt(half)) if odd else 0.0])


def binomial_test(count: int, throws: int, chance: Fraction) -> float:
    """
    The exact binomial test, two-sided: the probability of all counts no likelier than this one.

    :param chance: the probability of a hit in each throw, above 0 and below 1.
    """
    expected = throws * chance
    if count == expected:
        return 1.0
    if count > expected:
        return binomial_test(throws - count, throws, 1 - chance)
    bound = _binomial_pmf(count, throws, chance) * TIE_TOLERANCE
    beyond = range(math.ceil(expected), throws + 1)
    far = bisect_left(beyond, x=True, key=lambda each: _binomial_pmf(each, throws, chance) <= bound)
    above = _upper_tail(beyond[far], throws, chance) if far < len(beyond) else 0.0
    return min(1.0, _lower_tail(count, throws, chance) + above)


def clopper_pearson(count: int, throws: int, confidence: float) -> tuple[float, float]:
    """
    The exact confidence interval of a probability (Clopper and Pearson 1934).

    At the lower end a count as large as this one has the probability (1 - confidence) / 2. At the
    upper end a count as small as this one has it.
    """
    tail, share = (1 - confidence) / 2, count / throws
    low, high = 0.0, 1.0
    if count:
        low = _bisect(lambda p: _upper_tail(count, throws, Fraction(p)) > tail, 0.0, share)
    if count < throws:
        high = _bisect(lambda p: _lower_tail(count, throws, Fraction(p)) <= tail, share, 1.0)
    return low, high


def fisher_exact(hits: int, drawn: int, marked: int, population: int) -> float:
    """
    Fisher's exact test, one-sided: the probability of `hits` or more marked ones in a sample.

    A hypergeometric probability is a quotient of three binomial ones (Loader 2000, section 5).

    :param hits: how many of the sample are marked.
    :param drawn: the size of the sample.
    :param marked: how many of the population are marked.
    """
    low = max(0, drawn + marked - population)
    if hits <= low:
        return 1.0
    if hits > min(drawn, marked):
        return 0.0

    def ratio(at: int) -> float:
        """The probability of `at` + 1 hits, divided by that of `at` hits."""
        return (marked - at) * (drawn - at) / ((at + 1) * (population - marked - drawn + at + 1))

    if hits * population >= drawn * marked:
        first = _hypergeometric_pmf(hits, drawn, marked, population)
        return _sum_terms(first, (ratio(at) for at in range(hits, min(drawn, marked) + 1)))
    first = _hypergeometric_pmf(hits - 1, drawn, marked, population)
    fewer = _sum_terms(first, (1 / ratio(at - 1) for at in range(hits - 1, low, -1)))
    return 1 - fewer


def _lower_tail(count: int, throws: int, chance: Fraction) -> float:
    """The lower tail, for a count that is not above the expected count."""
    odds = float((1 - chance) / chance)
    ratios = (odds * at / (throws - at + 1) for at in range(count, -1, -1))
    return _sum_terms(_binomial_pmf(count, throws, chance), ratios)


def _upper_tail(count: int, throws: int, chance: Fraction) -> float:
    return _lower_tail(throws - count, throws, 1 - chance)


def _sum_terms(term: float, ratios: Iterator[float]) -> float:
    """Sum a series from its first term and the ratios of its terms, until a term is negligible."""
    total = term
    for ratio in ratios:
        term *= ratio
        total += term
        if term <= total * NEGLIGIBLE:
            break
    return total


def _binomial_pmf(count: int, throws: int, chance: Fraction) -> float:
    """The probability of exactly this count, by Loader's saddle-point expansion."""
    if count in {0, throws}:
        same = 1 - chance if count == 0 else chance  # of each throw: all of them come out alike
        return math.exp(throws * _log_probability(same)) if throws else 1.0
    left = throws - count
    hits, of = chance.as_integer_ratio()
    misses = of - hits
    off = count * of - throws * hits  # count minus expected count, times `of`: a whole number
    far = float(throws * chance) * _deviance(off / (throws * hits))
    far += float(throws * (1 - chance)) * _deviance(-off / (throws * misses))
    beyond = _stirling_error(throws) - _stirling_error(count) - _stirling_error(left)
    return math.exp(beyond - far) * math.sqrt(throws / (2 * math.pi * count * left))


def _hypergeometric_pmf(hits: int, drawn: int, marked: int, population: int) -> float:
    share = Fraction(drawn, population)
    others = _binomial_pmf(drawn - hits, population - marked, share)
    return _binomial_pmf(hits, marked, share) * others / _binomial_pmf(drawn, population, share)


def _deviance(off: float) -> float:
    """(1 + x) log(1 + x) - x, where a count is (1 + x) times the expected count."""
    return (1 + off) * math.log1p(off) - off


def _stirling_error(number: int) -> float:
    """The error of Stirling's formula for log n! (Loader 2000)."""
    if number < STIRLING_MIN:
        formula = (number + 0.5) * math.log(number) - number + math.log(2 * math.pi) / 2
        return math.log(math.factorial(number)) - formula
    square = number * number
    return (1 / 12 - (1 / 360 - (1 / 1260 - 1 / 1680 / square) / square) / square) / number


def _log_probability(chance: Fraction) -> float:
    """The natural log of a probability; close to 1 it is taken from the complement."""
    return math.log1p(-float(1 - chance)) if chance > Fraction(1, 2) else math.log(chance)


def _bisect(holds: Callable[[float], bool], low: float, high: float) -> float:
    """The point from which on a condition holds, by bisection."""
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return (low + high) / 2
