"""
Analyse a list of throws for fairness: the figures that `manage.py fairness` prints.

Each stream has both kinds of tests. The chi-square `p` and the tests of faces are for a sample
whose size was fixed beforehand. If the throws are too few for chi-square, `p_better` is the exact
or simulated p-value, and `test` names its method. `log10_e` is anytime-valid: it holds however
often one looks and whenever one stops.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from casino.play.surveillance import goodness_of_fit, p_values
from casino.play.surveillance.e_values import ChangeDetector, EProcess, discoveries, smallest_tilt

if TYPE_CHECKING:
    from collections.abc import Iterable

    from casino.play.surveillance.throw_file import Throw

E_THRESHOLDS: Final = (20, 100, 1000)
"""e-values whose first passing is reported: alpha 0.05, 0.01 and 0.001."""
FLOAT_MAX: Final = sys.float_info.max


@dataclass(slots=True)
class StreamAnalysis:
    """The running analysis of one stream: throws of dice of one size."""

    sides: int
    e_process: EProcess = field(init=False)
    detector: ChangeDetector = field(init=False)
    passed: dict[int, int | None] = field(init=False)
    """By threshold: the number of the first throw, from 1, at which E reached it."""
    detector_max: float = field(init=False, default=0.0)
    detector_max_at: int | None = field(init=False, default=None)
    _next_threshold: float = field(init=False)

    def __post_init__(self) -> None:
        self.e_process, self.detector = EProcess(self.sides), ChangeDetector(self.sides)
        self.passed = dict.fromkeys(E_THRESHOLDS)
        self._next_threshold = math.log10(E_THRESHOLDS[0])

    def add(self, face: int) -> None:
        self.e_process.add(face)
        self.detector.add(face)
        if self.detector.value > self.detector_max:
            self.detector_max, self.detector_max_at = self.detector.value, self.e_process.throws
        if self._next_threshold < math.inf:
            log10 = self.e_process.log10
            if log10 >= self._next_threshold:
                self._record_passed(log10)

    def _record_passed(self, log10: float) -> None:
        for threshold, at in self.passed.items():
            if at is None and log10 >= math.log10(threshold):
                self.passed[threshold] = self.e_process.throws
        pending = [threshold for threshold, at in self.passed.items() if at is None]
        self._next_threshold = math.log10(pending[0]) if pending else math.inf

    def figures(self, alpha: float) -> dict[str, Any]:
        """
        The figures of the stream, as they are printed.

        :param alpha: the level of `smallest_tilt`, which is the minimum detectable tilt of one face
            with so many throws; None if no tilt is detectable.
        """
        throws = self.e_process.throws
        return {
            "sides": self.sides,
            "throws": throws,
            "counts": list(self.e_process.counts),
            "expected": throws / self.sides,
            **self._fixed_sample_tests(),
            "log10_e": self.e_process.log10 if throws else None,
            "passed": {str(threshold): at for threshold, at in self.passed.items()},
            "alpha": alpha,
            "smallest_tilt": smallest_tilt(self.sides, throws, alpha),
            "change": {
                # JSON has no infinity, which a die that always shows one face reaches.
                "most": min(self.detector_max, FLOAT_MAX) if throws else None,
                "at": self.detector_max_at,
            },
        }

    def _fixed_sample_tests(self) -> dict[str, Any]:
        names = ("chi_square", "degrees", "p", "test", "p_better", "p_error")
        if not self.e_process.throws:
            return {**dict.fromkeys(names), "faces": []}
        fit = goodness_of_fit.chi_square_test(self.e_process.counts)
        p = p_values.chi_square_p(fit.statistic, fit.degrees)
        small_sample_p = None if fit.method is goodness_of_fit.Method.CHI_SQUARE else fit.p
        values = (fit.statistic, fit.degrees, p, str(fit.method), small_sample_p, fit.error)
        faces = [
            {"face": each.face, "count": each.count, "p": each.p, "p_holm": each.p_holm}
            for each in goodness_of_fit.face_tests(self.e_process.counts)
        ]
        return {**dict(zip(names, values, strict=True)), "faces": faces}


def analyse(throws: Iterable[Throw], *, sides: int | None, alpha: float) -> dict[str, Any]:
    """
    The figures of a list of throws: of its one stream, or of several streams with e-BH.

    :param sides: the number of sides, for a list that may be empty; None if the list has it.
    """
    streams: dict[tuple[str, int], StreamAnalysis] = {}
    for throw in throws:
        key = (throw.stream, throw.sides)
        if (stream := streams.get(key)) is None:
            stream = streams[key] = StreamAnalysis(throw.sides)
        stream.add(throw.face)
    if not streams and sides is not None:
        streams["", sides] = StreamAnalysis(sides)
    if len(streams) == 1 and not (single := next(iter(streams)))[0]:
        return streams[single].figures(alpha)
    return _analyse_streams(streams, alpha)


def _analyse_streams(
    streams: dict[tuple[str, int], StreamAnalysis], alpha: float
) -> dict[str, Any]:
    stream_count = Counter(stream for stream, _sides in streams)
    named = {
        stream if stream_count[stream] == 1 and stream else f"{stream} d{sides}".strip(): analysis
        for (stream, sides), analysis in streams.items()
    }
    discovered = discoveries({name: each.e_process.log10 for name, each in named.items()}, alpha)
    return {
        "throws": sum(each.e_process.throws for each in named.values()),
        "alpha": alpha,
        "discoveries": [name for name in named if name in discovered],
        "streams": [
            {"stream": name, "discovered": name in discovered, **each.figures(alpha)}
            for name, each in named.items()
        ],
    }
