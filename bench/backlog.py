"""A backlog of one house: whole games are played first, then one worker handles their events."""

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
    A benchmark of a worker that handles a backlog.

    `job` is its name in `bench.work`; the job returns figures by name. `rates` has the figures that
    are shown, with their labels.
    """

    title: str
    job: str
    rates: Mapping[str, str]

    def worked_off(
        self, crews: Crews, size: Size, neighbours: Neighbours
    ) -> tuple[Table, dict[str, float]]:
        """The medians of some repetitions, and all figures of the first of them."""
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
    """Play at a new house, then let another process handle the backlog."""
    writers = size.workers - 1
    [seats] = crew.one("found_houses", number=1, tables=writers)
    games = max(1, size.games // writers)
    jobs: list[tuple[str, Mapping[str, Any]]] = [("hello", {})]
    jobs += [("play_games", {"seat": seat, "games": games}) for seat in seats]
    crew.mixed(jobs)
    crew.one("empty_queues")
    figures: dict[str, float] = crew.one(job, house=seats[0]["house"])
    return figures
