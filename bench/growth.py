"""
``python -m bench.growth``: what an event takes on disk, table by table and index by index.

    python -m bench.growth --out before.json
    python -m bench.growth --beside before.json     # both, the largest first

A house plays evenings of all five games at its tablets, with voids, cash, disputes and rollovers;
settlement, screens, surveillance and signing keep up, days are opened and closed. All of it in one
process, on PostgreSQL as in production and on SQLite, both as they lie after their usual cleaning.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench import database
from bench.crew import Crew, assembled
from bench.figures import Table

SHOWN = 1.0  # bytes an event: what takes less stands in one line at the end

Found = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description="Prints tables; see bench/README.md.")
    parser.add_argument("--events", type=int, default=20_000)
    parser.add_argument("--evening", type=int, default=1_500, help="events of a gaming day")
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", action="append", choices=["postgresql", "sqlite"])
    parser.add_argument("--out", type=Path, help="keep the figures, to be set beside others")
    parser.add_argument("--beside", type=Path, help="figures from before")
    options = parser.parse_args()
    before = json.loads(options.beside.read_text()) if options.beside else {}
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
    """A process that has keys to sign with, and approves without a second factor."""
    with tempfile.TemporaryDirectory(prefix="bench-keys-") as keys:
        more = {"SECOND_FACTOR": "offered", "LEDGER_KEYS_DIR": keys}
        told = replace(opened, environment={**opened.environment, **more})
        with assembled(told, 1) as crew:
            yield crew


def table(name: str, found: Found, before: Found | None) -> Table:
    """Bytes an event, the largest first; beside those of before, where there are any."""
    now, then = each(found), each(before) if before else {}
    shown = Table(f"{name}: bytes an event", ("", "rows an event", *_columns(before, "bytes")))
    for label, figures in (("all", total(found)), ("the bodies", found["bodies"] / found["events"])):
        old = (total(before) if label == "all" else before["bodies"] / before["events"]) if before else 0
        shown.add(f"**{label}**", "", *_cells(before, figures, old))
    rest, rest_then = 0.0, 0.0
    for part in sorted({*now, *then}, key=lambda one: -max(now.get(one, 0), then.get(one, 0))):
        if max(now.get(part, 0), then.get(part, 0)) < SHOWN:
            rest, rest_then = rest + now.get(part, 0), rest_then + then.get(part, 0)
            continue
        told = found["sizes"].get(part) or (before or found)["sizes"][part]
        events = found["events"] if part in now else (before or found)["events"]
        label = f"- {part}" if told["is_index"] else f"**{told['table']}**"
        rows = f"{told['rows'] / events:.2f}"
        shown.add(label, rows, *_cells(before, now.get(part, 0), then.get(part, 0)))
    shown.add("all others", "", *_cells(before, rest, rest_then))
    shown.notes.append(f"{found['events']:,} events.{_redis(found['redis'])}")
    return shown


def each(found: Found) -> dict[str, float]:
    return {part: told["bytes"] / found["events"] for part, told in found["sizes"].items()}


def total(found: Found) -> float:
    """Bytes an event of all tables and indexes that have rows."""
    return sum(each(found).values())


def _columns(before: Found | None, unit: str) -> tuple[str, ...]:
    return (f"{unit} before", unit) if before else (unit,)


def _cells(before: Found | None, now: float, then: float) -> tuple[str, ...]:
    return (f"{then:,.0f}", f"{now:,.0f}") if before else (f"{now:,.0f}",)


def _redis(kept: dict[str, int]) -> str:
    if not kept:
        return ""
    largest = ", ".join(f"`{key}` {size:,}" for key, size in sorted(kept.items()))
    return f" Redis: {len(kept)} keys, {sum(kept.values()):,} bytes ({largest})."


if __name__ == "__main__":
    main()
