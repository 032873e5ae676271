"""
Evidence against fair dice that may be looked at after every throw (control F2).

`Evidence` is an e-process: under a fair die the chance that it ever reaches 1/alpha is at most
alpha, however often somebody looks and whenever they stop (Ville 1939; Ramdas, Grünwald, Vovk and
Shafer 2023, "Game-theoretic statistics and safe anytime-valid inference"). `Change` is an
e-detector: of a die that stays fair it says at most once in `threshold` throws, on average, that
something has changed (Shin, Ramdas and Rinaldo 2024, "E-detectors"). `discoveries` chooses among
many streams (Wang and Ramdas 2022, "False discovery rate control with e-values").

Pure: counts and floats, no clock, no chance, no Django.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from games.refusals import Malformed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

CONCENTRATIONS: Final = (1.0, 4.0, 16.0, 64.0, 256.0, 1024.0)
"""
Pseudo-counts per face of the Dirichlet priors that are mixed, in equal parts: faces about 100 %,
50 %, 25 %, 12 %, 6 % and 3 % off (one standard deviation is the inverse root).
"""
TILTS: Final = (0.5, 0.8, 1.25, 2.0)
"""So many times as often as it should be a face is thrown: what `Change` looks for, of each."""
SIDES_LEAST: Final = 2
ENOUGH: Final = 1e60  # `Change` counts no further: whoever waits for more has long been told
EXACTLY: Final = 1e-3  # how close `smallest_tilt` comes


class NoFace(Malformed):
    """A face that the die does not have."""


def _checked(face: int, sides: int) -> int:
    if not 1 <= face <= sides:
        raise NoFace(f"{face} is no face of a d{sides}.")
    return face


@dataclass(slots=True)
class Evidence:
    """
    The e-process of one stream of throws of dice of one size.

    :param sides: of the dice; the null is that each face has the chance 1/sides, independently.
    """

    sides: int
    counts: list[int] = field(init=False)
    throws: int = field(init=False, default=0)
    _logs: list[float] = field(init=False)

    def __post_init__(self) -> None:
        if self.sides < SIDES_LEAST:
            raise ValueError(f"A die has two sides or more, not {self.sides}.")
        self.counts = [0] * self.sides
        self._logs = [0.0] * len(CONCENTRATIONS)

    @classmethod
    def of(cls, counts: Iterable[int]) -> Evidence:
        """The evidence in counts by face, 1 first: it does not depend on the order of throws."""
        given = list(counts)
        evidence = cls(len(given))
        evidence.counts, evidence.throws = given, sum(given)
        evidence._logs = [_marginal(given, each) for each in CONCENTRATIONS]
        return evidence

    @classmethod
    def restored(cls, counts: Sequence[int], logs: Sequence[float]) -> Evidence:
        """As it was when its counts and `logs` were kept: to the last bit."""
        evidence = cls(len(counts))
        evidence.counts, evidence.throws = list(counts), sum(counts)
        evidence._logs = list(logs)
        return evidence

    @property
    def logs(self) -> list[float]:
        """Each prior's natural log of its evidence: with the counts all that it goes on from."""
        return self._logs

    def add(self, face: int) -> None:
        """
        Take one die into account.

        :raises NoFace: if the die has no such face.
        """
        self.take((face,))

    def take(self, faces: Sequence[int]) -> None:
        """
        Dice that fell at once: what each prior gave each face beforehand, against 1/sides.

        :raises NoFace: if the die has no such face; then none of them is taken.
        """
        sides, counts, throws = self.sides, self.counts, self.throws
        for face in faces:
            _checked(face, sides)
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
        self._logs = [
            known + math.log(ratio) for known, ratio in zip(self._logs, ratios, strict=True)
        ]

    @property
    def log10(self) -> float:
        """log10 of the e-value; 2 is 100 to 1 against a fair die."""
        return _log10_of_mean(self._logs)


def _log10_of_mean(logs: Sequence[float]) -> float:
    """Of numbers whose natural logs are given: they may be too large for a float."""
    top = max(logs)
    mean = sum(math.exp(each - top) for each in logs) / len(logs)
    return (top + math.log(mean)) / math.log(10)


def _marginal(counts: Sequence[float], concentration: float) -> float:
    """The natural log of a Dirichlet-multinomial's likelihood, against the fair die's."""
    sides, throws = len(counts), sum(counts)
    told = math.lgamma(sides * concentration) - math.lgamma(sides * concentration + throws)
    for seen in counts:
        told += math.lgamma(concentration + seen) - math.lgamma(concentration)
    return told + throws * math.log(sides)


@dataclass(slots=True)
class Change:
    """
    Whether fair dice have ceased to be: Shiryaev-Roberts, averaged over tilts of each face.

    :param sides: of the dice.
    """

    sides: int
    value: float = field(init=False, default=0.0)
    """On average it passes c once in c throws of fair dice, or less often."""
    _sums: list[list[float]] = field(init=False)
    _tilted: list[float] = field(init=False)
    _others: list[float] = field(init=False)

    def __post_init__(self) -> None:
        # A tilted face takes its chance from the others in equal parts; none falls below nothing.
        tilts = [each for each in TILTS if each < self.sides]
        self._tilted = tilts
        self._others = [(self.sides - each) / (self.sides - 1) for each in tilts]
        self._sums = [[0.0] * self.sides for _ in tilts]

    def add(self, face: int) -> None:
        """
        Take one die into account.

        :raises NoFace: if the die has no such face.
        """
        self.take((face,))

    def take(self, faces: Sequence[int]) -> None:
        """
        Dice that fell at once, in some order; the value is that behind all of them.

        :raises NoFace: if the die has no such face; then none of them is taken.
        """
        for face in faces:
            _checked(face, self.sides)
        if self.value >= ENOUGH:
            return
        told, total = [], 0.0
        for before, tilted, others in zip(self._sums, self._tilted, self._others, strict=True):
            sums = before
            for face in faces:
                after = [(each + 1) * others for each in sums]
                after[face - 1] = (sums[face - 1] + 1) * tilted
                sums = after
            told.append(sums)
            total += sum(sums)
        self._sums = told
        self.value = total / (len(told) * self.sides)

    @classmethod
    def restored(cls, sides: int, value: float, sums: Sequence[float]) -> Change:
        """As it was when its value and `sums` were kept: to the last bit."""
        change = cls(sides)
        change.value = value
        change._sums = [list(sums[at : at + sides]) for at in range(0, len(sums), sides)]
        return change

    @property
    def sums(self) -> list[float]:
        """Of each tilt of each face, one behind the other: all that it goes on from."""
        return [each for sums in self._sums for each in sums]


def discoveries(log10s: Mapping[str, float], alpha: float) -> set[str]:
    """
    The streams called unfair, so that on average at most a share `alpha` of these is fair.

    e-BH: the k largest of K e-values, for the greatest k whose k-th is K / (k alpha) or more. It
    holds however the streams depend on one another: a set and a thrower share their throws.

    :param log10s: log10 of each stream's e-value.
    """
    ordered = sorted(log10s.items(), key=lambda each: -each[1])
    chosen = 0
    for place, (_stream, log10) in enumerate(ordered, 1):
        if log10 >= math.log10(len(ordered) / (place * alpha)):
            chosen = place
    return {stream for stream, _ in ordered[:chosen]}


def expected(sides: int, throws: int, tilt: float) -> float:
    """
    log10 of the evidence to be expected of a die one of whose faces is `tilt` times too frequent.

    The e-value at the expected counts; what varies about it is left out, so half of such dice show
    less.
    """
    chance = tilt / sides
    rest = (1 - chance) / (sides - 1)
    counts = [throws * chance, *([throws * rest] * (sides - 1))]
    return _log10_of_mean([_marginal(counts, each) for each in CONCENTRATIONS])


def throws_needed(sides: int, tilt: float, alpha: float) -> int:
    """How many throws show a face that is `tilt` times too frequent, as `expected` has it."""
    least, most = 0, 1
    while expected(sides, most, tilt) < -math.log10(alpha):
        least, most = most, 2 * most
    while most - least > 1:
        middle = (least + most) // 2
        if expected(sides, middle, tilt) < -math.log10(alpha):
            least = middle
        else:
            most = middle
    return most


def smallest_tilt(sides: int, throws: int, alpha: float) -> float | None:
    """The slightest excess of one face that so many throws would show; None: none would."""
    if not throws or expected(sides, throws, float(sides) * (1 - 1e-9)) < -math.log10(alpha):
        return None
    least, most = 1.0, float(sides) * (1 - 1e-9)
    while most - least > EXACTLY:
        middle = (least + most) / 2
        if expected(sides, throws, middle) < -math.log10(alpha):
            least = middle
        else:
            most = middle
    return most
