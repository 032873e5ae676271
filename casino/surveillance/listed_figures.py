"""
What a list of throws says about the dice: the figures of `manage.py fairness`.

Of each stream both kinds of test are told. `p`, which is chi-square's, and the tests of faces hold
for a sample whose size was fixed beforehand; where so few throws are too few for chi-square,
`p_better` is the exact or simulated one that `test` names. `log10_e` holds however often one looks
and whenever one stops.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from casino.surveillance import fixed, tails
from casino.surveillance.evidence import Change, Evidence, discoveries, smallest_tilt

if TYPE_CHECKING:
    from collections.abc import Iterable

    from casino.surveillance.listed import Throw

MARKS: Final = (20, 100, 1000)
"""Values of E at which somebody would have been told, at alpha 0.05, 0.01 and 0.001."""
FLOAT_MOST: Final = sys.float_info.max


@dataclass(slots=True)
class Listed:
    """One stream of throws of dice of one size, taken in one after the other."""

    sides: int
    evidence: Evidence = field(init=False)
    change: Change = field(init=False)
    passed: dict[int, int | None] = field(init=False)
    """The number of the first throw, counted from 1, with which E reached a mark."""
    change_most: float = field(init=False, default=0.0)
    change_at: int | None = field(init=False, default=None)
    _next: float = field(init=False)

    def __post_init__(self) -> None:
        self.evidence, self.change = Evidence(self.sides), Change(self.sides)
        self.passed = dict.fromkeys(MARKS)
        self._next = math.log10(MARKS[0])

    def add(self, face: int) -> None:
        self.evidence.add(face)
        self.change.add(face)
        if self.change.value > self.change_most:
            self.change_most, self.change_at = self.change.value, self.evidence.throws
        if self._next < math.inf and (log10 := self.evidence.log10) >= self._next:
            self._reached(log10)

    def _reached(self, log10: float) -> None:
        for mark, at in self.passed.items():
            if at is None and log10 >= math.log10(mark):
                self.passed[mark] = self.evidence.throws
        left = [mark for mark, at in self.passed.items() if at is None]
        self._next = math.log10(left[0]) if left else math.inf

    def figures(self, alpha: float) -> dict[str, Any]:
        """
        :param alpha: of `smallest_tilt`: the slightest excess of one face that so many throws
            would show at that level, as a ratio; None where no excess would be shown.
        """
        throws = self.evidence.throws
        return {
            "sides": self.sides,
            "throws": throws,
            "counts": list(self.evidence.counts),
            "expected": throws / self.sides,
            **self._fixed(),
            "log10_e": self.evidence.log10 if throws else None,
            "passed": {str(mark): at for mark, at in self.passed.items()},
            "alpha": alpha,
            "smallest_tilt": smallest_tilt(self.sides, throws, alpha),
            "change": {
                # Of a die that always shows one face it is beyond what a float holds.
                "most": min(self.change_most, FLOAT_MOST) if throws else None,
                "at": self.change_at,
            },
        }

    def _fixed(self) -> dict[str, Any]:
        names = ("chi_square", "degrees", "p", "test", "p_better", "p_error")
        if not self.evidence.throws:
            return {**dict.fromkeys(names), "faces": []}
        fit = fixed.fit(self.evidence.counts)
        p = tails.chi_square(fit.statistic, fit.degrees)
        better = None if fit.kind is fixed.Kind.CHI_SQUARE else fit.p
        told = (fit.statistic, fit.degrees, p, str(fit.kind), better, fit.error)
        faces = [
            {"face": each.face, "count": each.count, "p": each.p, "p_holm": each.p_holm}
            for each in fixed.faces(self.evidence.counts)
        ]
        return {**dict(zip(names, told, strict=True)), "faces": faces}


def told(throws: Iterable[Throw], *, sides: int | None, alpha: float) -> dict[str, Any]:
    """
    The figures of a list: of the one stream it holds, or of each of several and e-BH across them.

    :param sides: of the dice of a list that may be empty; None: the list itself says it.
    """
    streams: dict[tuple[str, int], Listed] = {}
    for throw in throws:
        key = (throw.stream, throw.sides)
        if (stream := streams.get(key)) is None:
            stream = streams[key] = Listed(throw.sides)
        stream.add(throw.face)
    if not streams and sides is not None:
        streams["", sides] = Listed(sides)
    if len(streams) == 1 and not (only := next(iter(streams)))[0]:
        return streams[only].figures(alpha)
    return _several(streams, alpha)


def _several(streams: dict[tuple[str, int], Listed], alpha: float) -> dict[str, Any]:
    sizes = Counter(stream for stream, _sides in streams)
    named = {
        stream if sizes[stream] == 1 and stream else f"{stream} d{sides}".strip(): listed
        for (stream, sides), listed in streams.items()
    }
    found = discoveries({name: each.evidence.log10 for name, each in named.items()}, alpha)
    return {
        "throws": sum(each.evidence.throws for each in named.values()),
        "alpha": alpha,
        "discoveries": [name for name in named if name in found],
        "streams": [
            {"stream": name, "discovered": name in found, **each.figures(alpha)}
            for name, each in named.items()
        ],
    }
