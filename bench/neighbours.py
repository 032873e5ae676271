"""
What else the machine does meanwhile: a measurement that others disturbed is taken again.

Linux alone tells it (``/proc``); elsewhere nothing is known of neighbours and nothing said.
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
LIMIT = 0.08  # of all processors' time; above that, a figure says more about the neighbours
LOOK = 0.5  # seconds
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Neighbours:
    """:param patience: seconds that may go into waiting for them, and into measuring again."""

    patience: float
    shares: list[float] = field(default_factory=list)
    repeated: int = 0

    def undisturbed(self, act: Callable[[], Result]) -> Result:
        """What `act` answers when others leave it alone, or the least disturbed of some tries."""
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
        """Until they seem to have done."""
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
    """The share that others had in the processors' time, what `act` answers, its seconds."""
    others, began = _others(), time.monotonic()
    result = act()
    took = time.monotonic() - began
    share = (_others() - others) / TICKS / (took * (os.cpu_count() or 1))
    return max(0.0, share), result, took


def _others() -> float:
    """Ticks that the processors were busy for anybody but this program and what it started."""
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
            continue  # it ended just now; its parent has its time
        process = int(stat.parent.name)
        parents[process] = int(fields[1])
        ticks[process] = sum(map(int, fields[11:15]))  # its own and its ended children's
    return sum(ticks[process] for process in ticks if _descends(process, parents))


def _descends(process: int, parents: dict[int, int]) -> bool:
    while process in parents:
        if process == os.getpid():
            return True
        process = parents[process]
    return False
