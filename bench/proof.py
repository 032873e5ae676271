"""``python -m bench.proof``: trees, checkpoints, receipts and verification, on growing ledgers."""

from statistics import median
from tempfile import TemporaryDirectory

from bench import program
from bench.crew import Crew
from bench.figures import Table, number
from bench.neighbours import Neighbours
from bench.program import Crews, Size

SLICE = 25_000  # events that one job writes
MORE = 50  # events between two checkpoints: some seconds of a busy house
RECEIPTS = 300


def measure(crews: Crews, size: Size, neighbours: Neighbours) -> list[Table]:
    """Measure the same house at each length, to show what grows with the ledger."""
    del neighbours  # runs take a while; the load average shows other programs
    return [table for crew in crews.values() for table in measured(crew, size)]


def measured(crew: Crew, size: Size) -> list[Table]:
    house: str = crew.one("found_houses", number=1, tables=1, on_record=True)[0][0]["house"]
    checkpoints = Table(
        f"Checkpoints, {crew.database.name}",
        ("events", "leaves/s, a tree from nothing", f"ms, {MORE} events more", "MB of the process"),
    )
    receipts = Table(
        f"Receipts, {crew.database.name}", ("events", "made/s", "checked/s", "bytes of one")
    )
    verified = Table(
        f"Verification, {crew.database.name}",
        ("events", "bare hashlib/s", "an export", "MB", "events of the database",
         "and all else", "MB"),
    )  # fmt: skip
    for events in size.ledgers:
        grown = fill(crew, house, events)
        took = [crew.one("checkpoint", house=house, more=MORE) for _ in range(size.checkpoints)]
        checkpoints.add(
            f"{grown[-1]['size']:,.0f}",
            number([each["leaves"] for each in grown]),
            f"{median(took):.1f}",
            f"{grown[-1]['MB']:.0f}",
        )  # fmt: skip
        proven = crew.one("receipts", house=house, number=RECEIPTS, seed=events)
        cells = (number([proven[name]]) for name in ("made", "checked", "bytes"))
        receipts.add(f"{grown[-1]['size']:,.0f}", *cells)
        if events <= size.verified:
            with TemporaryDirectory(prefix="bench-") as folder:
                row(verified, crew.one("verified", house=house, folder=folder))
    return [checkpoints, receipts, verified]


def row(table: Table, found: dict[str, float]) -> None:
    """For each stage, the share of bare hashing's bytes that it handles in the same time."""
    export = found["bare export"] / found["export"]
    stage, whole = (found["bare"] / found[name] for name in ("stage", "whole"))
    table.add(
        f"{found['events']:,.0f}", number([found["events"] / found["bare"]]),
        f"{export:.2f} x", f"{found['export MB']:.0f}",
        f"{stage:.3f} x", f"{whole:.3f} x", f"{found['MB']:.0f}",
    )  # fmt: skip


def fill(crew: Crew, house: str, events: int) -> list[dict[str, float]]:
    """Fill a ledger to a length, slice by slice. Return what its tree took for each slice."""
    there, grown = crew.one("bulk", house=house, events=0), []
    while there < events:
        there = crew.one("bulk", house=house, events=min(SLICE, events - there))
        grown.append(crew.one("tree", house=house))
    return grown


PROOF = program.Program(measure=measure, media=("memory",))

if __name__ == "__main__":
    program.main(PROOF)
