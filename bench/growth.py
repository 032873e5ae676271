"""
``python -m bench.growth``: the bytes that an event takes on disk, for each table and each index.

    python -m bench.growth --out before.json
    python -m bench.growth --compare before.json     # both, the largest first

A house plays evenings of all five games at its tablets, with voids, cash, disputes and rollovers.
Settlement, screens, surveillance and signing keep up, days are opened and closed. All of that runs
in one process, on PostgreSQL as in production and on SQLite, each measured after its usual
cleaning.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import database
from bench.crew import Crew, assembled
from bench.figures import Table

if TYPE_CHECKING:
    from collections.abc import Iterator

SHOWN = 1.0  # bytes per event: what takes less is summed in one line at the end

Found = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description="Prints tables; see bench/README.md.")
    parser.add_argument("--events", type=int, default=20_000)
    parser.add_argument("--evening", type=int, default=1_500, help="events of a gaming day")
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", action="append", choices=["postgresql", "sqlite"])
    parser.add_argument("--out", type=Path, help="keep the figures, to be set beside others")
    parser.add_argument("--compare", type=Path, help="figures from before")
    options = parser.parse_args()
    before = json.loads(options.compare.read_text()) if options.compare else {}
    kept = {}
    for vendor in options.only or ["postgresql", "sqlite"]:
        with database.opened(vendor, "memory") as opened, _of_one(opened) as crew:
            kept[vendor] = found = crew.one(
                "grown", events=options.events, evening=options.evening, tables=options.tables,
                seed=options.seed,
            )  # fmt: skip
        if options.out:
            options.out.write_text(json.dumps(kept))
        print(f"{table(opened.name, found, before.get(vendor))}\n", flush=True)


@contextmanager
def _of_one(opened: database.Database) -> Iterator[Crew]:
    """Start a process that has keys to sign with, and approves without a second factor."""
    with tempfile.TemporaryDirectory(prefix="bench-keys-") as keys:
        more = {"SECOND_FACTOR": "offered", "LEDGER_KEYS_DIR": keys}
        environment = replace(opened, environment={**opened.environment, **more})
        with assembled(environment, 1) as crew:
            yield crew


def table(name: str, found: Found, before: Found | None) -> Table:
    """A table with the largest first; with the figures of a former run beside them, if given."""
    runs = [before, found] if before else [found]
    columns = ("rows an event", *(("bytes before", "bytes") if before else ("bytes",)))
    listing = Table(f"{name}: bytes an event", ("", *columns))
    listing.add("**all**", "", *(_figure(sum(each(run).values())) for run in runs))
    listing.add("**the bodies**", "", *(_figure(run["bodies"] / run["events"]) for run in runs))
    sizes = [each(run) for run in runs]
    largest = {part: max(of.get(part, 0.0) for of in sizes) for of in sizes for part in of}
    for part in sorted(largest, key=lambda one: -largest[one]):
        if largest[part] >= SHOWN:
            run = next(run for run in reversed(runs) if part in run["sizes"])
            sized = run["sizes"][part]
            label = f"{part} (of {sized['table']})" if sized["is_index"] else f"**{part}**"
            rows = f"{sized['rows'] / run['events']:.2f}"
            listing.add(label, rows, *(_figure(of.get(part, 0.0)) for of in sizes))
    small = [part for part in largest if largest[part] < SHOWN]
    rest = (sum(of.get(part, 0.0) for part in small) for of in sizes)
    listing.add(f"{len(small)} others", "", *map(_figure, rest))
    listing.notes.append(
        f"{found['events']:,} events; {found['rest'] / 1e6:.1f} MB were there before the first one"
        f" and are not counted.{_redis(found['redis'])}"
    )
    return listing


def each(found: Found) -> dict[str, float]:
    return {part: sizes["bytes"] / found["events"] for part, sizes in found["sizes"].items()}


def _figure(bytes_: float) -> str:
    return f"{bytes_:,.0f}"


def _redis(kept: dict[str, int]) -> str:
    if not kept:
        return ""
    largest = ", ".join(f"`{key}` {size:,}" for key, size in sorted(kept.items()))
    return f" Redis: {len(kept)} keys, {sum(kept.values()):,} bytes ({largest})."


if __name__ == "__main__":
    main()
