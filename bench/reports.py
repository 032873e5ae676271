"""``python -m bench.reports``: how long it takes to write a report in each format."""

from bench import program
from bench.figures import Table, number
from bench.neighbours import Neighbours
from bench.program import Crews, Size

GAMES = 25  # times the games of the benchmarks of subscribers: a payout or two each
LINES = 10_000
TINY = 2  # games; with fewer, figures mean nothing


def measure(crews: Crews, size: Size, neighbours: Neighbours) -> list[Table]:
    """Measure a made table in each format, then payouts of real play with their reasons."""
    crew = next(iter(crews.values()))
    count = LINES if size.games > TINY else LINES // 100
    seat: dict[str, str] = crew.one("found_houses", number=1, tables=1)[0][0]
    crew.one("fill", seat=seat, games=size.games * GAMES, seed=11)
    runs = [
        neighbours.undisturbed(lambda: crew.one("report_forms", house=seat["house"], count=count))
        for _ in range(size.repetitions)
    ]
    table = Table(f"Reports: {count:,} lines written", ("", "seconds", "beside csv", "kB"))
    for form in runs[0]:
        table.add(
            form,
            number([run[form]["seconds"] for run in runs]),
            number([run[form]["seconds"] / run["csv alone"]["seconds"] for run in runs]),
            f"{runs[0][form]['bytes'] / 1000:,.0f}",
        )
    found = crew.one("report_payouts", house=seat["house"])
    table.notes.append(
        f"Payouts of real play, each with why it was made, as JSON: {found['lines']:,.0f} in"
        f" {found['seconds']:.2f} s ({1000 * found['seconds'] / max(found['lines'], 1):.2f} ms"
        f" each), in a process of {found['MB']:.0f} MB."
    )
    return [table]


REPORTS = program.Program(measure=measure, media=("memory",))

if __name__ == "__main__":
    program.main(REPORTS)
