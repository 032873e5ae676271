"""Processor time in seconds of running programs and their descendants, from ``/proc``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

import psycopg
from redis import Redis

from bench.memory import tree

TICK: Final = os.sysconf("SC_CLK_TCK")


def used(pid: int) -> float:
    """Seconds so far of a program and its descendants, including those that have ended."""
    return sum(_ticks(each) for each in tree(pid)) / TICK


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
