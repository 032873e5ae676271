"""
``python -m bench.million --events 1000000``: a house with a year, or many, of real play.

An evening is played for real at the house, through the operations: all five games at several
tables, voids, rollovers, disputes and witnesses among it, settled by settlement, read by the
subscribers. Every later evening is such a one again on a gaming day of its own: the same commands
by other players at other tables with other dice, every id its own, put on record by
`journal.append` in batches, triggers, guards and balances and all. Nothing is switched off. Days
are opened and closed by the operations themselves.

What subscribers make of a copied evening is a copy, too; the tests hold that against what the
subscribers themselves make of it (``rebuild``), and every payout against the rules (``regrade``).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from typing import Any

import django

EVENTS = 1_000_000
EVENING = 1500  # events of an evening that is played


def main() -> None:
    parser = argparse.ArgumentParser(description="Fills the database that the environment names.")
    parser.add_argument("--events", type=int, default=EVENTS)
    parser.add_argument("--evening", type=int, default=EVENING, help="events of an evening")
    parser.add_argument("--evenings", type=int, default=1, help="evenings that are played")
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.config.settings")
    django.setup()
    from bench.work.years import filled  # noqa: PLC0415 - once Django is set up

    began = time.perf_counter()

    def on_progress(done: int, of: str) -> None:
        seconds = time.perf_counter() - began
        print(f"{seconds:7.1f} s  {done:>9,} events  {of}", file=sys.stderr, flush=True)

    figures: dict[str, Any] = filled(
        events=options.events, evening=options.evening, evenings=options.evenings,
        tables=options.tables, seed=options.seed, on_progress=on_progress,
    )  # fmt: skip
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
