"""
``python -m bench.many_ledgers``: what an append and a read cost as 500 houses' ledgers grow.

A million events in each of 500 houses are two terabytes, which nobody fills for a measurement. So
the cost is measured at several sizes, as large as the disk and an hour allow, and the way it grows
is told. A house plays; what grows of it (events, receipts, transfers, projections) is then copied
under the ids of the others, row by row within the database, until each has so many events. Bodies
of copies still name the first house; neither an append nor a read of another house looks at them.

    python -m bench.many_ledgers --each 100 --each 1000 --each 4000 --out bench/chain/measured.json
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from bench import measured
from bench.figures import Table
from tests import services
from tests.processes import ROOT, environment

if TYPE_CHECKING:
    from collections.abc import Mapping

EACH: Final = (100, 1000, 4000)


def run(options: argparse.Namespace) -> dict[str, Any]:
    with (
        TemporaryDirectory() as folder,
        services.postgresql(durable=True) as address,
    ):
        env = environment(
            DATABASE_URL=address, HOME_THROW_DATA=folder, SECRET_KEY="measured",
            DJANGO_SETTINGS_MODULE="casino.config.settings", LOG_LEVEL="ERROR",
        )  # fmt: skip
        _run(env, "manage.py", "migrate", "--verbosity=0")
        found = {}
        for each in options.each or EACH:
            words = ("-m", "bench.ledger_sizes", str(options.houses), str(each))
            found[str(each)] = json.loads(_run(env, *words))
            print(f"{each} events each", file=sys.stderr, flush=True)
        return {"houses": options.houses, "sizes": found}


def _run(env: Mapping[str, str], *words: str) -> str:
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout


def table(found: dict[str, Any]) -> Table:
    sizes = found["sizes"]
    out = Table(
        f"{found['houses']} houses, by the events of each",
        ("", *(f"{int(each):,}" for each in sizes)),
    )
    rows: dict[str, tuple[str, str]] = {
        "events in the database": ("events", ",.0f"),
        "GB on disk": ("GB", ",.2f"),
        "a command, ms of processor: house": ("command web ms", ".2f"),
        "a command, ms of processor: database": ("command database ms", ".2f"),
        "a command, pages read that were not in memory": ("command pages", ".1f"),
        "a command, p50 ms": ("command p50", ".1f"),
        "a command, p95 ms": ("command p95", ".1f"),
        "50 events read, ms of processor: house": ("read web ms", ".2f"),
        "50 events read, ms of processor: database": ("read database ms", ".2f"),
        "50 events read, pages that were not in memory": ("read pages", ".1f"),
        "50 events read, p50 ms": ("read p50", ".1f"),
        "50 events read, p95 ms": ("read p95", ".1f"),
    }
    for label, (name, form) in rows.items():
        out.add(label, *(format(each[name], form) for each in sizes.values()))
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description="Prints a table; see bench/README.md.")
    parser.add_argument("--houses", type=int, default=500)
    parser.add_argument("--each", type=int, action="append", help="events of a house; repeated")
    parser.add_argument("--out", type=Path, help="keep the figures in this file")
    options = parser.parse_args()
    found = run(options)
    if options.out:
        measured.keep(options.out, "ledgers", found)
    print(f"{table(found)}\n")


if __name__ == "__main__":
    main()
