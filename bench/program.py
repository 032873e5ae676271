"""Shared by all benchmarks: sizes, arguments, the databases of a run, the heading of its report."""

import argparse
import os
import platform
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from bench import database, pgbench
from bench.crew import Crew, assembled
from bench.database import Medium, Vendor
from bench.figures import Table
from bench.neighbours import Neighbours
from tests.services import NotStarted


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """
    The size of a run.

    :param seconds: of each measurement of appends. pgbench needs at least one.
    :param attending: seconds of each measurement of latency.
    :param games: the backlog when subscribers are measured.
    :param neighbours: houses that wait for one worker together, when its turns are measured.
    :param ledgers: events of the ledgers on which proofs are measured, shortest first.
    :param checkpoints: how many are timed on each ledger.
    :param verified: the longest ledger that is verified as a whole.
    :param patience: seconds for repeating disturbed measurements, in each program
        (`bench.neighbours`).
    """

    seconds: float
    warm_up: float
    repetitions: int
    writers: tuple[int, ...]
    houses: tuple[int, ...]
    attending: float
    games: int
    neighbours: int
    ledgers: tuple[int, ...]
    checkpoints: int
    verified: int
    patience: float

    @property
    def workers(self) -> int:
        """The number of processes: one follows while the others write."""
        return max(*self.writers, 2)


# fmt: off
SIZES = {
    "full": Size(
        seconds=1.0, warm_up=0.1, repetitions=3, writers=(1, 4, 8), houses=(1, 4),
        attending=2.0, games=24, neighbours=200, ledgers=(10_000, 100_000, 1_000_000),
        checkpoints=15, verified=1_000_000, patience=45.0,
    ),
    "quick": Size(
        seconds=0.3, warm_up=0.1, repetitions=1, writers=(1, 4), houses=(1, 4),
        attending=1.0, games=8, neighbours=40, ledgers=(10_000, 100_000), checkpoints=5,
        verified=100_000, patience=10.0,
    ),
    "tiny": Size(
        seconds=0.02, warm_up=0.0, repetitions=1, writers=(1, 2), houses=(1, 2),
        attending=0.1, games=1, neighbours=3, ledgers=(300, 600), checkpoints=1, verified=600,
        patience=0.0,
    ),
}
# fmt: on

Crews = Mapping[Vendor, Crew]


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """Something to measure, and the databases where it is measured by default."""

    measure: Callable[[Crews, Size, Neighbours], Sequence[Table]]
    media: tuple[Medium, ...] = ("memory", "disk")


TITLES: Mapping[Medium, str] = {
    "memory": "Files in memory: waiting for the disk takes no time",
    "disk": "Files on the disk",
}


def main(*programs: Program) -> None:
    """Read the command line and run the programs."""
    try:
        run(*programs, options=_options())
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def run(*programs: Program, options: argparse.Namespace) -> None:
    """Measure one after the other on the same databases, and print a report."""
    size = SIZES[options.size]
    if options.patience is not None:
        size = replace(size, patience=options.patience)
    _say(head())
    for medium in options.on or (TITLES if options.size == "full" else ["memory"]):
        here = [program for program in programs if options.on or medium in program.media]
        if not here:
            continue
        _say(f"## {TITLES[medium]}")
        vendors = options.only or ["postgresql", "sqlite"]
        with _crews(vendors, medium, size) as crews:
            about = [f"{it.database.name}: {it.database.about}" for it in crews.values()]
            _say("\n".join(map(_item, about)))
            for program in here:
                _measure(program, crews, size)


def head() -> str:
    pgbench_here = pgbench.find()
    about = [
        f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}",
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, "
        + ", ".join(f"{name} {version(name)}" for name in ("django", "psycopg", "eventsourcing")),
        pgbench.version(pgbench_here) if pgbench_here else f"NOT MEASURED: {pgbench.ABSENT}",
    ]
    return "\n".join(map(_item, about))


def _measure(program: Program, crews: Crews, size: Size) -> None:
    load, began = os.getloadavg()[0], time.monotonic()
    neighbours = Neighbours(size.patience)
    for table in program.measure(crews, size, neighbours):
        _say(str(table))
    took = time.monotonic() - began
    _say(f"{took:.0f} s, load average before it {load:.1f}. {neighbours.sentence()}")


@contextmanager
def _crews(vendors: Sequence[Vendor], medium: Medium, size: Size) -> Iterator[Crews]:
    with ExitStack() as stack:
        crews = {}
        for vendor in vendors:
            try:
                opened = stack.enter_context(database.opened(vendor, medium))
            except NotStarted as reason:
                _say(f"NOT MEASURED: {vendor} ({medium}): {reason}")
                continue
            crews[vendor] = stack.enter_context(assembled(opened, size.workers))
        yield crews


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Prints tables; see bench/README.md.")
    sizes = parser.add_mutually_exclusive_group()
    for name, text in (("quick", "about a minute"), ("tiny", "seconds, figures mean nothing")):
        sizes.add_argument(
            f"--{name}",
            dest="size",
            action="store_const",
            const=name,
            default="full",
            help=text,
        )
    parser.add_argument("--patience", type=float, help="seconds in each program; see README.md")
    parser.add_argument("--only", action="append", choices=["postgresql", "sqlite"])
    parser.add_argument("--on", action="append", choices=["memory", "disk"])
    return parser.parse_args()


def _item(line: str) -> str:
    return f"- {line}"


def _processor() -> str:
    described = Path("/proc/cpuinfo")
    lines = described.read_text().splitlines() if described.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _say(text: str) -> None:
    print(f"{text}\n", flush=True)
