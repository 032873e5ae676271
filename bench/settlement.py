"""``python -m bench.settlement``: how fast a worker books payouts, and how fast screens follow."""

from bench import program
from bench.backlog import Backlog
from bench.figures import Table
from bench.neighbours import Neighbours
from bench.program import Crews, Size

BACKLOG = Backlog(
    "Followers",
    job="follow",
    rates={
        "settlement events/s": "settlement: events handled a second",
        "payouts/s": "... payouts booked a second",
        "transfers/s": "... transfers a second",
        "projections events/s": "projections: events handled a second",
    },
)


def measure(crews: Crews, size: Size, neighbours: Neighbours) -> list[Table]:
    table, first = BACKLOG.worked_off(crews, size, neighbours)
    table.notes.append(f"{first.get('payouts', 0):.0f} payouts in each.")
    return [table]


SETTLEMENT = program.Program(measure=measure, media=("memory",))

if __name__ == "__main__":
    program.main(SETTLEMENT)
