"""
``python -m bench.fairness``: how long 200 houses wait for one worker if another is far behind.

Each house has one game to settle; another house, which was woken first, has many. The same is
measured without that house. If a worker served it to the end first, all others would wait that long
in addition.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from bench import program
from bench.figures import Table, percentile

if TYPE_CHECKING:
    from bench.crew import Crew
    from bench.neighbours import Neighbours
    from bench.program import Crews, Size

LOUD = 8  # times the games of the benchmarks of subscribers
PERCENTILES = (50, 95, 100)
ALONE, BACKLOG = "nobody is behind", "one is far behind"


def measure(crews: Crews, size: Size, neighbours: Neighbours) -> list[Table]:
    table = Table(
        f"{size.neighbours} houses and one worker: seconds until a house is settled",
        ("", "p50", "p95", "longest", "the one behind", "its longest turn"),
    )
    for crew in crews.values():
        found = neighbours.undisturbed(partial(_once, crew, size))
        for surroundings, figures in found.items():
            waited = sorted(figures["waited"])
            table.add(
                f"{crew.database.name}, {surroundings}",
                *(f"{percentile(waited, percent):.2f}" for percent in PERCENTILES),
                f"{figures['first']:.2f}" if figures["first"] else "-",
                f"{figures['turn']:.2f}",
            )
    return [table]


def _once(crew: Crew, size: Size) -> dict[str, Any]:
    return {
        ALONE: crew.one("served", houses=_played(crew, size.neighbours)),
        BACKLOG: crew.one(
            "served", houses=_played(crew, size.neighbours), first=_behind(crew, size)
        ),
    }


def _played(crew: Crew, number: int) -> list[str]:
    """Found new houses with one played game each."""
    houses = [seats[0] for seats in crew.one("found_houses", number=number, tables=1)]
    for seat in houses:
        crew.one("play_games", seat=seat, games=1)
    crew.one("empty_queues")
    return [seat["house"] for seat in houses]


def _behind(crew: Crew, size: Size) -> list[str]:
    [[seat]] = crew.one("found_houses", number=1, tables=1)
    crew.one("play_games", seat=seat, games=LOUD * size.games)
    crew.one("empty_queues")
    return [seat["house"]]


FAIRNESS = program.Program(measure=measure, media=("memory",))

if __name__ == "__main__":
    program.main(FAIRNESS)
