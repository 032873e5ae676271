"""Axes of plots: round ticks, written as the house writes numbers and money."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Final

from casino.words.languages import amounts, locales

FIGURE: Final = 9.4  # the width of each digit
TICKS_MOST: Final = 6
THOUSAND: Final = 1000
ALIKE: Final = 1e-9  # relative difference up to which two values count as equal
SUPERSCRIPTS: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

Tick = tuple[float, str]


@dataclass(frozen=True, slots=True)
class Axis:
    """
    An axis of a line plot.

    :param title: what it measures; an axis of money has the currency's sign here, once, and its
        ticks are amounts without it.
    :param powers: whether the scale is logarithmic: values are the log10 of the figures shown.
    :param whole: whether it counts: no tick lies between two whole numbers.
    :param money: whether its values are amounts in the smallest coin.
    :param ticks: values and the text at each; empty: round numbers.
    """

    title: str = ""
    powers: bool = False
    whole: bool = False
    money: bool = False
    ticks: tuple[Tick, ...] = ()

    def ticks_for(self, least: float, most: float) -> tuple[Tick, ...]:
        return self.ticks or round_ticks(
            least, most, powers=self.powers, whole=self.whole or self.money, money=self.money
        )


USUAL: Final = Axis()


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps values from `least` to `most` to coordinates from `first` to `last`."""

    least: float
    most: float
    first: float
    last: float

    def __call__(self, value: float) -> float:
        share = (value - self.least) / (self.most - self.least)
        return self.first + share * (self.last - self.first)


def round_ticks(
    least: float, most: float, *, powers: bool = False, whole: bool = False, money: bool = False
) -> tuple[Tick, ...]:
    """
    Ticks at round numbers from below the least to above the greatest value, at most seven.

    With `powers`, they begin with the first one above the least value.
    """
    most = above(least, most)
    step = step_of(most - least)
    if powers:
        step = max(1, ceil(step))
    if whole:
        step = max(1, step)
    # Ticks of powers may begin within the field: a logarithmic scale has no zero at its foot.
    last = ceil(most / step - ALIKE)
    first = min(ceil(least / step - ALIKE), last - 1) if powers else floor(least / step + ALIKE)
    values = [place * step for place in range(first, last + 1)]
    if money:
        return _amounts(values)
    return tuple((value, power(value) if powers else number(value)) for value in values)


def above(least: float, most: float) -> float:
    """The greatest value; if it equals the least, one more, so that the scale is not empty."""
    alike = most - least <= ALIKE * max(1.0, abs(least), abs(most))
    return least + 1 if alike else most


def step_of(span: float) -> float:
    unit = 10.0 ** floor(log10(span))
    return next(by * unit for by in (0.2, 0.5, 1, 2, 5) if span / (by * unit) <= TICKS_MOST)


def _amounts(values: list[float]) -> tuple[Tick, ...]:
    """Ticks of money, all with decimals or all without."""
    coins = amounts.coins()
    even = all(round(value) % 10**coins.digits == 0 for value in values)
    written = coins.short if even else coins.figures
    return tuple((value, written(round(value))) for value in values)


def number(value: float) -> str:
    """A number as in tables: in the house's locale."""
    if value == round(value):
        return locales.number(round(value))
    return f"{value:.10g}".replace(".", locales.decimal_mark())  # as many places as it has


def power(value: float) -> str:
    """The text for ten to this power: "1" to "1000", else "10" with an exponent."""
    whole = round(value)
    if 0 <= whole <= log10(THOUSAND):
        return locales.number(10**whole)
    return "10" + str(whole).translate(SUPERSCRIPTS)
