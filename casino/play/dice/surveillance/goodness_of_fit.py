"""
Goodness-of-fit tests of dice, for a sample whose size was fixed beforehand, as in an audit.

These p-values are not for continuous monitoring. Whoever looks at one after every throw and stops
when it is small rejects every fair die in the end. For monitoring use
`casino.play.dice.surveillance.e_values`.

Pure: counts, no clock, no Django. Only `Method.MONTE_CARLO` uses random numbers. They come from a
fixed seed, so the same counts always give the same p-value.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Final

from casino.play.dice.surveillance import p_values

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
        p = p_values.chi_square_p(statistic, sides - 1)
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
    found = {
        count: p_values.binomial_test(count, throws, Fraction(1, sides)) for count in set(counts)
    }
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
