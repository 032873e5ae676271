"""``python -m bench.regrade``: how fast every payout is computed again, and in what memory."""

from typing import Any

from bench import program
from bench.figures import Table, number
from bench.neighbours import Neighbours
from bench.program import Crews, Size

PROCESSES = (1, 2)
TIMES = (1, 4)  # the length of the ledger, as a multiple of the first one
GAMES = 25  # times the games of the benchmarks of subscribers: some 80 events of play each
AIM = 5_000_000  # events, within minutes on two cores


def measure(crews: Crews, size: Size, neighbours: Neighbours) -> list[Table]:
    """Measure a quarter of the ledger first, then all of it: memory must be the same."""
    del neighbours  # a run takes a while; the load average shows other programs
    tables = []
    for crew in crews.values():
        table = Table(
            f"Regrade, {crew.database.name}",
            ("", "events", "games/s", "events/s", "payouts/s", "seconds", "processor s",
             "MB of a process"),
        )  # fmt: skip
        seat: dict[str, str] = crew.one("found_houses", number=1, tables=1)[0][0]
        filled, runs = 0, []
        for times in TIMES:
            more = size.games * GAMES * times - filled
            crew.one("fill", seat=seat, games=more, seed=times)
            filled += more
            for processes in PROCESSES:
                found = crew.one("regrade", house=seat["house"], workers=processes)
                runs.append(found)
                row(table, processes, found)
        table.notes.append(outlook(runs[0], runs[-len(PROCESSES)]))
        tables.append(table)
    return tables


def row(table: Table, processes: int, found: dict[str, Any]) -> None:
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


def outlook(short: dict[str, Any], long: dict[str, Any]) -> str:
    """The rate for the events that only the longer ledger has, without the program's start."""
    each = (long["processor"] - short["processor"]) / (long["events"] - short["events"])
    return (
        f"{1 / each:,.0f} events a second of one processor, without the start of the program:"
        f" {AIM:,} events take two processors that nobody else uses {AIM * each / 120:.1f} minutes."
    )


REGRADE = program.Program(measure=measure, media=("memory",))

if __name__ == "__main__":
    program.main(REGRADE)
