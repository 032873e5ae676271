"""
How crowded a machine is: how much longer work takes than it would on a core of its own.

``python -m bench.crowd`` works for a moment, again and again, until its input ends; then it prints
how many seconds went by for each second of work. Two programs that always work on one core make
that 3 for whoever comes.
"""

from __future__ import annotations

import select
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from tests.processes import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

MOMENT: Final = 0.005  # seconds of work
PAUSE: Final = 0.25


@contextmanager
def looked_at() -> Iterator[list[float]]:
    """While the block lasts, look; the list has the one figure afterwards."""
    command = [sys.executable, "-m", "bench.crowd"]
    found: list[float] = []
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as probe:
        yield found
        told, _ = probe.communicate()
        found.append(float(told))


def main() -> None:
    worked = went_by = 0.0
    while not select.select([sys.stdin], [], [], PAUSE)[0]:
        began, before = time.perf_counter(), time.process_time()
        while (work := time.process_time() - before) < MOMENT:
            pass
        worked += work
        went_by += time.perf_counter() - began
    print(went_by / worked if worked else 1.0)


if __name__ == "__main__":
    main()
