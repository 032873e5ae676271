"""
``python -m bench.house``: the total cost of a throw in a playing house, and how fast it is.

The house runs as in production (`bench.production`), with a PostgreSQL that waits for its disk. 50
tables of all five games each do something every five seconds: a command, then a request for the
game's state, as a tablet sends it. Measured are the milliseconds of processor time of all processes
for one command (minus what the same house takes while nobody plays), how long the client waited,
and the time from the recording of a throw to that of its payouts. Then some clients play as fast as
they can. Last, with the house stopped, the costs of its parts are measured while they do nothing
useful (`bench.limits`).

    python -m bench.house                        # 50 tables, 5 s, two minutes; then 16 clients
    python -m bench.house --quick                # a few seconds of each
    python -m bench.house --others 500           # with 500 more houses of 1,000 events each
    python -m bench.house --only sqlite          # the same in one process on SQLite
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from bench import limits, processor, production
from bench.figures import Table, number, percentile
from bench.seats import Seat, Tablet, Waits
from tests.processes import get

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bench.production import House

LOT: Final = 1_000_000  # the most numbers in names of one batch of houses
CHECKED_WITHIN: Final = 150  # seconds: the house looks for due checks once a minute
CHECKS: Final = "SELECT state FROM jobs_job WHERE kind = 'verification'"
UNFINISHED: Final = frozenset({"running"})
PAYS: Final = """
    SELECT thrown.recorded_at, paid.recorded_at
    FROM ledger_event paid
    JOIN ledger_event thrown ON thrown.establishment = paid.establishment
        AND thrown.event_id = paid.causation_id
    WHERE paid.stream LIKE 'settlement/%'"""


# --- What it cost ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Programs:
    """The first processes of the house and of its servers, by name."""

    pids: Mapping[str, int]

    @classmethod
    def of(cls, house: House) -> Programs:
        ours = {name: process.pid for name, process in house.running.items()}
        if "DATABASE_URL" not in house.env:
            return cls(ours)
        theirs = {
            "PostgreSQL": processor.of_postgresql(house.env["DATABASE_URL"]),
            "Redis": processor.of_redis(house.env["REDIS_URL"]),
        }
        return cls({**ours, **theirs})

    def used(self) -> dict[str, float]:
        """Seconds of processor time so far, including processes that have ended."""
        return {name: processor.used(pid) for name, pid in self.pids.items()}


def during(programs: Programs, seconds: float, work: Callable[[], None]) -> dict[str, float]:
    """Seconds of processor time that each program took per second of work."""
    before, began = programs.used(), time.monotonic()
    work()
    time.sleep(max(0.0, seconds - (time.monotonic() - began)))
    took = time.monotonic() - began
    return {name: (used - before[name]) / took for name, used in programs.used().items()}


# --- How it is played --------------------------------------------------------------------------


def paced(seats: Sequence[Seat], pace: float, seconds: float) -> None:
    """Let each seat act once every `pace` seconds, evenly spread over that time."""
    began, ends = time.monotonic(), time.monotonic() + seconds

    def plays(place: int, seat: Seat) -> None:
        due = began + pace * place / len(seats)
        while due < ends:
            time.sleep(max(0.0, due - time.monotonic()))
            seat.goes_on()
            due += pace

    with ThreadPoolExecutor(len(seats)) as people:
        for each in [people.submit(plays, place, seat) for place, seat in enumerate(seats)]:
            each.result()


def pressed(seats: Sequence[Seat], seconds: float) -> None:
    """Let each seat act as soon as its last command is answered."""
    ends = time.monotonic() + seconds

    def plays(seat: Seat) -> None:
        while time.monotonic() < ends:
            seat.goes_on()

    with ThreadPoolExecutor(len(seats)) as people:
        for each in [people.submit(plays, seat) for seat in seats]:
            each.result()


def caught_up(house: House) -> float:
    """Wait until no subscriber lags. Return the seconds."""
    began = time.monotonic()
    while get(house.port, "/healthz")[1]["parts"]["subscriptions"]["figures"].get("events", 1):
        time.sleep(0.1)
    return time.monotonic() - began


def verified(house: House) -> None:
    """Wait for the daily check of the house's ledger, which is no cost of any throw."""
    until = time.monotonic() + CHECKED_WITHIN
    while time.monotonic() < until:
        states = {state for (state,) in house.rows(CHECKS)}
        if states and not states & UNFINISHED:
            return
        time.sleep(1)


@dataclass
class Lag:
    """The longest lag of a subscriber in events, read once a second."""

    most: int = 0
    _ended: threading.Event = field(default_factory=threading.Event)

    def watch(self, house: House) -> None:
        while not self._ended.wait(1):
            parts = get(house.port, "/healthz")[1]["parts"]
            self.most = max(self.most, parts["subscriptions"]["figures"].get("events", 0))

    def end(self) -> None:
        self._ended.set()


def measured(options: argparse.Namespace, folder: Path) -> Iterator[Table]:
    furnishing = "bench.furnishing", str(options.tables)
    if options.only == "sqlite":
        with production.embedded(folder / "house", *furnishing) as (house, known):
            yield from played(house, known, options)
        return
    with production.house(folder / "house", production.SEPARATE, durable=True) as house:
        known = house.json_of(*furnishing)
        house.managed("ledger_keys", "--make")
        surrounded(house, options.others, options.each)
        yield from played(house, known, options)
        house.stop()
        baseline = limits.Baseline(house.env, folder)
        yield baseline.table(options.tables / options.pace, options.bare)


def played(house: House, known: Mapping[str, Any], options: argparse.Namespace) -> Iterator[Table]:
    """
    Play at the house, and return tables of what it cost.

    :param known: what `bench.furnishing` printed.
    """
    seats = [
        Seat(Tablet(house.port, known["token"], f"tablet-{place}"), table, place)
        for place, table in enumerate(known["tables"])
    ]
    yield at_pace(house, seats, options)
    yield under_pressure(house, seats, options)


def surrounded(house: House, others: int, each: int) -> None:
    """Add other houses to the same database; two processes play there."""

    def plays(begin: int, part: int) -> int:
        found = house.json_of("bench.others", str(part), str(each), str(begin))
        return int(found["events"])

    parts = [part for part in (others // 2, others - others // 2) if part]
    with ThreadPoolExecutor(2) as players:
        played = list(players.map(plays, (LOT, 2 * LOT), parts))
    if played:
        print(f"beside {others} houses of {sum(played):,} events", file=sys.stderr, flush=True)
        caught_up(house)


def at_pace(house: House, seats: Sequence[Seat], options: argparse.Namespace) -> Table:
    programs = Programs.of(house)
    paced(seats, options.pace, options.warm_up)
    caught_up(house)
    if not options.quick:
        verified(house)
    rest = during(programs, options.rest, lambda: None)
    waits = noted(seats)  # earlier waits were part of the warm-up
    since = time.time()
    busy = during(programs, options.seconds, lambda: paced(seats, options.pace, options.seconds))
    a_second = len(waits.commands) / options.seconds
    table = Table(
        f"{options.tables} tables, each {options.pace:g} s: {a_second:.1f} commands a second",
        ("", "for one command", "at rest"),
    )
    for name in busy:
        table.add(
            f"{name}, ms of processor", f"{1000 * (busy[name] - rest[name]) / a_second:.1f}",
            f"{1000 * rest[name]:.0f} a second",
        )  # fmt: skip
    whole = 1000 * (sum(busy.values()) - sum(rest.values())) / a_second
    table.add("**all told, ms of processor**", f"**{whole:.1f}**", "")
    _add_waits(table, waits)
    pays = _pays(house, since)
    table.add("throw to booked payout, p50 / p95, ms", _two(pays), "")
    table.notes.append(f"{waits.refused} refused, {waits.failed} failed; {_load()}.")
    return table


def under_pressure(house: House, seats: Sequence[Seat], options: argparse.Namespace) -> Table:
    waits, lag, programs = noted(seats), Lag(), Programs.of(house)
    watcher = threading.Thread(target=lag.watch, args=(house,), daemon=True)
    watcher.start()
    before, began = programs.used(), time.monotonic()
    pressed(seats[: options.clients], options.seconds / 2)
    took = time.monotonic() - began
    behind = caught_up(house)
    used = {name: each - before[name] for name, each in programs.used().items()}
    lag.end()
    watcher.join()
    commands = len(waits.commands)
    table = Table(f"{options.clients} clients, as fast as they are answered", ("", "figure"))
    table.add("commands a second, each with its state", f"{commands / took:.1f}")
    for name, seconds in used.items():
        table.add(f"{name}, ms of processor for one", f"{1000 * seconds / commands:.1f}")
    whole = 1000 * sum(used.values()) / commands
    table.add("**all told, ms of processor for one**", f"**{whole:.1f}**")
    table.add("seconds until subscribers had caught up", f"{behind:.1f}")
    table.add("events a subscriber was behind, at most", str(lag.most))
    _add_waits(table, waits)
    table.notes.append(f"{waits.refused} refused, {waits.failed} failed; {_load()}.")
    return table


def noted(seats: Sequence[Seat]) -> Waits:
    """Begin to note how long the seats wait."""
    waits = Waits()
    for seat in seats:
        seat.waits = waits
    return waits


def _add_waits(table: Table, waits: Waits) -> None:
    blank = [""] * (len(table.columns) - 2)
    table.add("command, p50 / p95, ms", _two([1000 * each for each in waits.commands]), *blank)
    table.add("state, p50 / p95, ms", _two([1000 * each for each in waits.reads]), *blank)


def _two(figures: Sequence[float]) -> str:
    if not figures:
        return "-"
    inorder = sorted(figures)
    return " / ".join(number([percentile(inorder, percent)]) for percent in (50, 95))


def _pays(house: House, since: float) -> list[float]:
    """Milliseconds from throw to booking, for bookings after a time."""
    pairs = [tuple(map(_moment, pair)) for pair in house.rows(PAYS)]
    return [1000 * (paid - thrown) for thrown, paid in pairs if paid > since]


def _moment(recorded: datetime | str) -> float:
    """A moment as a timestamp, from PostgreSQL's or SQLite's value."""
    if isinstance(recorded, str):
        recorded = datetime.fromisoformat(recorded).replace(tzinfo=UTC)
    return recorded.timestamp()


def _load() -> str:
    return f"load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--pace", type=float, default=5.0, help="seconds between two of a table")
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--warm-up", type=float, default=30.0)
    parser.add_argument("--rest", type=float, default=15.0)
    parser.add_argument("--bare", type=float, default=20.0, help="seconds of each bare part")
    parser.add_argument("--others", type=int, default=0, help="houses beside this one")
    parser.add_argument("--each", type=int, default=1000, help="events of each of those")
    parser.add_argument("--only", choices=("sqlite", "postgresql"), default="postgresql")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    if options.only == "sqlite" and options.others:
        parser.error("--others are played on PostgreSQL alone")
    if options.quick:
        options.tables, options.clients, options.pace = 6, 3, 1.0
        options.seconds, options.warm_up, options.rest, options.bare = 4.0, 2.0, 2.0, 2.0
    with TemporaryDirectory() as folder:
        for table in measured(options, Path(folder)):
            print(f"{table}\n", flush=True)


if __name__ == "__main__":
    main()
