"""``python -m bench.latency``: how long attendants wait, while settlement works and while not."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from statistics import mean
from typing import TYPE_CHECKING, Any

from bench import program
from bench.crew import Crew, slot
from bench.figures import Table, percentile

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bench.neighbours import Neighbours
    from bench.program import Crews, Size

ATTENDANTS = 4
PAUSE = 0.03  # seconds between two commands of an attendant: many times faster than a real one
PERCENTILES = (50, 95, 99)
REPETITIONS = 3
QUIET, KEEPING_UP, BEHIND = "no worker", "a worker keeps up", "a worker catches up"
WORKING = (KEEPING_UP, BEHIND)


@dataclass(slots=True)
class House:
    """A house with attendants at tables of their own."""

    crew: Crew
    seats: Sequence[Mapping[str, str]]
    size: Size
    took: dict[str, list[float]] = field(default_factory=dict)
    handled: dict[str, list[float]] = field(default_factory=dict)

    def attended(self, surroundings: str) -> tuple[list[float], float]:
        """
        The milliseconds that each command took, and the events per second of the worker.

        The worker begins with a backlog of games, or with only what is being played.
        """
        house = {"house": self.seats[0]["house"]}
        self.crew.one("follow", **house)
        if surroundings == BEHIND:
            self.play(max(1, self.size.games // len(self.seats)))
        self.crew.one("empty_queues")
        together = slot(self.size.attending)
        jobs: list[tuple[str, dict[str, Any]]] = [
            ("attend", together | {"seat": seat, "pause": PAUSE}) for seat in self.seats
        ]
        if surroundings in WORKING:
            jobs.append(("keep_following", together | house))
        answers = self.crew.mixed(jobs)
        times, workers = answers[: len(self.seats)], answers[len(self.seats) :]
        return [each for took in times for each in took], sum(workers)

    def play(self, games: int) -> None:
        self.crew.each("play_games", [{"seat": seat, "games": games} for seat in self.seats])


def measure(crews: Crews, size: Size, neighbours: Neighbours) -> list[Table]:
    houses = [_opened(crew, size) for crew in crews.values()]
    for _ in range(min(REPETITIONS, size.repetitions)):
        for house in houses:
            for surroundings in (QUIET, *WORKING):
                took, handled = neighbours.undisturbed(partial(house.attended, surroundings))
                house.took.setdefault(surroundings, []).extend(took)
                house.handled.setdefault(surroundings, []).append(handled)
    return [report(houses, size)]


def report(houses: Sequence[House], size: Size) -> Table:
    percentiles = (f"p{percent}" for percent in PERCENTILES)
    table = Table(
        "How long a command takes, in milliseconds",
        ("", *percentiles, "longest", "commands/s", "worker's events/s"),
    )
    seconds = size.attending * min(REPETITIONS, size.repetitions)
    for house in houses:
        for surroundings, took in house.took.items():
            table.add(
                f"{house.crew.database.name}, {surroundings}",
                *(f"{percentile(sorted(took), percent):.1f}" for percent in PERCENTILES),
                f"{max(took):.0f}",
                f"{len(took) / seconds:.0f}",
                f"{mean(house.handled[surroundings]):,.0f}",
            )
    table.notes.append(
        f"{len(houses[0].seats) if houses else 0} attendants at tables of one house, each"
        f" {PAUSE * 1000:.0f} ms after their last answer. The worker's events are those of"
        " settlement and of projections together."
    )
    return table


def _opened(crew: Crew, size: Size) -> House:
    attendants = min(ATTENDANTS, size.workers - 1)
    [seats] = crew.one("found_houses", number=1, tables=attendants)
    house = House(crew, seats, size)
    house.play(1)
    return house


LATENCY = program.Program(measure=measure)

if __name__ == "__main__":
    program.main(LATENCY)
