"""
Textbook tests of dice: goodness of fit and p-values, for a sample of a size fixed beforehand.

These p-values are not for continuous monitoring. Whoever looks at one after every throw and stops
when it is small rejects every fair die in the end. For monitoring use
`casino.play.dice.surveillance.e_values`.

Pure: counts, no clock, no Django. Only `Method.MONTE_CARLO` uses random numbers. They come from a
fixed seed, so the same counts always give the same p-value.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

EXPECTED_MIN: Final = 5
"""Expected throws per face from which on the chi-square distribution is used (Cochran 1952)."""
PARTITIONS_MAX: Final = 100_000
"""Most partitions to enumerate. It takes a second and covers a d10 and smaller dice."""
SAMPLES: Final = 20_000
SEED: Final = 1893  # the year of Wolf's white die: any would do, as long as it stays
SIDES_MIN: Final = 2


class NothingThrown(ValueError):  # noqa: N818 - it names the fact
    """There are no throws, so there is nothing to test."""


class Method(StrEnum):
    """How a p-value was found."""

    CHI_SQUARE = "chi-square"
    EXACT = "exact"
    MONTE_CARLO = "monte-carlo"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChiSquareTest:
    """
    Pearson's chi-square test of counts against a fair die.

    :param statistic: Pearson's chi-square.
    :param degrees: of freedom: one fewer than sides.
    :param p: the probability that a fair die gives this statistic or a larger one.
    :param method: how `p` was found.
    :param error: the standard error of `p`; 0 except for Monte Carlo.
    """

    statistic: float
    degrees: int
    p: float
    method: Method
    error: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceTest:
    """
    The exact binomial test of one face against all others.

    :param p: two-sided, not adjusted for multiple comparisons.
    :param p_holm: adjusted for the comparisons of all faces (Holm-Bonferroni).
    """

    face: int
    count: int
    p: float
    p_holm: float


def chi_square_test(counts: Sequence[int]) -> ChiSquareTest:
    """
    Pearson's goodness-of-fit test against a fair die (Pearson 1900).

    With `EXPECTED_MIN` or more expected throws per face, p is read from the chi-square
    distribution. With fewer, p is exact: every way to spread the throws over the faces is
    enumerated, and those with a statistic as large are counted (Cressie and Read 1984 call it the
    exact test of Pearson's statistic). With too many ways to enumerate, p is estimated from
    `SAMPLES` simulated samples of fair dice, and `error` gives its standard error.

    :param counts: by face, 1 first; whole numbers, none below 0.
    :raises NothingThrown: if they are all 0.
    """
    sides, throws = _check_counts(counts)
    squares = sum(each * each for each in counts)
    statistic = (sides * squares - throws * throws) / throws
    if throws >= EXPECTED_MIN * sides:
        p = chi_square_p(statistic, sides - 1)
        return ChiSquareTest(statistic=statistic, degrees=sides - 1, p=p, method=Method.CHI_SQUARE)
    if _partition_count(throws, sides) <= PARTITIONS_MAX:
        p = exact_p(counts)
        return ChiSquareTest(statistic=statistic, degrees=sides - 1, p=p, method=Method.EXACT)
    p, error = monte_carlo_p(counts)
    method = Method.MONTE_CARLO
    return ChiSquareTest(statistic=statistic, degrees=sides - 1, p=p, method=method, error=error)


def exact_p(counts: Sequence[int]) -> float:
    """
    The exact p-value of Pearson's statistic, by enumeration.

    The statistic depends on the counts, but not on which face has which count. So it is enough to
    enumerate the partitions of the throws, each weighted by its number of sequences. All steps but
    the last use whole numbers.
    """
    sides, throws = _check_counts(counts)
    bound = sum(each * each for each in counts)
    found = sum(
        _sequence_count(parts, sides)
        for parts in _partitions(throws, sides, throws)
        if sum(each * each for each in parts) >= bound
    )
    return float(
        found / sides**throws
    )  # Python divides whole numbers of any size, correctly rounded


def monte_carlo_p(counts: Sequence[int]) -> tuple[float, float]:
    """
    The p-value of Pearson's statistic by Monte Carlo simulation, and its standard error.

    The sample itself counts as one of the simulated ones. So p is never 0, and the test keeps its
    level (Davison and Hinkley 1997, section 4.2).
    """
    sides, throws = _check_counts(counts)
    bound = sum(each * each for each in counts)
    # `Random.random` is the one method whose numbers stay the same in every version of Python.
    draw = Random(SEED).random  # noqa: S311 - no secret: the same each time is what is wanted
    reached = 0
    for _ in range(SAMPLES):
        sample = Counter([int(draw() * sides) for _ in range(throws)])
        reached += sum(each * each for each in sample.values()) >= bound
    p = (reached + 1) / (SAMPLES + 1)
    return p, math.sqrt(p * (1 - p) / SAMPLES)


def face_tests(counts: Sequence[int]) -> list[FaceTest]:
    """
    The exact binomial test of each face, two-sided, adjusted after Holm (1979).

    For a fair die the probability that any face has a `p_holm` of alpha or less is at most alpha,
    whatever the dependence between the faces.

    :raises NothingThrown: if there are no throws.
    """
    sides, throws = _check_counts(counts)
    found = {count: binomial_test(count, throws, Fraction(1, sides)) for count in set(counts)}
    adjusted = holm([found[count] for count in counts])
    return [
        FaceTest(face=face, count=count, p=found[count], p_holm=p_holm)
        for face, (count, p_holm) in enumerate(zip(counts, adjusted, strict=True), 1)
    ]


def holm(ps: Sequence[float]) -> list[float]:
    """p-values adjusted for multiple comparisons (Holm 1979), in the order given."""
    adjusted = [1.0] * len(ps)
    most = 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        most = max(most, min(1.0, (len(ps) - rank) * ps[place]))
        adjusted[place] = most
    return adjusted


def _check_counts(counts: Sequence[int]) -> tuple[int, int]:
    """
    Check the counts and return the numbers of sides and of throws.

    :raises NothingThrown: if there are no throws.
    """
    if len(counts) < SIDES_MIN or min(counts) < 0:
        raise ValueError(f"Counts of two faces or more, none below 0, not {list(counts)}.")
    if not sum(counts):
        raise NothingThrown("Nothing was thrown: there is nothing to test.")
    return len(counts), sum(counts)


def _partitions(throws: int, sides: int, most: int) -> Iterator[tuple[int, ...]]:
    """Each way to write `throws` as at most `sides` parts of at most `most`, the largest first."""
    if not throws:
        yield ()
    elif sides:
        for part in range(min(throws, most), -(-throws // sides) - 1, -1):
            for rest in _partitions(throws - part, sides - 1, part):
                yield (part, *rest)


def _sequence_count(parts: Sequence[int], sides: int) -> int:
    """The number of sequences of throws whose counts, in any order of faces, are `parts`."""
    orders = math.factorial(sum(parts))
    for part in parts:
        orders //= math.factorial(part)
    arrangements = math.factorial(sides)
    for same in [*(parts.count(part) for part in set(parts)), sides - len(parts)]:
        arrangements //= math.factorial(same)
    return orders * arrangements


@cache
def _partition_count(throws: int, sides: int) -> int:
    """The number of partitions of `throws`; counting stops above `PARTITIONS_MAX`."""
    # By conjugation, as many partitions have at most n parts as have parts of at most n.
    ways = [1] + [0] * throws
    for part in range(1, min(sides, throws) + 1):
        for number in range(part, throws + 1):
            ways[number] += ways[number - part]
        if ways[throws] > PARTITIONS_MAX:
            break
    return ways[throws]


# p-values of four textbook tests, with `math` alone: chi-square, binomial, Clopper-Pearson, Fisher.
# The probability of a single count follows Loader ("Fast and Accurate Computation of Binomial
# Probabilities", 2000). It is computed from the distance between the count and the expected count.
# That distance is a whole number, so no large numbers cancel. A tail is summed from the count
# outward; each term is computed from the term before it. The relative error is below 1e-10 for a
# million throws. The tests compare all four with scipy.
# Pure: no clock, no random numbers, no Django.


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
