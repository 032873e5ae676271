"""
``python -m bench.flooding_house``: fifty busy houses beside one whose programs send without end.

The house runs as in production on one PostgreSQL. At a table of each busy house somebody throws,
thinks and throws again. First they play alone; then programs of one more house put commands and ask
for the state as fast as they are answered, and are not told to wait by a 429. That is repeated with
each bound on what one house may send (`HOUSE_RATE`, entries a second in a web process; 0: none).

    python -m bench.flooding_house --rate 0 --rate 10
"""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from bench import production
from bench.figures import Table, percentile
from bench.house import caught_up, noted
from bench.neighbours import watched
from bench.seats import all_play, seats_at

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bench.production import House
    from bench.seats import Seat

FLOODING: Final = 6  # connections of the house that sends without end
RATES: Final = (0, 200, 10)


def waited(
    house: House, busy: Sequence[Seat], flooding: Sequence[Seat], options: argparse.Namespace
) -> dict[str, float]:
    """What the busy houses waited, and what the flooding one was answered, in a second."""
    ours, theirs = noted(busy), noted(flooding)
    pauses = [*((seat, options.pause) for seat in busy), *((seat, 0.0) for seat in flooding)]
    share, _, took = watched(lambda: all_play(pauses, options.seconds))
    behind = caught_up(house)
    commands = sorted(ours.commands)
    return {
        **{f"command p{p}, ms": 1000 * percentile(commands, p) for p in (50, 95, 99)},
        "their throws a second": len(commands) / took,
        "their throws refused or failed": ours.throttled + ours.failed,
        "the flooding house: taken a second": (len(theirs.commands) - theirs.throttled) / took,
        "... answered 429 a second": theirs.throttled / took,
        "all booked after, s": behind,
        "other programs, of the processors": share,
    }


def run(folder: Path, rate: int, options: argparse.Namespace) -> dict[str, dict[str, float]]:
    with production.house(
        folder, production.SEPARATE, durable=True, HOUSE_RATE=str(rate)
    ) as house:  # fmt: skip
        made = house.json_of("bench.furnishing", str(FLOODING), str(options.houses + 1))
        house.managed("ledger_keys", "--make")
        caught_up(house)
        flooding, busy = seats_at(house.port, made[:1], FLOODING), seats_at(house.port, made[1:])
        return {
            "alone": waited(house, busy, [], options),
            "beside it": waited(house, busy, flooding, options),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description="Prints a table; see bench/README.md.")
    parser.add_argument("--houses", type=int, default=50)
    parser.add_argument("--pause", type=float, default=2.5, help="mean pause between throws, s")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--rate", type=int, action="append", help="HOUSE_RATE; may be repeated")
    options = parser.parse_args()
    found: dict[str, dict[str, float]] = {}
    with TemporaryDirectory() as folder:
        for rate in options.rate or RATES:
            one = run(Path(folder) / f"house-{rate}", rate, options)
            found |= {f"{when}, HOUSE_RATE={rate}": each for when, each in one.items()}
    table = Table(f"{options.houses} busy houses and one that sends without end", ("", *found))
    figure: Callable[[float], str] = "{:.2f}".format
    for what in next(iter(found.values())):
        table.add(what, *(figure(each[what]) for each in found.values()))
    print(table)


if __name__ == "__main__":
    main()
