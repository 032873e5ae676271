"""
Anytime-valid evidence: e-values against fair dice, and comparisons of two rates (F2, F3).

`EProcess` measures evidence against a fair die. For a fair die the probability that it ever reaches
1/alpha is at most alpha, however often somebody looks and whenever they stop (Ville 1939; Ramdas,
Grünwald, Vovk and Shafer 2023, "Game-theoretic statistics and safe anytime-valid inference").

`ChangeDetector` is an e-detector. While a die stays fair, it passes a threshold c at most once in c
throws, on average (Shin, Ramdas and Rinaldo 2024, "E-detectors").

`discoveries` is e-BH: it selects streams at a false discovery rate (Wang and Ramdas 2022, "False
discovery rate control with e-values").

Pure: counts and floats, no clock, no random numbers, no Django.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from casino.play.dice.surveillance import goodness_of_fit
from games.refusals import Malformed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

CONCENTRATIONS: Final = (1.0, 8.0, 64.0, 512.0, 4096.0, 32768.0)
"""
The Dirichlet priors of the mixture, in equal parts, by their pseudo-counts per face.

One standard deviation of a face's frequency is the inverse root: the faces of these priors are off
by some 100 %, 35 %, 12 %, 4 %, 1.6 % and 0.6 %. Steps of 8 reach slight tilts with six priors;
against steps of 4 up to 1024, which also are six, a tilt of 25 % needs 3 % more throws and one of
2 % a fifth to two fifths fewer.
"""
TILTS: Final = (0.5, 0.8, 1.25, 2.0)
"""The alternatives of `ChangeDetector`: one face comes this many times as often as it should."""
SIDES_MIN: Final = 2
DETECTOR_MAX: Final = 1e60  # `ChangeDetector` stops here, far above every threshold
TOLERANCE: Final = 1e-3  # of `smallest_tilt`


class NoSuchFace(Malformed):
    """A face that the die does not have."""


def _check(face: int, sides: int) -> int:
    if not 1 <= face <= sides:
        raise NoSuchFace(f"{face} is no face of a d{sides}.")
    return face


@dataclass(slots=True)
class EProcess:
    """
    The e-process of one stream of throws of dice of one size.

    :param sides: of the dice; the null is that each face has the chance 1/sides, independently.
    """

    sides: int
    counts: list[int] = field(init=False)
    throws: int = field(init=False, default=0)
    _log_e_values: list[float] = field(init=False)

    def __post_init__(self) -> None:
        if self.sides < SIDES_MIN:
            raise ValueError(f"A die has two sides or more, not {self.sides}.")
        self.counts = [0] * self.sides
        self._log_e_values = [0.0] * len(CONCENTRATIONS)

    @classmethod
    def from_counts(cls, counts: Iterable[int]) -> EProcess:
        """From counts by face, 1 first: the e-value does not depend on the order of throws."""
        given = list(counts)
        process = cls(len(given))
        process.counts, process.throws = given, sum(given)
        process._log_e_values = [_log_marginal_ratio(given, each) for each in CONCENTRATIONS]
        return process

    @classmethod
    def restore(cls, counts: Sequence[int], log_e_values: Sequence[float]) -> EProcess:
        """From stored counts and `log_e_values`; it goes on exactly, to the last bit."""
        process = cls(len(counts))
        process.counts, process.throws = list(counts), sum(counts)
        process._log_e_values = list(log_e_values)
        return process

    @property
    def log_e_values(self) -> list[float]:
        """The natural log of each prior's e-value; with the counts this is the whole state."""
        return self._log_e_values

    def add(self, face: int) -> None:
        """
        Take one die into account.

        :raises NoSuchFace: if the die has no such face.
        """
        self.update((face,))

    def update(self, faces: Sequence[int]) -> None:
        """
        Take dice that were thrown together into account: multiply by the likelihood ratios.

        The ratio of a face is its predictive probability under the prior, divided by 1/sides.

        :raises NoSuchFace: if the die has no such face; then the state is unchanged.
        """
        sides, counts, throws = self.sides, self.counts, self.throws
        for face in faces:
            _check(face, sides)
        ratios = [1.0] * len(CONCENTRATIONS)
        for face in faces:
            seen = counts[face - 1]
            ratios = [
                ratio * (seen + each) * sides / (throws + sides * each)
                for ratio, each in zip(ratios, CONCENTRATIONS, strict=True)
            ]
            counts[face - 1] += 1
            throws += 1
        self.throws = throws
        self._log_e_values = [
            known + math.log(ratio) for known, ratio in zip(self._log_e_values, ratios, strict=True)
        ]

    @property
    def log10(self) -> float:
        """log10 of the e-value; 2 is 100 to 1 against a fair die."""
        return _log10_of_mean(self._log_e_values)


def _log10_of_mean(log_e_values: Sequence[float]) -> float:
    """log10 of the mean of numbers whose natural logs are given; a float may not hold them."""
    top = max(log_e_values)
    mean = sum(math.exp(each - top) for each in log_e_values) / len(log_e_values)
    return (top + math.log(mean)) / math.log(10)


def _log_marginal_ratio(counts: Sequence[float], concentration: float) -> float:
    """The natural log of the likelihood ratio: Dirichlet-multinomial to fair die."""
    sides, throws = len(counts), sum(counts)
    log_ratio = math.lgamma(sides * concentration) - math.lgamma(sides * concentration + throws)
    for seen in counts:
        log_ratio += math.lgamma(concentration + seen) - math.lgamma(concentration)
    return log_ratio + throws * math.log(sides)


@dataclass(slots=True)
class ChangeDetector:
    """
    A Shiryaev-Roberts change detector: fair dice that became loaded, over tilts of each face.

    :param sides: of the dice.
    """

    sides: int
    value: float = field(init=False, default=0.0)
    """With fair dice it passes c at most once in c throws, on average."""
    _sums: list[list[float]] = field(init=False)
    _tilted_ratios: list[float] = field(init=False)
    _other_ratios: list[float] = field(init=False)

    def __post_init__(self) -> None:
        # A tilted face takes its probability from the others in equal parts; a tilt that would
        # leave them less than 0 is left out.
        tilts = [each for each in TILTS if each < self.sides]
        self._tilted_ratios = tilts
        self._other_ratios = [(self.sides - each) / (self.sides - 1) for each in tilts]
        self._sums = [[0.0] * self.sides for _ in tilts]

    def add(self, face: int) -> None:
        """
        Take one die into account.

        :raises NoSuchFace: if the die has no such face.
        """
        self.update((face,))

    def update(self, faces: Sequence[int]) -> None:
        """
        Take dice that were thrown together into account, in the order given.

        :raises NoSuchFace: if the die has no such face; then the state is unchanged.
        """
        for face in faces:
            _check(face, self.sides)
        if self.value >= DETECTOR_MAX:
            return
        updated, total = [], 0.0
        ratios = zip(self._sums, self._tilted_ratios, self._other_ratios, strict=True)
        for before, tilted, others in ratios:
            sums = before
            for face in faces:
                after = [(each + 1) * others for each in sums]
                after[face - 1] = (sums[face - 1] + 1) * tilted
                sums = after
            updated.append(sums)
            total += sum(sums)
        self._sums = updated
        self.value = total / (len(updated) * self.sides)

    @classmethod
    def restore(cls, sides: int, value: float, sums: Sequence[float]) -> ChangeDetector:
        """From a stored value and `sums`; it goes on exactly, to the last bit."""
        detector = cls(sides)
        detector.value = value
        detector._sums = [list(sums[at : at + sides]) for at in range(0, len(sums), sides)]
        return detector

    @property
    def sums(self) -> list[float]:
        """The Shiryaev-Roberts statistic of each tilt of each face; the whole state."""
        return [each for sums in self._sums for each in sums]


def discoveries(log10s: Mapping[str, float], alpha: float) -> set[str]:
    """
    e-BH: the streams called unfair, at a false discovery rate of `alpha`.

    Of the streams selected at most a share `alpha` is fair, on average. Selected are the k largest
    of K e-values, for the greatest k whose k-th e-value is K / (k alpha) or more. Streams may
    depend on one another: a dice set and a thrower share throws.

    :param log10s: log10 of each stream's e-value.
    """
    ordered = sorted(log10s.items(), key=lambda each: -each[1])
    chosen = 0
    for place, (_stream, log10) in enumerate(ordered, 1):
        if log10 >= math.log10(len(ordered) / (place * alpha)):
            chosen = place
    return {stream for stream, _ in ordered[:chosen]}


def expected_log10_e(sides: int, throws: int, tilt: float) -> float:
    """
    log10 of the e-value expected of a die with one face `tilt` times too frequent.

    It is the e-value at the expected counts, without variation. Half of such dice show less.
    """
    chance = tilt / sides
    rest = (1 - chance) / (sides - 1)
    counts = [throws * chance, *([throws * rest] * (sides - 1))]
    return _log10_of_mean([_log_marginal_ratio(counts, each) for each in CONCENTRATIONS])


def throws_needed(sides: int, tilt: float, alpha: float) -> int:
    """The number of throws at which `expected_log10_e` reaches 1/alpha for this tilt."""
    low, high = 0, 1
    while expected_log10_e(sides, high, tilt) < -math.log10(alpha):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if expected_log10_e(sides, middle, tilt) < -math.log10(alpha):
            low = middle
        else:
            high = middle
    return high


def smallest_tilt(sides: int, throws: int, alpha: float) -> float | None:
    """The minimum detectable tilt of one face for so many throws; None if there is none."""
    low, high = 1.0, float(sides) * (1 - 1e-9)
    if not throws or expected_log10_e(sides, throws, high) < -math.log10(alpha):
        return None
    while high - low > TOLERANCE:
        middle = (low + high) / 2
        if expected_log10_e(sides, throws, middle) < -math.log10(alpha):
            low = middle
        else:
            high = middle
    return high


# Compare two event rates, anytime-valid: is the rate in a group higher than in the baseline (F3)?
# Surveillance uses it for no-throws: the group is the throws before which a certain player led, the
# baseline all other throws. The null hypothesis is that the rate in the group is not higher,
# whatever the rates are. `log10_e` is an e-process by universal inference (Wasserman, Ramdas and
# Balakrishnan 2020): a mixture of likelihoods of the alternative, divided by the greatest
# likelihood of the null. It depends on the counts alone, so it may be looked at after every throw.
# Pure: counts and floats, no clock, no random numbers, no Django.


BASELINE_RATES: Final = tuple(0.5 / 2 ** (step / 2) for step in range(18))
"""Baseline rates of the mixture: from one in two to one in some seven hundred."""
RATE_RATIOS: Final = (1.5, 2.0, 3.0, 5.0, 10.0)
"""Rate ratios of the mixture: the rate in the group, divided by the baseline rate."""
ALTERNATIVES: Final = tuple(
    (rate, times * rate) for rate in BASELINE_RATES for times in RATE_RATIOS if times * rate < 1
)
RATE_RATIO_MAX: Final = 100.0
RATE_TOLERANCE: Final = 0.005


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


def log10_e_of_rates(group: EventCounts, baseline: EventCounts) -> float:
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
    return goodness_of_fit.fisher_exact(
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
        return log10_e_of_rates(expected, EventCounts(baseline, baseline * rate)) >= -math.log10(
            alpha
        )

    low, high = 1.0, min(RATE_RATIO_MAX, 1 / rate) if rate else 0.0
    if high <= 1 or not is_detected(high):
        return None
    while high - low > RATE_TOLERANCE:
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
