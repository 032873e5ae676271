"""
``python -m bench.start``: seconds to the first page, modules imported, memory at rest.

Embedded: an empty folder until its first page, and the same folder again; the modules before the
first answer and after the first page; the memory when the demo has been played. Production:
gunicorn with two web processes, a worker with two, and beat, each on its own and then from one
parent (`casino.config.one_parent`), on a PostgreSQL and a Redis-protocol server of their own; at
rest, and again after the written games were played over HTTP.

Memory is PSS: pages that processes share are counted once. Installation is not measured.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.memory import of_tree
from bench.production import SEPARATE, TOGETHER, Programs, house
from tests.processes import Process, environment, eventually, free_port, get, started, stop

PAGES = 8


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.start", description=__doc__)
    parser.add_argument(
        "--rest", type=float, default=60.0, help="seconds from the last act to the memory"
    )
    rest = parser.parse_args(arguments).rest
    with TemporaryDirectory(prefix="bench-") as folder:
        embedded(Path(folder), rest)
        for name, programs in (("apart", SEPARATE), ("together", TOGETHER)):
            production(Path(folder) / name, rest, programs)


def embedded(folder: Path, rest: float) -> None:
    data = folder / "data"
    with up(data) as (_process, seconds):
        print(f"first start          {seconds:6.1f} s to the first page, of the migrations, too")
    with up(data) as (_process, seconds):
        print(f"second start         {seconds:6.1f} s to the first page")
    for address, modules in weighed(folder, data).items():
        when = "after the first page" if address else "before it answers"
        print(f"modules              {modules:6,} {when}")
    with up(folder / "played") as (process, _seconds):
        time.sleep(rest)
        print(f"embedded             {sum(of_tree(process.pid).values()):6.0f} MB, its demo played")
    with up(folder / "played") as (process, _seconds):
        time.sleep(rest / 4)
        print(f"embedded             {sum(of_tree(process.pid).values()):6.0f} MB, started again")


@contextmanager
def up(data: Path) -> Iterator[tuple[Process, float]]:
    """A running house, and the seconds until its sign-in page was served."""
    port, log = free_port(), data.with_suffix(".log")
    command = (sys.executable, "manage.py", "up", f"--port={port}")
    began = time.monotonic()
    with started(*command, env=environment(HOME_THROW_DATA=str(data)), output=log) as process:
        eventually(lambda: get(port, "/sign-in/")[0] == 200, process, log)
        yield process, time.monotonic() - began
        # The demo notices a stop only between two written games, so let it begin to play.
        eventually(lambda: get(port, "/healthz")[0] == 200, process, log)
        stop(process)


def weighed(folder: Path, data: Path) -> dict[str, int]:
    """The number of modules, by the last address requested."""
    port, written, log = free_port(), folder / "modules", folder / "weighed.log"
    command = (sys.executable, "-m", "tests.weighed", str(written), f"--port={port}")
    with started(*command, env=environment(HOME_THROW_DATA=str(data)), output=log) as process:
        eventually(lambda: get(port, "/sign-in/")[0] == 200, process, log)
    lines = [json.loads(line) for line in written.read_text().splitlines()]
    return {line["asked"]: len(line["modules"]) for line in lines}


def production(folder: Path, rest: float, programs: Programs) -> None:
    """Measure at rest with each page requested once or twice, and again after an evening."""
    with house(folder, programs) as running:
        for _ in range(PAGES):
            assert get(running.port, "/sign-in/")[0] == 200
        time.sleep(rest / 4)
        report("production", running.running)
        running.managed("demo", "--written", "--url", running.address)
        time.sleep(rest / 4)
        report("  its demo played", running.running)
        running.stop()


def report(when: str, running: Mapping[str, Process]) -> None:
    shares = {name: sum(of_tree(process.pid).values()) for name, process in running.items()}
    each = ", ".join(f"{name} {share:.0f}" for name, share in shares.items())
    print(f"{when:20} {sum(shares.values()):6.0f} MB ({each})")


if __name__ == "__main__":
    main()
