"""
Tests of a sample whose size was fixed beforehand: for an audit, never for continuous looking.

Who looks at such a p-value after every throw, and stops once it is small, accuses every fair die in
the end. What may be looked at as often as one likes is `casino.surveillance.evidence`.

Pure: counts, no clock, no Django. Chance only in `Kind.MONTE_CARLO`, from a fixed seed, so that the
same counts always give the same figure.
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

from casino.surveillance import tails

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

EXPECTED_LEAST: Final = 5
"""Throws expected of each face from which on the chi-square curve serves (Cochran 1952)."""
PARTITIONS_MOST: Final = 100_000
"""How many ways to spread throws are enumerated: in a second, and all of a d10 and smaller."""
SAMPLES: Final = 20_000
SEED: Final = 1893  # the year of Wolf's white die: any would do, as long as it stays
SIDES_LEAST: Final = 2


class NothingThrown(ValueError):  # noqa: N818 - it names the fact
    """Of no throws there is no test."""


class Kind(StrEnum):
    """How a p-value was found."""

    CHI_SQUARE = "chi-square"
    EXACT = "exact"
    MONTE_CARLO = "monte-carlo"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """
    How far counts are from those of a fair die.

    :param statistic: Pearson's chi-square.
    :param degrees: of freedom: one fewer than sides.
    :param p: the chance that a fair die gives a statistic as large as this one, or larger.
    :param kind: how `p` was found.
    :param error: of `p`, one standard error; 0 but for Monte Carlo.
    """

    statistic: float
    degrees: int
    p: float
    kind: Kind
    error: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """
    One face against all others.

    :param p: two-sided, exact, as if no other face had been looked at.
    :param p_holm: adjusted for all faces of the die having been looked at.
    """

    face: int
    count: int
    p: float
    p_holm: float


def fit(counts: Sequence[int]) -> Fit:
    """
    Pearson's goodness of fit to a fair die (Pearson 1900).

    Where a fair die would throw each face `EXPECTED_LEAST` times or more, p is read from the
    chi-square curve. Where it would not, p is exact: of every way to spread the throws over the
    faces, those whose statistic is as large are counted (Cressie and Read 1984 call it the exact
    test of Pearson's statistic). Where there are too many ways, `SAMPLES` fair samples are thrown
    from a fixed seed, and the error is said.

    :param counts: by face, 1 first; whole numbers, none below 0.
    :raises NothingThrown: if they are all 0.
    """
    sides, throws = _sound(counts)
    squares = sum(each * each for each in counts)
    statistic = (sides * squares - throws * throws) / throws
    if throws >= EXPECTED_LEAST * sides:
        p = tails.chi_square(statistic, sides - 1)
        return Fit(statistic=statistic, degrees=sides - 1, p=p, kind=Kind.CHI_SQUARE)
    if _ways(throws, sides) <= PARTITIONS_MOST:
        p = exact(counts)
        return Fit(statistic=statistic, degrees=sides - 1, p=p, kind=Kind.EXACT)
    p, error = simulated(counts)
    kind = Kind.MONTE_CARLO
    return Fit(statistic=statistic, degrees=sides - 1, p=p, kind=kind, error=error)


def exact(counts: Sequence[int]) -> float:
    """
    The chance, by enumeration, that a fair die's chi-square is as large as that of these counts.

    It depends on the counts but not on which face has which, so that only partitions of the throws
    are gone through, each with its number of arrangements; in whole numbers until the last step.
    """
    sides, throws = _sound(counts)
    bound = sum(each * each for each in counts)
    found = sum(
        _sequences(parts, sides)
        for parts in _partitions(throws, sides, throws)
        if sum(each * each for each in parts) >= bound
    )
    return float(
        found / sides**throws
    )  # Python divides whole numbers of any size, correctly rounded


def simulated(counts: Sequence[int]) -> tuple[float, float]:
    """
    The same by simulation: p and its standard error.

    Its own sample counts as one of them, so that p is never 0 and the test keeps its level
    (Davison and Hinkley 1997, section 4.2).
    """
    sides, throws = _sound(counts)
    bound = sum(each * each for each in counts)
    # Of `Random` this one call is promised to give the same numbers in every version of Python.
    draw = Random(SEED).random  # noqa: S311 - no secret: the same each time is what is wanted
    reached = 0
    for _ in range(SAMPLES):
        sample = Counter([int(draw() * sides) for _ in range(throws)])
        reached += sum(each * each for each in sample.values()) >= bound
    p = (reached + 1) / (SAMPLES + 1)
    return p, math.sqrt(p * (1 - p) / SAMPLES)


def faces(counts: Sequence[int]) -> list[Face]:
    """
    Each face against the rest: the exact binomial test, two-sided, adjusted after Holm (1979).

    The chance that any face of a fair die has a `p_holm` of alpha or less is alpha at most, however
    the faces depend on one another.

    :raises NothingThrown: if nothing was.
    """
    sides, throws = _sound(counts)
    found = {count: tails.binomial(count, throws, Fraction(1, sides)) for count in set(counts)}
    adjusted = holm([found[count] for count in counts])
    return [
        Face(face=face, count=count, p=found[count], p_holm=p_holm)
        for face, (count, p_holm) in enumerate(zip(counts, adjusted, strict=True), 1)
    ]


def holm(ps: Sequence[float]) -> list[float]:
    """p-values adjusted for having been looked at together, in the order they are given."""
    adjusted = [1.0] * len(ps)
    most = 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        most = max(most, min(1.0, (len(ps) - rank) * ps[place]))
        adjusted[place] = most
    return adjusted


def _sound(counts: Sequence[int]) -> tuple[int, int]:
    """
    Sides and throws.

    :raises NothingThrown: if nothing was.
    """
    if len(counts) < SIDES_LEAST or min(counts) < 0:
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


def _sequences(parts: Sequence[int], sides: int) -> int:
    """How many sequences of throws have these counts, on whichever faces."""
    orders = math.factorial(sum(parts))
    for part in parts:
        orders //= math.factorial(part)
    arrangements = math.factorial(sides)
    for same in [*(parts.count(part) for part in set(parts)), sides - len(parts)]:
        arrangements //= math.factorial(same)
    return orders * arrangements


@cache
def _ways(throws: int, sides: int) -> int:
    """How many partitions there are; more than `PARTITIONS_MOST` is not counted to the end."""
    ways = [1] + [0] * throws  # of each number into parts of at most `part`, by conjugation
    for part in range(1, min(sides, throws) + 1):
        for number in range(part, throws + 1):
            ways[number] += ways[number - part]
        if ways[throws] > PARTITIONS_MOST:
            break
    return ways[throws]
