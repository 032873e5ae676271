"""``python -m bench.polls``: what the polls of a whole floor, each second, cost one worker."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from bench import program
from bench.figures import Table, number, ratio

if TYPE_CHECKING:
    from bench.neighbours import Neighbours
    from bench.program import Crews, Size

TABLES = 50
TABLES_TINY = 2
THROWS = 8  # per second on the whole floor: one at each table every six seconds
REPETITIONS = 3
WAYS = ("without", "with")
CALLED = {"board": "a table's board", "hall": "all tables", "wall": "a wall board"}

Found = Sequence[dict[str, Any]]


def measure(crews: Crews, size: Size, neighbours: Neighbours) -> list[Table]:
    tables = TABLES if size.repetitions > 1 or size.seconds >= 0.3 else TABLES_TINY
    each, floor = _tables(tables)
    for crew in crews.values():
        [seats] = crew.one("found_houses", number=1, tables=tables)
        ask = partial(crew.one, "polls", seats=seats, seconds=size.seconds, throws=THROWS)
        found = [neighbours.undisturbed(ask) for _ in range(min(REPETITIONS, size.repetitions))]
        _report(crew.database.name, found, each, floor)
    return [each, floor]


def _tables(tables: int) -> tuple[Table, Table]:
    each = Table(
        "Polls where nothing is new",
        (
            "",
            "ms before",
            "ms",
            "queries before",
            "queries",
            "before / now",
            "a second, one worker",
        ),
    )
    each.notes.append(
        "Processor time of one web process for one poll, all middleware included, without tickets"
        " (`casino/floor/tables/news.py`) and with them."
    )
    floor = Table(
        f"Polls of {tables} tables in play",
        ("", "polls a second", "of them news", "of a worker before", "of a worker", "before / now"),
    )
    floor.notes.append(
        f"Two devices at each table, its wall board, two screens of all tables and the house's"
        f" board, each once a second, while {THROWS} throws a second are recorded and settled. The"
        " throws themselves are not counted."
    )
    return each, floor


def _report(database: str, found: Found, each: Table, floor: Table) -> None:
    for kind, called in CALLED.items():
        before, now = ([one[way][kind]["ms"] for one in found] for way in WAYS)
        queries = [number([one[way][kind]["queries"] for one in found]) for way in WAYS]
        rate = number([1000 / ms for ms in now])
        cells = (number(before), number(now), *queries, ratio(before, now), rate)
        each.add(f"{database}: {called}", *cells)
    seconds = {way: [one[way]["floor"] for one in found] for way in WAYS}
    shares = {way: [one["share"] for one in seconds[way]] for way in WAYS}
    last = seconds["with"][-1]
    floor.add(
        database,
        f"{last['polls']}",
        f"{last['news']:.0%}",
        *(f"{100 * sum(shares[way]) / len(shares[way]):.0f} %" for way in WAYS),
        ratio(shares["without"], shares["with"]),
    )


POLLS = program.Program(measure=measure, media=("memory",))

if __name__ == "__main__":
    program.main(POLLS)
