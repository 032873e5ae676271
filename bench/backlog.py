"""A backlog of one house: whole games that were played, and one worker that comes to them late."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from bench.figures import Table, number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.crew import Crew
    from bench.neighbours import Neighbours
    from bench.program import Crews, Size

REPETITIONS = 3


@dataclass(frozen=True, slots=True)
class Backlog:
    """
    What a worker does with one.

    `job` is its name in `bench.work`, which answers with figures by name; `rates` are those that
    are shown, and what each is called.
    """

    title: str
    job: str
    rates: Mapping[str, str]

    def worked_off(
        self, crews: Crews, size: Size, neighbours: Neighbours
    ) -> tuple[Table, dict[str, float]]:
        """The medians of some repetitions, and all that the first of them gave."""
        found: list[list[dict[str, float]]] = [[] for _ in crews]
        repetitions = min(REPETITIONS, size.repetitions)
        for _ in range(repetitions):
            for crew, figures in zip(crews.values(), found, strict=True):
                figures.append(neighbours.undisturbed(partial(_once, crew, size, self.job)))
        names = (crew.database.name for crew in crews.values())
        table = Table(f"{self.title}, one worker, a backlog of one house", ("", *names))
        for rate, label in self.rates.items():
            table.add(label, *(number([each[rate] for each in figures]) for figures in found))
        table.notes.append(f"Medians of {repetitions} repetitions.")
        return table, found[0][0] if found else {}


def _once(crew: Crew, size: Size, job: str) -> dict[str, float]:
    """Play at a new house, then let a process work that knows nothing of it."""
    writers = size.workers - 1
    [seats] = crew.one("found_houses", number=1, tables=writers)
    games = max(1, size.games // writers)
    jobs: list[tuple[str, Mapping[str, Any]]] = [("hello", {})]
    jobs += [("play_games", {"seat": seat, "games": games}) for seat in seats]
    crew.mixed(jobs)
    crew.one("empty_queues")
    figures: dict[str, float] = crew.one(job, house=seats[0]["house"])
    return figures
