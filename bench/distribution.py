"""
``python -m bench.distribution``: how long a chain is closed while its database is distributed.

A house plays, and its ledger is copied under the ids of the others (`bench.ledger_sizes`): three
quarters of what an event takes on disk. What is played refers to the tables of its own house.
Then the commands of docs/scale/distribution.md are given on a coordinator and two servers, and
timed.

    python -m bench.distribution --houses 200 --each 1500
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from bench.figures import Table
from tests import services
from tests.processes import ROOT, environment
from tests.scale.citus import cluster

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME: Final = "bench_distribution"
PLAYED: Final = "SELECT min(establishment::text) FROM ledger_event"


class Timed:
    """Programs of a house, and how long each one took."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self.env, self.took = env, dict[str, float]()

    def run(self, what: str, *words: str) -> str:
        began = time.perf_counter()
        done = subprocess.run(
            [sys.executable, *words],
            cwd=ROOT, env=self.env, check=True, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.took[what] = time.perf_counter() - began
        print(f"{what}: {self.took[what]:.1f} s", file=sys.stderr, flush=True)
        return done.stdout


def run(options: argparse.Namespace) -> Table:
    with (
        TemporaryDirectory() as folder,
        cluster.running(2, durable=True) as nodes,
        services.redis() as redis,
    ):
        timed = Timed(
            environment(
                DATABASE_URL=nodes.database(NAME), REDIS_URL=redis, HOME_THROW_DATA=folder,
                SECRET_KEY="measured", DJANGO_SETTINGS_MODULE="casino.config.settings",
                LOG_LEVEL="ERROR",
            )
        )  # fmt: skip
        timed.run("migrate", "manage.py", "migrate", "--verbosity=0")
        sizes = (str(options.houses), str(options.each))
        made = json.loads(timed.run("made", "-m", "bench.ledger_sizes", *sizes, "ledger_"))
        [[house]] = nodes.coordinator.run(PLAYED, NAME)
        last = f"127.0.0.1:{nodes.nodes[-1].port}"
        before = f"127.0.0.1:{nodes.nodes[1].port}"
        managed = ("manage.py", "distribute")
        timed.run("distribute --dry-run", *managed, "--dry-run")
        timed.run("distribute --shards 64", *managed, "--shards=64")
        for to in (before, last):
            timed.run(f"move_house --to {to}", "manage.py", "move_house", house, f"--to={to}")
        timed.run("distribute --undo", *managed, "--undo")
        table = Table(
            f"{options.houses} houses, {made['events']:,} events, {made['GB']:.1f} GB",
            ("", "seconds"),
        )
        for what, took in timed.took.items():
            table.add(what, f"{took:.1f}")
        return table


def main() -> None:
    parser = argparse.ArgumentParser(description="Prints a table; see docs/scale/distribution.md.")
    parser.add_argument("--houses", type=int, default=200)
    parser.add_argument("--each", type=int, default=1500, help="events of each house")
    print(run(parser.parse_args()))


if __name__ == "__main__":
    main()
