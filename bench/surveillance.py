"""``python -m bench.surveillance``: what it costs to watch every throw for loaded dice."""

from functools import partial
from typing import TYPE_CHECKING, Any

from bench import program
from bench.crew import Crew
from bench.figures import Table, number
from bench.neighbours import Neighbours
from bench.program import Crews, Size

if TYPE_CHECKING:
    from collections.abc import Mapping

RATES = {
    "die": "evidence and detector of five streams, µs a die",
    "throw": "... µs a throw of three dice",
    "event": "the whole follower, µs of processor an event",
    "throw, whole": "... µs of processor a throw of three dice",
    "events/s": "... events handled a second",
}
REPETITIONS = 3


def measure(crews: Crews, size: Size, neighbours: Neighbours) -> list[Table]:
    found: list[list[dict[str, float]]] = [[] for _ in crews]
    repetitions = min(REPETITIONS, size.repetitions)
    for _ in range(repetitions):
        for crew, rates in zip(crews.values(), found, strict=True):
            rates.append(neighbours.undisturbed(partial(watched, crew, size)))
    names = (crew.database.name for crew in crews.values())
    table = Table("Surveillance, one worker, a backlog of one house", ("", *names))
    for rate, label in RATES.items():
        table.add(label, *(number([each[rate] for each in rates]) for rates in found))
    throws = found[0][0]["throws"] if found else 0
    table.notes.append(
        f"Medians of {repetitions} repetitions; {throws:.0f} throws of three d8 in each. The aim is"
        " 50 µs a throw for the first two rows: what is computed; the rest is reading the ledger"
        " and writing rows, a batch of events at a time."
    )
    return [table]


def watched(crew: Crew, size: Size) -> dict[str, float]:
    """Whole games played at a new house, then watched by a process that knows nothing of them."""
    writers = size.workers - 1
    [seats] = crew.one("found_houses", number=1, tables=writers)
    games = max(1, size.games // writers)
    jobs: list[tuple[str, Mapping[str, Any]]] = [("hello", {})]
    jobs += [("play_games", {"seat": seat, "games": games}) for seat in seats]
    crew.mixed(jobs)
    crew.one("empty_queues")
    rates: dict[str, float] = crew.one("watch", house=seats[0]["house"])
    return rates


SURVEILLANCE = program.Program(measure=measure, media=("memory",))

if __name__ == "__main__":
    program.main(SURVEILLANCE)
