"""
``python -m bench.pages``: what each page and report of the office costs, on a filled database.

    python -m bench.pages --out small.json        # with 20 000 events (bench.million)
    python -m bench.pages --compare small.json     # with 200 000: both, and the ratio

Addresses come from the URL table, and their arguments from the database, so new pages are measured
without a change here. Reports are also requested for a closed day and its month, and for a year
each is written in each format, as a worker does it. If an address has no sample arguments, or
answers with an error, the program names it and exits with status 1.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

import django

from bench.figures import Table

SLOWER = 1.5  # pages that became slower by this ratio are marked


def main() -> None:
    parser = argparse.ArgumentParser(description="Prints a table; see bench/README.md.")
    parser.add_argument("--house", help="name; default: the one with most events")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--only", default="", help="addresses that begin so")
    parser.add_argument("--out", type=Path, help="keep the figures, to be set beside others")
    parser.add_argument("--compare", type=Path, help="figures of another database")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.config.settings")
    django.setup()
    from bench.work.offices import measured  # noqa: PLC0415 - once Django is set up

    found = measured(house=options.house, times=options.times, only=options.only)
    if options.out:
        options.out.write_text(json.dumps(found))
    other = json.loads(options.compare.read_text()) if options.compare else None
    print(table(found, other))
    wrong = [f"{path}: {row['wrong']}" for path, row in found["pages"].items() if row["wrong"]]
    if wrong:
        sys.exit("NOT MEASURED\n" + "\n".join(wrong))


def table(found: dict[str, Any], other: dict[str, Any] | None) -> str:
    pages = {path: row for path, row in found["pages"].items() if not row["wrong"]}
    if other is None:
        table = Table(f"Pages at {found['events']:,} events", ("", "ms", "queries"))
        for path, row in pages.items():
            table.add(f"`{path}`", f"{row['ms']:.1f}", str(row["queries"]))
        return str(table)
    table = Table(
        f"Pages at {other['events']:,} and at {found['events']:,} events",
        ("", "ms", "ms", "ratio", "queries", "queries"),
    )
    for path, row in pages.items():
        before = other["pages"].get(path, {"ms": 0, "queries": 0})
        ratio = row["ms"] / before["ms"] if before["ms"] else 0.0
        grows = ratio >= SLOWER or row["queries"] > before["queries"] > 0
        table.add(
            f"`{path}`{' **grows**' if grows else ''}", f"{before['ms']:.1f}", f"{row['ms']:.1f}",
            f"{ratio:.2f} x", str(before["queries"]), str(row["queries"]),
        )  # fmt: skip
    return str(table)


if __name__ == "__main__":
    main()
