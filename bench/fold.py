"""``python -m bench.fold``: events per second when a game's state is folded from its events."""

from functools import partial
from typing import TYPE_CHECKING

from bench import program
from bench.figures import Table, number, ratio
from bench.neighbours import Neighbours
from bench.program import Crews, Size

if TYPE_CHECKING:
    from bench.crew import Crew

WAYS = {
    "rules": "the rules alone: `decider.fold`",
    "aggregate": "`eventsourcing`: aggregate, mutated by its events",
    "stored": "from stored bodies: `read_event`, `catalogue.fact_of_event`, `decider.fold`",
    "stored aggregate": "`eventsourcing`: the same from stored events, through its mapper",
}
COMPARED_WITH = {"rules": "aggregate", "stored": "stored aggregate"}


def measure(crews: Crews, size: Size, neighbours: Neighbours) -> list[Table]:
    """Measure in a process of the first crew; no database is involved."""
    crew: Crew = next(iter(crews.values()))
    crew.one("fold", games=1)
    found = [
        neighbours.undisturbed(partial(crew.one, "fold", games=size.games))
        for _ in range(size.repetitions)
    ]
    rates = {way: [each[way] for each in found] for way in WAYS if way in found[0]}
    table = Table("Folding Stone Hand, events a second", ("", "events/s", "ours / theirs"))
    for way, label in WAYS.items():
        theirs = rates.get(COMPARED_WITH.get(way, ""))
        table.add(label, number(rates.get(way)), ratio(rates.get(way), theirs))
    table.notes.append(
        f"Medians of {size.repetitions} repetitions of {size.games} whole games. The aggregate"
        " counts throws and keeps stakes and no more; the rules' state also knows turns, hands,"
        " ties, fees, and the way back of every void."
    )
    return [table]


FOLDS = program.Program(measure=measure, media=("memory",))

if __name__ == "__main__":
    program.main(FOLDS)
