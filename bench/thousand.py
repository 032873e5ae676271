"""
``python -m bench.thousand``: one house while 999 others play, and the pages of their chain.

The house runs as in production on one PostgreSQL. First its tables play alone, then every other
house has somebody at a table, too, who thinks between two throws (a closed loop), and the first
house's waits are measured again. Measured besides: what 1,000 houses use while nobody plays, and
what each page of their chain costs, with 100 houses and with all.

    python -m bench.thousand --out bench/chain/measured.json
    python -m bench.thousand --houses 20 --seconds 10
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from bench import measured, production
from bench.figures import Table, percentile
from bench.house import Programs, caught_up, during, noted
from bench.neighbours import watched
from bench.seats import all_play, seats_at
from tests.processes import eventually

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.production import House
    from bench.seats import Seat

FEW: Final = 100
SHORT: Final = {name: each for name, each in production.SEPARATE.items() if name != "long"}
"""
Without the program for long jobs: it verifies each house once a day, a thousand new ones at once,
and makes their summaries, which bench.chain_pages finds made.
"""
PATIENCE: Final = 1800.0  # seconds
UNSIGNED: Final = """
    SELECT count(*) FROM (
        SELECT establishment, max(position) AS head FROM ledger_event GROUP BY establishment
    ) AS ledger LEFT JOIN (
        SELECT establishment, max(size) AS size FROM ledger_checkpoint GROUP BY establishment
    ) AS signed USING (establishment)
    JOIN establishments_establishment AS house ON house.id = establishment
    WHERE coalesce(size, 0) <= head"""


def waited(
    house: House, first: Seat, others: Sequence[Seat], options: argparse.Namespace
) -> dict[str, Any]:
    """
    The first house throws every `pace` seconds, each of the others once in its pause. The waits of
    the first meanwhile, and what all programs used for one throw.
    """
    mine, theirs = noted([first]), noted(others)
    programs = Programs.of(house)
    before = programs.used()
    pauses = [(first, options.pace), *((seat, options.pause) for seat in others)]
    share, _, took = watched(lambda: all_play(pauses, options.seconds))
    caught_up(house)
    many = len(mine.commands) + len(theirs.commands)
    used = {name: each - before[name] for name, each in programs.used().items()}
    commands, states = sorted(mine.commands), sorted(mine.reads)
    return {
        "throws": len(commands),
        "others' throws": len(theirs.commands),
        "a second": many / took,
        "failed": mine.failed + theirs.failed,
        "command ms": {str(p): 1000 * percentile(commands, p) for p in (50, 95, 99)},
        "state ms": {str(p): 1000 * percentile(states, p) for p in (50, 95, 99)},
        "ms": {name: 1000 * each / many for name, each in used.items()},
        "other programs": share,
    }


def run(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    with production.house(folder / "house", SHORT, durable=True, LOG_LEVEL="WARNING") as house:
        few = min(FEW, options.houses)
        made = house.json_of("bench.many_houses", str(few))["houses"]
        pages = {str(few): house.json_of("bench.chain_pages")}
        house.managed("ledger_keys", "--make")
        _settled_down(house, few)
        rest = {str(few): during(Programs.of(house), options.rest, lambda: None)}
        if options.houses > few:
            made += house.json_of("bench.many_houses", str(options.houses - few))["houses"]
            pages[str(options.houses)] = house.json_of("bench.chain_pages")
            house.managed("ledger_keys", "--make")
            _settled_down(house, options.houses)
        rest[str(options.houses)] = during(Programs.of(house), options.rest, lambda: None)
        first, *others = seats_at(house.port, made)
        waits = {}
        for again in range(options.runs):
            waits[f"alone {again + 1}"] = waited(house, first, [], options)
            waits[f"beside {again + 1}"] = waited(house, first, others, options)
            _say(f"run {again + 1}")
        return {"rest": rest, "pages": pages, "waits": waits, "houses": options.houses}


def _settled_down(house: House, many: int) -> None:
    """Wait until every house is signed, as each is when it is new."""
    eventually(lambda: not house.rows(UNSIGNED)[0][0], patience=PATIENCE)
    _say(f"{many} houses, {caught_up(house):.0f} s")


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def tables(found: dict[str, Any]) -> list[Table]:
    waits = Table(
        f"A house alone and beside {found['houses'] - 1} that play",
        ("", *found["waits"]),
    )
    those = list(found["waits"].values())
    for what in ("command ms", "state ms"):
        for p in ("50", "95", "99"):
            waits.add(f"{what}, p{p}", *(f"{each[what][p]:.0f}" for each in those))
    for what in ("throws", "others' throws", "a second", "failed"):
        waits.add(what, *(f"{each[what]:.1f}" for each in those))
    waits.add("ms of processor for one", *(f"{sum(each['ms'].values()):.1f}" for each in those))
    waits.add("other programs", *(f"{each['other programs']:.0%}" for each in those))
    for houses, rest in found["rest"].items():
        waits.notes.append(
            f"At rest, {houses} houses: {1000 * sum(rest.values()):.0f} ms of processor a second."
        )
    return [waits, pages_table(found["pages"])]


def pages_table(found: dict[str, Any]) -> Table:
    sizes = list(found)
    heads = (f"{what}, {size}" for size in sizes for what in ("statements", "web", "database"))
    table = Table("Pages of a chain, by houses: statements, ms of processor", ("", *heads))
    for page in found[sizes[0]]:
        cells = []
        for size in sizes:
            one = found[size][page]
            cells += [
                str(one["statements"]), f"{one['web ms']:.1f}", f"{one['database ms']:.1f}",
            ]  # fmt: skip
        table.add(page, *cells)
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description="Prints tables; see bench/README.md.")
    parser.add_argument("--houses", type=int, default=1000)
    parser.add_argument("--pace", type=float, default=1.0, help="mean pause of the first house, s")
    parser.add_argument("--pause", type=float, default=100.0, help="mean pause of the others, s")
    parser.add_argument("--seconds", type=float, default=90.0)
    parser.add_argument("--rest", type=float, default=20.0)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--out", type=Path, help="keep the figures in this file")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        found = run(Path(folder), options)
    if options.out:
        measured.keep(options.out, "thousand", found)
    for table in tables(found):
        print(f"{table}\n", flush=True)


if __name__ == "__main__":
    main()
