"""
How likely it is to come out as far off as it did, or further: four textbook tails, in `math` alone.

Probabilities of single counts are Loader's ("Fast and Accurate Computation of Binomial
Probabilities", 2000): in terms of how far a count is from the expected one, which is taken in whole
numbers, so that nothing large cancels. Tails are summed outward from there, each term from the one
before. Good to a relative 1e-10 for a million throws; the tests hold them against scipy.

Pure: no clock, no chance, no Django.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from fractions import Fraction
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ALIKE: Final = 1 + 1e-7
"""Chances so close are one: rounding must not tell apart what is equal (as R and scipy have it)."""
NOTHING: Final = 2.0**-60
STIRLING_FROM: Final = 16
BISECTIONS: Final = 60


def chi_square(statistic: float, degrees: int) -> float:
    """
    The chance that chi-square of so many degrees of freedom is above a value.

    For whole degrees a finite sum (Abramowitz and Stegun 26.4.4, 26.4.5), with y half the value:
    of even ones exp(-y) * sum of y^i / i!, i from 0 to degrees/2 - 1; of odd ones erfc(sqrt(y)) and
    the same with halves: y^i / gamma(i + 1), i from 1/2 to degrees/2 - 1.
    """
    half = statistic / 2
    if half <= 0:
        return 1.0
    odd = degrees % 2
    powers = (step + odd / 2 for step in range(degrees // 2))
    told = [math.exp(each * math.log(half) - half - math.lgamma(each + 1)) for each in powers]
    return math.fsum([*told, math.erfc(math.sqrt(half)) if odd else 0.0])


def binomial(count: int, throws: int, chance: Fraction) -> float:
    """
    The exact binomial test, two-sided: all counts that are as unlikely as this one, or more so.

    :param chance: of each throw, above 0 and below 1.
    """
    expected = throws * chance
    if count == expected:
        return 1.0
    if count > expected:
        return binomial(throws - count, throws, 1 - chance)
    bound = _binomial(count, throws, chance) * ALIKE
    beyond = range(math.ceil(expected), throws + 1)
    far = bisect_left(beyond, x=True, key=lambda each: _binomial(each, throws, chance) <= bound)
    above = _at_least(beyond[far], throws, chance) if far < len(beyond) else 0.0
    return min(1.0, _at_most(count, throws, chance) + above)


def between(count: int, throws: int, confidence: float) -> tuple[float, float]:
    """
    The exact interval of a chance (Clopper and Pearson 1934).

    Its ends are the chances at which so few, or so many, would be seen as seldom as is allowed.
    """
    seldom, share = (1 - confidence) / 2, count / throws
    low, high = 0.0, 1.0
    if count:
        low = _crossed(lambda p: _at_least(count, throws, Fraction(p)) > seldom, 0.0, share)
    if count < throws:
        high = _crossed(lambda p: _at_most(count, throws, Fraction(p)) <= seldom, share, 1.0)
    return low, high


def hypergeometric(marked: int, drawn: int, of_them: int, among: int) -> float:
    """
    Fisher's exact test, one-sided: the chance that of those drawn so many, or more, are marked.

    A single chance is a quotient of three binomial ones (Loader 2000, section 5).

    :param marked: among those drawn.
    :param of_them: how many are marked at all, `among` so many.
    """
    least = max(0, drawn + of_them - among)
    if marked <= least:
        return 1.0
    if marked > min(drawn, of_them):
        return 0.0

    def ratio(at: int) -> float:
        """How many times as likely one more is."""
        return (of_them - at) * (drawn - at) / ((at + 1) * (among - of_them - drawn + at + 1))

    if marked * among >= drawn * of_them:
        first = _hypergeometric(marked, drawn, of_them, among)
        return _summed(first, (ratio(at) for at in range(marked, min(drawn, of_them) + 1)))
    first = _hypergeometric(marked - 1, drawn, of_them, among)
    fewer = _summed(first, (1 / ratio(at - 1) for at in range(marked - 1, least, -1)))
    return 1 - fewer


def _at_most(count: int, throws: int, chance: Fraction) -> float:
    """The lower tail of a count that is not above the expected one."""
    odds = float((1 - chance) / chance)
    ratios = (odds * at / (throws - at + 1) for at in range(count, -1, -1))
    return _summed(_binomial(count, throws, chance), ratios)


def _at_least(count: int, throws: int, chance: Fraction) -> float:
    return _at_most(throws - count, throws, 1 - chance)


def _summed(term: float, ratios: Iterator[float]) -> float:
    """Terms, each so many times the one before, until they count for nothing."""
    total = term
    for ratio in ratios:
        term *= ratio
        total += term
        if term <= total * NOTHING:
            break
    return total


def _binomial(count: int, throws: int, chance: Fraction) -> float:
    """The chance of exactly this count: Stirling's formula with what it leaves out, and how far."""
    if count in {0, throws}:
        return math.exp(throws * _log(1 - chance if count == 0 else chance)) if throws else 1.0
    left = throws - count
    hits, of = chance.as_integer_ratio()
    misses = of - hits
    off = count * of - throws * hits  # exactly: how far from the expected count, times `of`
    far = float(throws * chance) * _deviance(off / (throws * hits))
    far += float(throws * (1 - chance)) * _deviance(-off / (throws * misses))
    beyond = _stirling(throws) - _stirling(count) - _stirling(left)
    return math.exp(beyond - far) * math.sqrt(throws / (2 * math.pi * count * left))


def _hypergeometric(marked: int, drawn: int, of_them: int, among: int) -> float:
    share = Fraction(drawn, among)
    others = _binomial(drawn - marked, among - of_them, share)
    return _binomial(marked, of_them, share) * others / _binomial(drawn, among, share)


def _deviance(off: float) -> float:
    """(1 + x) log(1 + x) - x, for a count that is off by x times what was expected."""
    return (1 + off) * math.log1p(off) - off


def _stirling(number: int) -> float:
    """What Stirling's formula for log n! leaves out, as Loader has it."""
    if number < STIRLING_FROM:
        formula = (number + 0.5) * math.log(number) - number + math.log(2 * math.pi) / 2
        return math.log(math.factorial(number)) - formula
    square = number * number
    return (1 / 12 - (1 / 360 - (1 / 1260 - 1 / 1680 / square) / square) / square) / number


def _log(chance: Fraction) -> float:
    """Of a chance that may be next to 1, where a float would lose what is left."""
    return math.log1p(-float(1 - chance)) if chance > Fraction(1, 2) else math.log(chance)


def _crossed(beyond: Callable[[float], bool], least: float, most: float) -> float:
    """Where it begins to hold, by halving."""
    for _ in range(BISECTIONS):
        middle = (least + most) / 2
        least, most = (least, middle) if beyond(middle) else (middle, most)
    return (least + most) / 2
