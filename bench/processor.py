"""Processor time in seconds of running programs and their descendants, from ``/proc``."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import psycopg
from redis import Redis

from bench.memory import tree

if TYPE_CHECKING:
    from collections.abc import Iterable

TICK: Final = os.sysconf("SC_CLK_TCK")
MOMENT: Final = 0.004  # seconds between two looks at who works
LITTLE: Final = 0.1  # of a core


def used(pid: int) -> float:
    """Seconds so far of a program and its descendants, including those that have ended."""
    return sum(_ticks(each) for each in tree(pid)) / TICK


def bursts(pids: Iterable[int], seconds: float) -> float:
    """
    How long these programs and their descendants work at a stretch, in seconds of processor: the
    mean burst in which such a second lies. A burst ends with a moment in which hardly any works.
    """
    programs = {each for pid in pids for each in tree(pid)}
    found, burst, ends = [], 0.0, time.monotonic() + seconds
    before, looked = _ran(programs), time.monotonic()
    while looked < ends:
        time.sleep(MOMENT)
        now, at = _ran(programs), time.monotonic()
        if now - before > LITTLE * (at - looked):
            burst += now - before
        elif burst:
            found.append(burst)
            burst = 0.0
        before, looked = now, at
    found.append(burst)
    return sum(each * each for each in found) / sum(found) if any(found) else 0.0


def _ran(programs: Iterable[int]) -> float:
    """Seconds of processor, to the nanosecond; of those that have ended, none."""
    return sum(_schedstat(each) for each in programs)


def _schedstat(pid: int) -> float:
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    except (FileNotFoundError, ProcessLookupError):
        return 0.0


def of_postgresql(address: str) -> int:
    """The process id of the PostgreSQL server: the parent of the backend that answers."""
    with psycopg.connect(address) as connection:
        stat = Path(f"/proc/{connection.info.backend_pid}/stat").read_text()
    return int(stat.rpartition(")")[2].split()[1])


def of_redis(address: str) -> int:
    with Redis.from_url(address) as client:
        server: Any = client.info("server")
    return int(server["process_id"])


def _ticks(pid: int) -> int:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0  # the process has ended: its time is counted at its parent
    return sum(map(int, stat.rpartition(")")[2].split()[11:15]))
