"""``python -m bench.settlement``: how fast a worker books payouts, and how fast screens follow."""

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
    "settlement events/s": "settlement: events handled a second",
    "payouts/s": "... payouts booked a second",
    "transfers/s": "... transfers a second",
    "projections events/s": "projections: events handled a second",
}
REPETITIONS = 3


def measure(crews: Crews, size: Size, neighbours: Neighbours) -> list[Table]:
    found: list[list[dict[str, float]]] = [[] for _ in crews]
    repetitions = min(REPETITIONS, size.repetitions)
    for _ in range(repetitions):
        for crew, rates in zip(crews.values(), found, strict=True):
            rates.append(neighbours.undisturbed(partial(followed, crew, size)))
    names = (crew.database.name for crew in crews.values())
    table = Table("Followers, one worker, a backlog of one house", ("", *names))
    for rate, label in RATES.items():
        table.add(label, *(number([each[rate] for each in rates]) for rates in found))
    payouts = found[0][0]["payouts"] if found else 0
    table.notes.append(f"Medians of {repetitions} repetitions; {payouts:.0f} payouts in each.")
    return [table]


def followed(crew: Crew, size: Size) -> dict[str, float]:
    """Whole games played at a new house, then followed by a process that knows nothing of them."""
    writers = size.workers - 1
    [seats] = crew.one("found_houses", number=1, tables=writers)
    games = max(1, size.games // writers)
    jobs: list[tuple[str, Mapping[str, Any]]] = [("hello", {})]
    jobs += [("play_games", {"seat": seat, "games": games}) for seat in seats]
    crew.mixed(jobs)
    crew.one("empty_queues")
    rates: dict[str, float] = crew.one("follow", house=seats[0]["house"])
    return rates


SETTLEMENT = program.Program(measure=measure, media=("memory",))

if __name__ == "__main__":
    program.main(SETTLEMENT)
