"""
Compare two event rates, anytime-valid: is the rate in a group higher than in the baseline (F3)?

Surveillance uses it for no-throws: the group is the throws before which a certain player led, the
baseline all other throws. The null hypothesis is that the rate in the group is not higher, whatever
the rates are. `log10_e` is an e-process by universal inference (Wasserman, Ramdas and Balakrishnan
2020): a mixture of likelihoods of the alternative, divided by the greatest likelihood of the null.
It depends on the counts alone, so it may be looked at after every throw.

Pure: counts and floats, no clock, no random numbers, no Django.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from casino.play.dice.surveillance import p_values

BASELINE_RATES: Final = tuple(0.5 / 2 ** (step / 2) for step in range(18))
"""Baseline rates of the mixture: from one in two to one in some seven hundred."""
RATE_RATIOS: Final = (1.5, 2.0, 3.0, 5.0, 10.0)
"""Rate ratios of the mixture: the rate in the group, divided by the baseline rate."""
ALTERNATIVES: Final = tuple(
    (rate, times * rate) for rate in BASELINE_RATES for times in RATE_RATIOS if times * rate < 1
)
RATE_RATIO_MAX: Final = 100.0
TOLERANCE: Final = 0.005


@dataclass(frozen=True, slots=True)
class EventCounts:
    """Trials, and how many of them were events; expected counts need not be whole."""

    trials: float
    events: float

    @property
    def rate(self) -> float:
        return self.events / self.trials if self.trials else 0.0

    @property
    def share(self) -> Fraction:
        """The rate as an exact fraction, to be shown."""
        return Fraction(self.events) / Fraction(self.trials) if self.trials else Fraction()

    def __add__(self, other: EventCounts) -> EventCounts:
        return EventCounts(self.trials + other.trials, self.events + other.events)

    def __sub__(self, other: EventCounts) -> EventCounts:
        return EventCounts(self.trials - other.trials, self.events - other.events)


def log10_e(group: EventCounts, baseline: EventCounts) -> float:
    """log10 of the e-value for a higher rate in the group; 0 without trials to compare."""
    if not group.trials or not baseline.trials:
        return 0.0
    logs = [
        _log_likelihood(group, higher) + _log_likelihood(baseline, rate)
        for rate, higher in ALTERNATIVES
    ]
    top = max(logs)
    mixed = top + math.log(sum(math.exp(each - top) for each in logs) / len(logs))
    return (mixed - _null_log_likelihood(group, baseline)) / math.log(10)


def fisher_exact_p(group: EventCounts, baseline: EventCounts) -> float:
    """
    The p-value of Fisher's exact test, one-sided, for a sample whose size was fixed beforehand.

    It is the probability that this many of all events, or more, fall into the group by chance.
    """
    pooled = group + baseline
    return p_values.fisher_exact(
        int(group.events), int(group.trials), int(pooled.events), int(pooled.trials)
    )


def detectable_rate_ratio(group: float, baseline: float, rate: float, alpha: float) -> float | None:
    """
    The minimum detectable rate ratio: with it the evidence reaches 1/alpha more often than not.

    :param group: trials in the group.
    :param baseline: trials in the baseline.
    :param rate: the rate in the baseline.
    :returns: None if no ratio is detectable.
    """

    def is_detected(times: float) -> bool:
        expected = EventCounts(group, group * min(times * rate, 1.0))
        return log10_e(expected, EventCounts(baseline, baseline * rate)) >= -math.log10(alpha)

    low, high = 1.0, min(RATE_RATIO_MAX, 1 / rate) if rate else 0.0
    if high <= 1 or not is_detected(high):
        return None
    while high - low > TOLERANCE:
        middle = (low + high) / 2
        low, high = (low, middle) if is_detected(middle) else (middle, high)
    return high


def _null_log_likelihood(group: EventCounts, baseline: EventCounts) -> float:
    """The greatest log-likelihood of the null: the rate in the group is not higher."""
    if group.rate <= baseline.rate:
        return _log_likelihood(group, group.rate) + _log_likelihood(baseline, baseline.rate)
    pooled = group + baseline
    return _log_likelihood(pooled, pooled.rate)


def _log_likelihood(counts: EventCounts, rate: float) -> float:
    """The log-likelihood of counts under a rate."""
    log_likelihood = counts.events * math.log(rate) if counts.events else 0.0
    if non_events := counts.trials - counts.events:
        log_likelihood += non_events * math.log1p(-rate)
    return log_likelihood
