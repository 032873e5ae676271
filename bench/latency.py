"""``python -m bench.latency``: how long attendants wait, while settlement works and while not."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import mean
from typing import TYPE_CHECKING, Any

from bench import program
from bench.crew import Crew, slot
from bench.figures import Table, percentile

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bench.program import Crews, Size

ATTENDANTS = 4
PAUSE = 0.03  # seconds of each attendant between two commands: many times a real one's pace
PERCENTILES = (50, 95, 99)
REPETITIONS = 3
QUIET, SETTLING = "no worker", "settlement and projections at work"


@dataclass(slots=True)
class House:
    """A house with attendants at tables of their own."""

    crew: Crew
    seats: Sequence[Mapping[str, str]]
    took: dict[str, list[float]] = field(default_factory=lambda: {QUIET: [], SETTLING: []})
    handled: list[float] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)

    @property
    def id(self) -> str:
        return self.seats[0]["house"]

    def play(self, games: int) -> None:
        self.crew.each("play_games", [{"seat": seat, "games": games} for seat in self.seats])

    def while_quiet(self, seconds: float) -> None:
        self.crew.one("follow", house=self.id)
        self.crew.one("empty_queues")
        for took in self._attended(seconds):
            self.took[QUIET] += took

    def while_settling(self, seconds: float, games: int) -> None:
        """So many games are behind the cursors, so that the worker is at it all the time."""
        self.play(games)
        self.crew.one("empty_queues")
        *times, worker = self._attended(seconds, ("keep_following", {"house": self.id}))
        for took in times:
            self.took[SETTLING] += took
        self.handled.append(worker["events/s"])
        self.busy.append(worker["busy"])

    def _attended(self, seconds: float, *others: tuple[str, Mapping[str, Any]]) -> list[Any]:
        together = slot(seconds)
        attending = [("attend", {"seat": seat, "pause": PAUSE}) for seat in self.seats]
        return self.crew.mixed(
            [(job, together | dict(more)) for job, more in [*attending, *others]]
        )


def measure(crews: Crews, size: Size) -> list[Table]:
    houses = [_opened(crew, size) for crew in crews.values()]
    for _ in range(min(REPETITIONS, size.repetitions)):
        for house in houses:
            house.while_quiet(size.attending)
            house.while_settling(size.attending, size.games)
    return [report(houses, size)]


def report(houses: Sequence[House], size: Size) -> Table:
    columns = (*(f"p{percent}" for percent in PERCENTILES), "commands/s")
    table = Table("How long a command takes, in milliseconds", ("", *columns))
    seconds = size.attending * min(REPETITIONS, size.repetitions)
    for house in houses:
        for surroundings, took in house.took.items():
            table.add(
                f"{house.crew.database.name}, {surroundings}",
                *(f"{percentile(sorted(took), percent):.1f}" for percent in PERCENTILES),
                f"{len(took) / seconds:.0f}",
            )
        table.notes.append(
            f"{house.crew.database.name}: {len(house.seats)} attendants; the worker was busy"
            f" {mean(house.busy):.0%} of the time and took {mean(house.handled):,.0f} events/s"
            " through its two followers meanwhile."
        )
    return table


def _opened(crew: Crew, size: Size) -> House:
    attendants = min(ATTENDANTS, size.workers - 1)
    [seats] = crew.one("found_houses", number=1, tables=attendants)
    house = House(crew, seats)
    house.play(1)
    return house


LATENCY = program.Program(measure=measure)

if __name__ == "__main__":
    program.run(LATENCY)
