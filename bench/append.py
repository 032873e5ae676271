"""
``python -m bench.append``: appends per second, compared with a bare INSERT and `eventsourcing`.

All are measured in turn in every repetition, so that whatever slows the machine for a while slows
all of them alike. Each ratio is taken within one repetition.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from itertools import product
from statistics import median
from typing import TYPE_CHECKING, Any

from bench import pgbench, program
from bench.figures import Table, number, quotient, ratio, spread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from bench.crew import Crew
    from bench.neighbours import Neighbours
    from bench.program import Crews, Size

PGBENCH, PGBENCH_KEYED, LOOP = "pgbench", "pgbench, all keys", "psycopg loop"
SQLITE_LOOP = "sqlite3 loop"
EVENTSOURCING = "eventsourcing"
APPEND, WITH_MONEY, COMMAND = "append", "append, two transfers", "command"

LABELS = {
    PGBENCH: "pgbench: INSERT, primary key only",
    PGBENCH_KEYED: "pgbench: INSERT, the ledger's keys, indexes and checks",
    LOOP: "psycopg: INSERT, primary key only",
    SQLITE_LOOP: "sqlite3: INSERT, primary key only",
    EVENTSOURCING: "`eventsourcing`: application recorder",
    APPEND: "`journal.append`: one event",
    WITH_MONEY: "`journal.append`: one event, two transfers",
    COMMAND: "`operations.command`: Stone Hand, throw by throw",
}
OURS = (APPEND, WITH_MONEY, COMMAND)
ONE_HOUSE_TOO = (EVENTSOURCING, *OURS)  # measured on one house and on several
AIM_PGBENCH, AIM_EVENTSOURCING = 0.35, 2.0


@dataclass(frozen=True, slots=True)
class Cell:
    writers: int
    houses: int

    def __str__(self) -> str:
        return f"{self.writers} on {self.houses}"


Rates = dict[tuple[str, Cell], list[float]]


@dataclass(slots=True)
class Field:
    """A prepared database: houses with a seat for every writer, and the tables of the baselines."""

    crew: Crew
    size: Size
    seats: list[list[dict[str, str]]]
    sample: Mapping[str, str]
    measures: dict[str, Callable[[Cell, float], float]] = field(default_factory=dict)
    not_measured: list[str] = field(default_factory=list)

    def cells(self) -> Iterator[tuple[str, Cell]]:
        for cell, name in product(columns(self.size), self.measures):
            if cell.houses == 1 or name in ONE_HOUSE_TOO:
                yield name, cell

    def together(self, job: str, cell: Cell, seconds: float, **each: list[Any]) -> float:
        """The summed rate of several processes, each with its own arguments."""
        arguments = [
            {name: values[writer] for name, values in each.items()}
            for writer in range(cell.writers)
        ]
        rates: list[float] = self.crew.together(job, arguments, seconds)
        return sum(rates)


def measure(crews: Crews, size: Size, neighbours: Neighbours) -> list[Table]:
    fields = [prepared(crew, size) for crew in crews.values()]
    rates: list[Rates] = [{cell: [] for cell in each.cells()} for each in fields]
    for repetition in range(size.repetitions):
        for one, found in zip(fields, rates, strict=True):
            for name, cell in found:
                if not repetition and size.warm_up:  # for connections, prepared statements, caches
                    one.measures[name](cell, size.warm_up)
                rate = neighbours.undisturbed(partial(one.measures[name], cell, size.seconds))
                found[name, cell].append(rate)
            one.crew.one("empty_queues")
    return [
        table
        for one, found in zip(fields, rates, strict=True)
        for table in (report(one, found), *ratios(one, found))
    ]


def prepared(crew: Crew, size: Size) -> Field:
    seats = crew.one("found_houses", number=max(size.houses), tables=max(size.writers))
    made = Field(crew, size, seats, crew.one("sample"))
    crew.one("raw_tables", address=crew.database.address)
    made.measures |= baselines(made)
    made.measures |= {
        APPEND: lambda cell, seconds: append(made, cell, seconds, transfers=False),
        WITH_MONEY: lambda cell, seconds: append(made, cell, seconds, transfers=True),
        COMMAND: lambda cell, seconds: command(made, cell, seconds),
    }
    return made


def baselines(made: Field) -> dict[str, Callable[[Cell, float], float]]:
    address = made.crew.database.address

    def loop(cell: Cell, seconds: float) -> float:
        return made.together("raw", cell, seconds, address=[address] * cell.writers)

    if made.crew.database.vendor == "sqlite":
        return {SQLITE_LOOP: loop}
    found: dict[str, Callable[[Cell, float], float]] = {}
    if (there := pgbench.find()) is not None:
        found[PGBENCH] = by_pgbench(there, made, pgbench.RAW)
        found[PGBENCH_KEYED] = by_pgbench(there, made, pgbench.KEYED)
    found[LOOP] = loop
    tables = [f"bench_events_{house}" for house in range(max(made.size.houses))]
    if absent := made.crew.one("eventsourcing_tables", address=address, tables=tables):
        made.not_measured.append(f"NOT MEASURED: {EVENTSOURCING}: {absent}")
    else:
        found[EVENTSOURCING] = lambda cell, seconds: made.together(
            "eventsourcing",
            cell,
            seconds,
            address=[address] * cell.writers,
            tables=[[tables[house] for house in houses] for houses in shares(cell)],
        )
    return found


def by_pgbench(there: Path, made: Field, table: str) -> Callable[[Cell, float], float]:
    return lambda cell, seconds: pgbench.rate(
        there,
        address=made.crew.database.address,
        table=table,
        sample=made.sample,
        clients=cell.writers,
        seconds=seconds,
    )


def append(made: Field, cell: Cell, seconds: float, *, transfers: bool) -> float:
    return made.together(
        "append",
        cell,
        seconds,
        houses=[[made.seats[house][0]["house"] for house in houses] for houses in shares(cell)],
        transfers=[transfers] * cell.writers,
    )


def command(made: Field, cell: Cell, seconds: float) -> float:
    return made.together(
        "play",
        cell,
        seconds,
        seats=[
            [made.seats[house][writer] for house in houses]
            for writer, houses in enumerate(shares(cell))
        ],
    )


def columns(size: Size) -> list[Cell]:
    """
    The combinations that are measured: one writer at one house; several at one or at several
    houses.
    """
    cells = [Cell(writers, houses) for houses in size.houses for writers in size.writers]
    return [cell for cell in cells if cell.writers > 1 or cell.houses == 1]


def shares(cell: Cell) -> list[list[int]]:
    """The houses that each writer writes to, in turn if there are more houses than writers."""
    return [
        list(range(writer, cell.houses, cell.writers)) or [writer % cell.houses]
        for writer in range(cell.writers)
    ]


def report(made: Field, rates: Rates) -> Table:
    table = Table(
        f"Appends a second, {made.crew.database.name}",
        ("writers on houses", *map(str, columns(made.size))),
    )
    for name in made.measures:
        table.add(LABELS[name], *(number(rates.get((name, cell))) for cell in columns(made.size)))
    table.notes += made.not_measured
    widest = max(spread(each) for each in rates.values())
    usual = median(spread(each) for each in rates.values())
    table.notes.append(
        f"Medians of {made.size.repetitions} repetitions of {made.size.seconds} s. Between highest"
        f" and lowest lie {usual:.0%} of the median, at the widest {widest:.0%}."
    )
    return table


def ratios(made: Field, rates: Rates) -> Iterator[Table]:
    baselines = [
        name
        for name in (PGBENCH, PGBENCH_KEYED, LOOP, SQLITE_LOOP, EVENTSOURCING)
        if name in made.measures
    ]
    table = Table(
        f"The same as ratios, {made.crew.database.name}",
        ("", *map(str, columns(made.size))),
    )
    for ours, theirs in product(OURS, baselines):
        cells = [
            ratio(rates.get((ours, cell)), rates.get((theirs, _paired(theirs, cell))))
            for cell in columns(made.size)
        ]
        table.add(f"{ours} / {theirs}", *cells)
    table.notes += aims(rates)
    yield table


def _paired(theirs: str, cell: Cell) -> Cell:
    return cell if theirs in ONE_HOUSE_TOO else Cell(cell.writers, 1)


def aims(rates: Rates) -> Iterator[str]:
    for theirs, cell, aim in (
        (PGBENCH, Cell(1, 1), AIM_PGBENCH),
        (EVENTSOURCING, Cell(4, 1), AIM_EVENTSOURCING),
    ):
        ours, others = rates.get((APPEND, cell)), rates.get((theirs, cell))
        if ours and others:
            came: float = quotient(ours, others)
            word = "reached" if came >= aim else "missed"
            yield f"Aim: append >= {aim} x {theirs} at {cell}: {came:.2f} x, {word}."


APPENDS = program.Program(measure=measure)

if __name__ == "__main__":
    program.main(APPENDS)
