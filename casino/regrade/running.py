"""A whole regrade in one go, by one process or several, each with a connection of its own."""

from __future__ import annotations

import multiprocessing
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import TYPE_CHECKING

import django

from casino.regrade import reading, scoreboard, slices
from casino.regrade.findings import Findings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

    from casino.regrade.slices import Asked

AHEAD = 2  # slices that wait for each process, so that none is idle and memory stays flat


class Interrupted(Exception):  # noqa: N818 - names the fact
    """A process that graded has ended before its time; what it had is unknown."""


def regrade(asked: Asked, *, workers: int = 1) -> Iterator[tuple[range, Findings]]:
    """
    Every slice with what it came to, in order; last, of a whole house, the scoreboard.

    :raises Interrupted: if a process is killed.
    """
    whole = Findings()
    graded = _alone(asked) if workers == 1 else _together(asked, workers)
    for span, found in graded:
        whole.counted(found)
        yield span, found
    if asked.period.whole and not asked.current:
        stop = asked.stretch.stop
        differences = list(scoreboard.compared(asked.establishment, whole, stop))
        yield range(stop, stop), Findings(differences=differences)


def _alone(asked: Asked) -> Iterator[tuple[range, Findings]]:
    for span in reading.spans(asked.stretch):
        yield span, slices.grade(asked, span)


def _together(asked: Asked, workers: int) -> Iterator[tuple[range, Findings]]:
    """Processes that begin anew, not forks: none shares a connection or a lock with this one."""
    grade = partial(slices.grade, asked)
    waiting: deque[tuple[range, Future[Findings]]] = deque()
    with ProcessPoolExecutor(
        workers, mp_context=multiprocessing.get_context("spawn"), initializer=django.setup
    ) as pool:
        try:
            for span in reading.spans(asked.stretch):
                waiting.append((span, pool.submit(grade, span)))
                if len(waiting) > workers * AHEAD:
                    yield _first(waiting)
            while waiting:
                yield _first(waiting)
        except BrokenProcessPool:
            raise Interrupted("A process was killed before it was done.") from None
        finally:
            pool.shutdown(cancel_futures=True)


def _first(waiting: deque[tuple[range, Future[Findings]]]) -> tuple[range, Findings]:
    span, graded = waiting.popleft()
    return span, graded.result()
