"""
``python -m bench.nodes``: what a throw costs on one, two and three database servers, and where.

The house's real processes run on Citus (tests/scale/citus): a coordinator alone that holds the
houses, with one worker, with two; and on plain PostgreSQL. Players play over HTTP at tables of many
houses, a fixed number of commands, each followed by a request for the game's state: that is what a
throw means here, as in `bench.house`. On one machine the clock says little of many servers. What
counts is the processor time of each process for one throw, and how it divides among the servers.

    python -m bench.nodes                              # all forms, three runs of each load
    python -m bench.nodes --form 3 --load 16 --runs 1
    python -m bench.nodes --out bench/chain/measured.json   # for python -m bench.chain
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from bench import cluster_site, measured, processor
from bench.cluster_site import FORMS
from bench.figures import Table, percentile
from bench.house import caught_up, noted
from bench.neighbours import watched
from bench.seats import Seat, Tablet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bench.cluster_site import Site

HOUSES: Final = 12
TABLES: Final = 4
REST: Final = 10.0  # seconds without play
LOOKS: Final = 3
BURSTS: Final = (15.0,) * 4  # seconds of each look at how long programs work at a stretch
WARM: Final = 200  # commands before the first measurement
HEAVY: Final = "16"
AGAIN: Final = {"3": "3 direct"}
"""Forms that are measured on the houses of others, at other tables, where no game is open."""
PERCENTILES: Final = (5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 98, 99, 100)


@dataclass(frozen=True)
class Load:
    """
    :param players: who play at once, each at a table of their own.
    :param pause: mean seconds that a player thinks between two throws; exponential.
    :param commands: how many all of them send.
    """

    players: int
    pause: float
    commands: int


LOADS: Final = {
    "1": Load(1, 0, 300),
    "2": Load(2, 0, 500),
    "4": Load(4, 0, 1000),
    "8": Load(8, 0, 1500),
    "16": Load(16, 0, 2000),
    "8 slow": Load(8, 0.2, 800),
    "24 slow": Load(24, 0.5, 1000),
    "48 slow": Load(48, 2.0, 900),
}


def seats_of(site: Site) -> list[Seat]:
    """A seat at every table of the form's; the first are at different houses."""
    tables = range(TABLES, 2 * TABLES) if site.form.through else range(TABLES)
    places = [
        (house, table)
        for house, table in itertools.product(range(len(site.houses)), tables)
        if _played(site, site.houses[house]["house"])
    ]
    places.sort(key=lambda place: (place[1], place[0]))
    return [
        Seat(
            Tablet(site.house.port, site.houses[house]["token"], f"tablet-{house}-{table}"),
            site.houses[house]["tables"][table],
            number,
        )
        for number, (house, table) in enumerate(places)
    ]


def _played(site: Site, house: str) -> bool:
    """Whoever speaks to a server directly plays only in the houses that it has."""
    return not site.form.through or site.places[house] == f"server {site.form.through + 1}"


def played(seats: Sequence[Seat], load: Load) -> float:
    """Let the first seats play until so many commands were sent. Return the seconds it took."""
    left = itertools.count(load.commands, -1)
    counting = threading.Lock()

    def plays(number: int, seat: Seat) -> None:
        chance = random.Random(number)  # noqa: S311 - pauses are no secret
        while True:
            with counting:
                if next(left) <= 0:
                    return
            if load.pause:
                time.sleep(chance.expovariate(1 / load.pause))
            seat.goes_on()

    began = time.monotonic()
    some = seats[: load.players]
    with ThreadPoolExecutor(len(some)) as people:
        for each in [people.submit(plays, number, seat) for number, seat in enumerate(some)]:
            each.result()
    return time.monotonic() - began


def at_rest(site: Site) -> dict[str, float]:
    """
    Seconds of processor in a second, by program and server, while nobody plays.

    What a start leaves to do ends within a minute: the least of several looks counts.
    """
    return min((_look(site) for _ in range(LOOKS)), key=lambda each: sum(each.values()))


def bursts_at_rest(site: Site) -> float:
    """Seconds of processor for which what goes on while nobody plays works at a stretch."""
    return median(processor.bursts(site.pids().values(), seconds) for seconds in BURSTS)


def _look(site: Site) -> dict[str, float]:
    before, began = site.used(), time.monotonic()
    time.sleep(REST)
    took = time.monotonic() - began
    return {name: (used - before[name]) / took for name, used in site.used().items()}


def run(site: Site, seats: Sequence[Seat], load: Load, rest: dict[str, float]) -> dict[str, Any]:
    """
    One run of a load.

    :returns: milliseconds of processor for one throw by program and server, until all is booked
        and without what they use at rest; how busy each was while people played (cores); waits;
        and for each server what it wrote.
    """
    waits = noted(seats)
    before, counted, asked = site.used(), site.counters(), site.redis_commands()
    events, own, began = site.events(), time.process_time(), time.monotonic()
    others, took, _ = watched(lambda: played(seats, load))
    at_end, sessions, own = site.used(), site.sessions(), time.process_time() - own
    behind = caught_up(site.house)
    whole = time.monotonic() - began
    after, many = site.used(), len(waits.commands)
    written = site.events() - events
    both = sorted(
        1000 * (one + other) for one, other in zip(waits.commands, waits.reads, strict=False)
    )
    commands, reads = sorted(waits.commands), sorted(waits.reads)
    return {
        "commands": many,
        "refused": waits.refused,
        "failed": waits.failed,
        "seconds": took,
        "events": written,
        "others": others,
        "behind": behind,
        "ms": {
            **{n: 1000 * (after[n] - before[n] - rest[n] * whole) / many for n in after},
            "players": 1000 * own / many,
        },
        "cores": {**{n: (at_end[n] - before[n]) / took for n in at_end}, "players": own / took},
        "command ms": {str(p): 1000 * percentile(commands, p) for p in (50, 95, 99)},
        "state ms": {str(p): 1000 * percentile(reads, p) for p in (50, 95, 99)},
        "throw ms": {str(p): percentile(both, p) for p in PERCENTILES},
        "mean ms": 1000 * (sum(commands) + sum(reads)) / many,
        "servers": {
            name: {
                **{what: now[what] - counted[name][what] for what in now},
                "sessions": sessions[name],
            }
            for name, now in site.counters().items()
        },
        "redis": (site.redis_commands() - asked) / many,
    }


def measured_forms(name: str, options: argparse.Namespace) -> Iterator[tuple[str, Any]]:
    """Every load on one form; then on the same houses if their servers are asked directly."""
    tables = TABLES * (2 if name in AGAIN else 1)
    with (
        TemporaryDirectory() as folder,
        cluster_site.running(
            Path(folder) / "house", FORMS[name], houses=HOUSES, tables=tables
        ) as site,
    ):
        yield name, measured_site(site, name, Path(folder), options)
        if name in AGAIN:
            other = AGAIN[name]
            with cluster_site.through(site, Path(folder), FORMS[other]) as again:
                options.load = [HEAVY]
                yield other, measured_site(again, other, Path(folder), options)


def measured_site(
    site: Site, name: str, folder: Path, options: argparse.Namespace
) -> dict[str, Any]:
    loads = {key: LOADS[key] for key in options.load or LOADS}
    seats = seats_of(site)
    played(seats, Load(min(16, len(seats)), 0, WARM * options.share // 100))
    caught_up(site.house)
    rest, burst = at_rest(site), bursts_at_rest(site)
    runs: dict[str, list[dict[str, Any]]] = {key: [] for key in loads}
    for _ in range(options.runs):
        for key, load in loads.items():
            less = Load(load.players, load.pause, max(20, load.commands * options.share // 100))
            runs[key].append(run(site, seats, less, rest))
            _say(name, key, runs[key][-1])
    homes = [site.places[each["house"]] for each in site.houses]
    return {
        "rest": rest,
        "burst": burst,
        "flush": measured.flush(folder),
        "houses": {server: homes.count(server) for server in site.servers()},
        "loads": {
            key: {"players": loads[key].players, "pause": loads[key].pause, **middle(those)}
            for key, those in runs.items()
        },
    }


def middle(runs: Sequence[Any]) -> Any:
    """The median of each figure of several runs of the same shape."""
    if isinstance(runs[0], dict):
        return {key: middle([each[key] for each in runs]) for key in runs[0]}
    return median(runs)


def _say(name: str, load: str, one: dict[str, Any]) -> None:
    print(
        f"{name}, {load}: {one['commands'] / one['seconds']:.1f} a second,"
        f" {sum(one['ms'].values()):.1f} ms, others {one['others']:.0%}",
        file=sys.stderr, flush=True,
    )  # fmt: skip


def groups(ms: dict[str, float]) -> dict[str, float]:
    """Milliseconds by what people ask after."""
    servers = {name: value for name, value in ms.items() if name.startswith("server ")}
    return {
        "web": ms["web"], "workers": ms["worker"], "beat and long jobs": ms["beat"] + ms["long"],
        "Redis": ms["Redis"], **servers,
    }  # fmt: skip


def tables(found: dict[str, Any]) -> list[Table]:
    """For each load a table with a column for each form."""
    forms = list(found)
    out = []
    for load in LOADS:
        by = {form: found[form]["loads"][load] for form in forms if load in found[form]["loads"]}
        if not by:
            continue
        table = Table(f"A throw with the players {load}: ms of processor", ("", *by))
        parts = {form: groups(one["ms"]) for form, one in by.items()}
        for part in dict.fromkeys(part for each in parts.values() for part in each):
            cells = (f"{each[part]:.2f}" if part in each else "" for each in parts.values())
            table.add(part, *cells)
        table.add("**all**", *(f"**{sum(each.values()):.1f}**" for each in parts.values()))
        rows: dict[str, Callable[[dict[str, Any]], float]] = {
            "throws a second": lambda one: one["commands"] / one["seconds"],
            "throw p50, ms": lambda one: one["throw ms"]["50"],
            "throw p95, ms": lambda one: one["throw ms"]["95"],
            "events": lambda one: one["events"] / one["commands"],
            "WAL kB, all servers": lambda one: _all(one, "WAL") / 1000 / one["commands"],
            "rows, all servers": lambda one: _all(one, "rows") / one["commands"],
            "waits for the disk, all servers": lambda one: _all(one, "fsyncs") / one["commands"],
            "transactions, all servers": lambda one: _all(one, "transactions") / one["commands"],
            "sessions, all servers": lambda one: _all(one, "sessions"),
            "Redis commands": lambda one: one["redis"],
            "other programs, of the processors": lambda one: one["others"],
        }
        for label, figure in rows.items():
            table.add(label, *(f"{figure(one):,.2f}" for one in by.values()))
        table.notes.append(
            "Houses by server: "
            + "; ".join(f"{form}: {found[form]['houses']}" for form in forms) + "."
        )  # fmt: skip
        out.append(table)
    return out


def _all(one: dict[str, Any], what: str) -> float:
    return float(sum(each[what] for each in one["servers"].values()))


def main() -> None:
    parser = argparse.ArgumentParser(description="Prints tables; see bench/README.md.")
    parser.add_argument(
        "--form", action="append", choices=[form for form in FORMS if form not in AGAIN.values()]
    )
    parser.add_argument("--load", action="append", choices=[*LOADS])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--share", type=int, default=100, help="percent of each load's commands")
    parser.add_argument("--out", type=Path, help="keep the figures in this file")
    options = parser.parse_args()
    found = {}
    for form in options.form or [form for form in FORMS if form not in AGAIN.values()]:
        for name, figures in measured_forms(form, options):
            found[name] = figures
            if options.out:
                measured.keep(options.out, "nodes", {name: figures})
    for table in tables(found):
        print(f"{table}\n", flush=True)


if __name__ == "__main__":
    main()
