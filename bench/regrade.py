"""``python -m bench.regrade``: how fast every payout is computed once more, and in what memory."""

from typing import Any

from bench import program
from bench.crew import Crew
from bench.figures import Table, number
from bench.neighbours import Neighbours
from bench.program import Crews, Size

PROCESSES = (1, 2)
TIMES = (1, 4)  # how long the second ledger is beside the first
GAMES = 25  # for each that followers are measured with: some 80 events of play each
AIM = 5_000_000  # events, in minutes on two cores


def measure(crews: Crews, size: Size, neighbours: Neighbours) -> list[Table]:
    """A quarter of the ledger first, then all of it: memory must not know the difference."""
    del neighbours  # a run takes a while; who else works is told by the load average
    tables = []
    for crew in crews.values():
        table = Table(
            f"Regrade, {crew.database.name}",
            (
                "",
                "events",
                "games/s",
                "events/s",
                "payouts/s",
                "seconds",
                "processor s",
                "MB of a process",
            ),
        )
        house: list[dict[str, str]] = crew.one("found_houses", number=1, tables=1)[0]
        filled = 0
        for times in TIMES:
            more = size.games * GAMES * times - filled
            crew.one("fill", seat=house[0], games=more, seed=times)
            filled += more
            for processes in PROCESSES:
                row(table, crew, house[0]["house"], processes)
        tables.append(table)
    return tables


def row(table: Table, crew: Crew, house: str, processes: int) -> None:
    found: dict[str, Any] = crew.one("regrade", house=house, workers=processes)
    seconds = found["seconds"]
    rates = (found[name] / seconds for name in ("games", "events", "payouts"))
    table.add(
        f"{processes} {'process' if processes == 1 else 'processes'}",
        f"{found['events']:,.0f}",
        *(number([rate]) for rate in rates),
        f"{seconds:.1f}",
        f"{found['processor']:.1f}",
        f"{found['MB']:.0f}",
    )
    if processes == PROCESSES[-1]:
        whole = AIM / found["events"] / 60
        table.notes.append(
            f"At this rate {AIM:,} events take {whole * seconds:.1f} minutes, with the start of the"
            f" program; on two cores that nobody else uses {whole * found['processor'] / 2:.1f}."
        )


REGRADE = program.Program(measure=measure, media=("memory",))

if __name__ == "__main__":
    program.main(REGRADE)
