"""
Watches other programs on the machine: a measurement that they disturbed is repeated.

Only Linux has these figures (``/proc``); elsewhere all measurements count as undisturbed.
"""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TypeVar

Result = TypeVar("Result")

PROC = Path("/proc")
LIMIT = 0.08  # of all processors' time; above that, a figure says more about other programs
LOOK = 0.5  # seconds
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Neighbours:
    """
    Repeats disturbed measurements.

    :param patience: seconds that may be spent on waiting for other programs and on repeating.
    """

    patience: float
    shares: list[float] = field(default_factory=list)
    repeated: int = 0

    def undisturbed(self, act: Callable[[], Result]) -> Result:
        """The result of `act` while undisturbed, or the least disturbed of some tries."""
        share, result, took = watched(act)
        while share > LIMIT and self.patience > took:
            self._wait()
            self.patience -= took
            self.repeated += 1
            again, other, took = watched(act)
            if again < share:
                share, result = again, other
        self.shares.append(share)
        return result

    def _wait(self) -> None:
        """Wait until other programs seem to have finished."""
        share = 1.0
        while share > LIMIT and self.patience > LOOK:
            share, _, took = watched(lambda: time.sleep(LOOK))
            self.patience -= took

    def sentence(self) -> str:
        if not self.shares or not (PROC / "stat").exists():
            return ""
        return (
            f"Other programs took {median(self.shares):.0%} of the processors' time meanwhile, at"
            f" most {max(self.shares):.0%}; {self.repeated} measurements were taken again for that."
        )


def watched(act: Callable[[], Result]) -> tuple[float, Result, float]:
    """The share of others in the processors' time, the result of `act`, and its seconds."""
    others, began = _others(), time.monotonic()
    result = act()
    took = time.monotonic() - began
    share = (_others() - others) / TICKS / (took * (os.cpu_count() or 1))
    return max(0.0, share), result, took


def _others() -> float:
    """Processor ticks used by all programs except this one and those that it started."""
    if not (PROC / "stat").exists():
        return 0.0
    fields = [int(each) for each in (PROC / "stat").read_text().splitlines()[0].split()[1:9]]
    user, nice, system, _idle, _waiting, interrupt, softly, stolen = fields
    return user + nice + system + interrupt + softly + stolen - _ours()


def _ours() -> int:
    parents, ticks = {}, {}
    for stat in PROC.glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue  # the process has just ended; its time is counted at its parent
        process = int(stat.parent.name)
        parents[process] = int(fields[1])
        ticks[process] = sum(map(int, fields[11:15]))  # its own and that of its ended children
    return sum(ticks[process] for process in ticks if _descends(process, parents))


def _descends(process: int, parents: dict[int, int]) -> bool:
    while process in parents:
        if process == os.getpid():
            return True
        process = parents[process]
    return False
