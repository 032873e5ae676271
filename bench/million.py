"""
``python -m bench.million --events 1000000``: fills a house with a year, or many, of real play.

Some evenings are really played at the house, through the operations: all five games at several
tables, with voids, rollovers, disputes and witnesses, settled by settlement and read by the
subscribers. Every later evening is a copy of one of them on a gaming day of its own: the same
commands by other players at other tables with other dice and new ids, written by `journal.append`
in batches, with triggers, guards and balances. Nothing is switched off. The operations themselves
open and close the days.

The rows that subscribers write for a copied evening are copied, too. The tests compare them with
what the subscribers themselves write (``rebuild``), and every payout with the rules (``regrade``).
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
EVENING = 1500  # events of an evening that is really played


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
