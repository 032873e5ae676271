"""
``python -m bench.soak``: whether a house that is played at for hours stays as it is.

The house runs as in production (`bench.production`), with a PostgreSQL that waits for its disk.
Attendants play all five games over HTTP with voids, cash, fills and disputes, and send some
commands twice (`tests.faults.player`). People of the office open pages, reports and files. Once a
minute the program notes the memory of each process (PSS), the length of each queue and list, the
lag of subscribers and signing, what health says, open files, connections, and bytes on disk. No
process is replaced meanwhile, so that growth shows.

    python -m bench.soak                                  # 50,000 commands, as fast as they go
    python -m bench.soak --hours 2 --rate 10              # two hours at ten commands a second
    python -m bench.soak --out soak --picture soak.png    # keep the figures, and draw them
    python -m bench.soak --out soak --heap                # memory by object types, as it grows
"""

from __future__ import annotations

import argparse
import csv
import signal
import sys
import threading
import time
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import psycopg
from redis import Redis

from bench import production
from bench.figures import Table
from bench.memory import pss, tree
from bench.soak_sample import Sample
from bench.visitors import Visitor
from tests.faults.caller import Silence, Unheard
from tests.faults.player import Player
from tests.processes import get

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.production import House

QUEUES = ("play", "signing", "watch", "long")
PLAYERS, VISITORS = 6, ("orso", "ines", "sela")
READS = 1.0  # mean seconds between two pages of a visitor
WARM = 10_000  # commands after which a process is warmed up
FILES, ALL_AGAIN = "/reports/", WARM // 4  # commands between two visits to all files
GROWS_MOST = 0.05  # from there to the end, as a part of its memory
SLOWEST = 12  # pages that are named at the end
HEAP, ASK = Path(__file__).with_name("heap"), "heap/ask"
FOR_ALL = 1 / 4  # of the minutes, at least: the median of as many counts as a process's memory

NEVER_REPLACED = {"WEB_MAX_REQUESTS": "0", "WORKER_MAX_TASKS": "0", "LOG_LEVEL": "WARNING"}


@dataclass
class Commands:
    """Counts the acknowledged commands of all players, and limits their rate if one is given."""

    rate: float
    acknowledged: int = 0
    refused: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _next: float = 0.0

    def write(self, line: str) -> None:
        """Take a line of a player's journal."""
        with self._lock:
            if '"answered"' in line:
                self.acknowledged += 1
                self.refused += '"status": 422' in line

    def flush(self) -> None:
        """Do nothing: no line is kept."""

    def wait(self) -> None:
        if self.rate:
            with self._lock:
                now = time.monotonic()
                self._next = max(self._next + 1 / self.rate, now - 1)
                due = self._next
            time.sleep(max(0.0, due - now))


def main(arguments: Sequence[str] | None = None) -> None:
    options = _options(arguments)
    # A SIGTERM also ends the house's programs.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("told to end"))
    with TemporaryDirectory(prefix="bench-") as folder:
        samples = soaked(Path(options.out or folder), options)
    print(table(samples))
    if options.picture:
        from bench.soak_picture import draw  # noqa: PLC0415 - needs a browser

        draw(samples, options.picture)
    if samples[-1]["pages failed"]:
        sys.exit(f"FAILED PAGES: {samples[-1]['pages failed']:.0f}; see web.log in --out")
    grown = {name: share for name, share in growth(samples).items() if share > GROWS_MOST}
    if grown and samples[-1]["commands"] > 2 * WARM:
        sys.exit("GROWS: " + ", ".join(f"{name} {share:+.0%}" for name, share in grown.items()))


def soaked(folder: Path, options: argparse.Namespace) -> list[Sample]:
    """Run the house and return the samples, one per minute."""
    heap = _heap(folder) if options.heap else {}
    with production.house(
        folder / "house", production.SEPARATE, durable=True, **NEVER_REPLACED, **heap
    ) as house:
        known = house.json_of("tests.faults.founding", "1")
        house.managed("ledger_keys", "--make")
        profiled = -1  # tens of thousands of commands at the last request for heaps
        commands, ended, samples = Commands(options.rate), threading.Event(), list[Sample]()
        began, until = time.monotonic(), time.monotonic() + 3600 * (options.hours or 1e6)
        visitors = [
            Visitor(house.address, who, known["password"], Random(who))  # noqa: S311 - no secret
            for who in VISITORS
        ]
        people = [
            *(_playing(house, known, number, commands, ended) for number in range(PLAYERS)),
            *(_visiting(visitor, commands, ended) for visitor in visitors),
        ]
        for each in people:
            each.start()
        try:
            with (folder / "soak.csv").open("w", newline="", encoding="utf-8") as written:
                while not ended.is_set():
                    if _enough(commands, options.commands) or time.monotonic() > until:
                        ended.set()
                    sample = {
                        "minutes": (time.monotonic() - began) / 60,
                        "commands": commands.acknowledged,
                        "refused": commands.refused,
                        "pages": sum(each.opened.get(200, 0) for each in visitors),
                        "pages failed": sum(each.failed for each in visitors),
                        **measured(house),
                    }
                    samples.append(sample)
                    if options.heap and commands.acknowledged // WARM > profiled:
                        profiled = commands.acknowledged // WARM
                        (folder / ASK).write_text(str(commands.acknowledged))
                    _note(written, sample, first=len(samples) == 1)
                    _wait(options.every, commands, options.commands)
        finally:
            ended.set()
            for each in people:
                each.join()
        house.stop()
        for path, took in slowest(visitors):
            print(f"{took:.1f} s {path}", file=sys.stderr)
    return samples


def _heap(folder: Path) -> dict[str, str]:
    """Environment variables that make each process report its memory (bench/heap)."""
    (folder / ASK).parent.mkdir(parents=True, exist_ok=True)
    return {"PYTHONPATH": str(HEAP), "HEAP_NOTES": str((folder / ASK).parent)}


def slowest(visitors: Sequence[Visitor]) -> list[tuple[str, float]]:
    """The slowest pages, each with its longest time."""
    took: dict[str, float] = {}
    for each in visitors:
        for path, seconds in each.took.items():
            took[path] = max(seconds, took.get(path, 0.0))
    return sorted(took.items(), key=itemgetter(1), reverse=True)[:SLOWEST]


def measured(house: House) -> Sample:
    status, health = get(house.port, "/healthz")
    parts = health.get("parts", {})
    return {
        "health": status,
        "lag": parts["subscriptions"]["figures"].get("events", -1) if parts else -1,
        "unsigned": parts["integrity"]["figures"].get("unsigned", -1) if parts else -1,
        **_processes(house),
        **_queues(house.env["REDIS_URL"]),
        **_database(house.env["DATABASE_URL"]),
    }


def _processes(house: House) -> Sample:
    """Memory in MB and open files of each process, by its program and its place in it."""
    found: Sample = {}
    for name, process in house.running.items():
        for place, pid in enumerate(tree(process.pid)):
            called = f"{name}.{place}" if place else name
            found[f"MB {called}"] = pss(pid)
            found[f"files {called}"] = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    return found


def _queues(address: str) -> Sample:
    with Redis.from_url(address) as client:
        memory: Any = client.info("memory")
        return {
            **{f"messages {name}": int(client.llen(name)) for name in QUEUES},
            **{f"waiting {name}": int(client.zcard(f"waiting:{name}")) for name in QUEUES},
            "keys": int(client.dbsize()),
            "MB Redis": memory["used_memory"] / 2**20,
        }


def _database(address: str) -> Sample:
    with psycopg.connect(address) as connection:
        cursor = connection.execute(
            "SELECT pg_database_size(current_database()),"
            " (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()),"
            " (SELECT count(*) FROM ledger_event)"
        )
        size, connections, events = cursor.fetchone() or (0, 0, 0)
    return {"MB on disk": size / 2**20, "connections": connections - 1, "events": events}


def growth(samples: Sequence[Sample]) -> dict[str, float]:
    """The growth of each process since it was warm, as a part of its memory then."""
    warm = [each for each in samples if each["commands"] >= min(WARM, samples[-1]["commands"] / 5)]
    some = max(1, round(len(warm) * FOR_ALL))
    first, last = warm[:some], warm[-some:]
    return {
        name: _middle(last, name) / _middle(first, name) - 1
        for name in samples[-1]
        if name.startswith("MB ") and name != "MB on disk"
    }


def table(samples: Sequence[Sample]) -> Table:
    last, grown = samples[-1], growth(samples)
    sampled = Table(
        f"{last['commands']:,.0f} commands in {last['minutes']:.0f} minutes,"
        f" {last['refused']:,.0f} of them refused",
        ("", "first", "warm", "last", "most", "grown"),
    )
    warm = next(each for each in samples if each["commands"] >= min(WARM, last["commands"] / 5))
    for name in last:
        if name not in {"minutes", "commands", "refused"}:
            figures = (samples[0], warm, last)
            most = max(sample.get(name, 0) for sample in samples)
            cells = [f"{sample.get(name, 0):,.0f}" for sample in figures]
            share = f"{grown[name]:+.1%}" if name in grown else ""
            sampled.add(name, *cells, f"{most:,.0f}", share)
    return sampled


def _middle(samples: Sequence[Sample], name: str) -> float:
    figures = sorted(sample.get(name, 0.0) for sample in samples)
    return figures[len(figures) // 2] or 1.0


def _playing(
    house: House, known: dict[str, Any], number: int, commands: Commands, ended: threading.Event
) -> threading.Thread:
    [at] = known["houses"]
    tables = at["tables"]
    settings = known | at | {"seed": number, "number": number, "ports": [house.port], "pause": 0}
    settings["tables"] = [tables[each % (len(tables) - 1)] for each in range(PLAYERS)] + tables[-1:]

    def plays() -> None:
        player = Player(settings, commands)  # type: ignore[arg-type]  # a journal that only counts
        while not ended.is_set():
            commands.wait()
            try:
                player.does_something()
            except (Silence, Unheard):
                time.sleep(1)

    return threading.Thread(target=plays, daemon=True)


def _visiting(visitor: Visitor, commands: Commands, ended: threading.Event) -> threading.Thread:
    def visits() -> None:
        met = 0  # commands after which each process has most likely drawn each report
        while not ended.wait(visitor.chance.uniform(0, 2 * READS)):
            if commands.acknowledged >= met:
                visitor.opens_all(FILES)
                met += ALL_AGAIN
            visitor.step()

    return threading.Thread(target=visits, daemon=True)


def _enough(commands: Commands, wanted: int) -> bool:
    return bool(wanted) and commands.acknowledged >= wanted


def _wait(seconds: float, commands: Commands, wanted: int) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not _enough(commands, wanted):
        time.sleep(0.2)


def _note(written: Any, sample: Sample, *, first: bool) -> None:
    writer = csv.DictWriter(written, list(sample), extrasaction="ignore")
    if first:
        writer.writeheader()
    writer.writerow({name: round(figure, 1) for name, figure in sample.items()})
    written.flush()


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Prints a table; see bench/README.md.")
    parser.add_argument("--commands", type=int, default=0, help="default 50,000 without --hours")
    parser.add_argument("--hours", type=float, default=0.0)
    parser.add_argument("--rate", type=float, default=0.0, help="acts a second at most")
    parser.add_argument("--every", type=float, default=60.0, help="seconds between two notes")
    parser.add_argument("--out", type=Path, help="a folder for soak.csv and the logs")
    parser.add_argument("--heap", action="store_true", help="notes in --out, see bench/heap")
    parser.add_argument("--picture", type=Path, help="a PNG of it")
    options = parser.parse_args(arguments)
    if not options.commands and not options.hours:
        options.commands = 50_000
    return options


if __name__ == "__main__":
    main()
