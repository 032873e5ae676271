"""
Whether something happens more often in one situation than in others, looked at at any time (F3).

Here: no-throws, when a certain player leads. Each throw is made in a situation that stands before
it, and then counts or not. Against the chance being no greater in the situation than elsewhere,
whatever that chance is, `log10_e` is an e-process by universal inference (Wasserman, Ramdas and
Balakrishnan 2020): a mixture of likelihoods in which it is greater, over the greatest likelihood in
which it is not. It depends on counts alone, so it may be looked at as often as one likes.

Pure: counts and floats, no clock, no chance, no Django.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from casino.surveillance import tails

RATES: Final = tuple(0.5 / 2 ** (step / 2) for step in range(18))
"""Chances elsewhere that are mixed: from one in two to one in some seven hundred."""
TIMES: Final = (1.5, 2.0, 3.0, 5.0, 10.0)
"""So many times as often it happens in the situation: what is looked for."""
CELLS: Final = tuple((rate, times * rate) for rate in RATES for times in TIMES if times * rate < 1)
TIMES_MOST: Final = 100.0
EXACTLY: Final = 0.005


@dataclass(frozen=True, slots=True)
class Seen:
    """How often something could happen, and how often it did; expected numbers are not whole."""

    chances: float
    happened: float

    @property
    def rate(self) -> float:
        return self.happened / self.chances if self.chances else 0.0

    def __add__(self, other: Seen) -> Seen:
        return Seen(self.chances + other.chances, self.happened + other.happened)

    def __sub__(self, other: Seen) -> Seen:
        return Seen(self.chances - other.chances, self.happened - other.happened)


def log10_e(here: Seen, elsewhere: Seen) -> float:
    """log10 of the evidence that it happens more often here; 0 where nothing can be compared."""
    if not here.chances or not elsewhere.chances:
        return 0.0
    logs = [_log(here, more) + _log(elsewhere, rate) for rate, more in CELLS]
    top = max(logs)
    mixed = top + math.log(sum(math.exp(each - top) for each in logs) / len(logs))
    return (mixed - _at_most(here, elsewhere)) / math.log(10)


def exact(here: Seen, elsewhere: Seen) -> float:
    """
    Fisher's exact test, one-sided: its p. Of a sample whose size was fixed beforehand, the chance
    that of all that happened so many, or more, fall here by chance.
    """
    both = here + elsewhere
    return tails.hypergeometric(
        int(here.happened), int(here.chances), int(both.happened), int(both.chances)
    )


def times_shown(here: float, elsewhere: float, rate: float, alpha: float) -> float | None:
    """
    How many times as often it must happen here to show, more often than not.

    :param here: chances here, and `elsewhere`.
    :param rate: how often it happens elsewhere.
    :returns: None where nothing would.
    """

    def shows(times: float) -> bool:
        seen = Seen(here, here * min(times * rate, 1.0))
        return log10_e(seen, Seen(elsewhere, elsewhere * rate)) >= -math.log10(alpha)

    least, most = 1.0, min(TIMES_MOST, 1 / rate) if rate else 0.0
    if most <= 1 or not shows(most):
        return None
    while most - least > EXACTLY:
        middle = (least + most) / 2
        least, most = (least, middle) if shows(middle) else (middle, most)
    return most


def _at_most(here: Seen, elsewhere: Seen) -> float:
    """The greatest log-likelihood where it happens here no more often than elsewhere."""
    if here.rate <= elsewhere.rate:
        return _log(here, here.rate) + _log(elsewhere, elsewhere.rate)
    both = here + elsewhere
    return _log(both, both.rate)


def _log(seen: Seen, rate: float) -> float:
    """The log-likelihood of what was seen, under a chance."""
    told = seen.happened * math.log(rate) if seen.happened else 0.0
    if left := seen.chances - seen.happened:
        told += left * math.log1p(-rate)
    return told
