"""``python -m bench.surveillance``: what it costs to check every throw for loaded dice."""

from bench import program
from bench.backlog import Backlog
from bench.figures import Table
from bench.neighbours import Neighbours
from bench.program import Crews, Size

BACKLOG = Backlog(
    "Surveillance",
    job="watch",
    rates={
        "die": "evidence and detector of five streams, µs a die",
        "throw": "... µs a throw of three dice",
        "event": "the whole subscriber, µs of processor an event",
        "throw, whole": "... µs of processor a throw of three dice",
        "events/s": "... events handled a second",
    },
)


def measure(crews: Crews, size: Size, neighbours: Neighbours) -> list[Table]:
    table, first = BACKLOG.worked_off(crews, size, neighbours)
    table.notes.append(
        f"{first.get('throws', 0):.0f} throws of three d8 in each. The aim is 50 µs a throw for"
        " the first two rows: what is computed; the rest is reading the ledger and writing rows,"
        " a batch of events at a time."
    )
    return [table]


SURVEILLANCE = program.Program(measure=measure, media=("memory",))

if __name__ == "__main__":
    program.main(SURVEILLANCE)
