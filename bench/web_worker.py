"""
``python -m bench.web_worker``: what it costs that requests are read before a thread takes them.

gunicorn's own worker with threads and ours (decision 0102) answer the same bare view, turn by turn,
with one process each. Processor time of one request, median of the turns, and the ratio of both.
"""

import argparse
import http.client
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.figures import Table, number, ratio
from bench.processor import used
from bench.production import PROGRAMS
from tests.processes import environment, eventually, free_port, get, started, stop

THEIRS, OURS = "gthread", "casino.config.web_worker.Worker"
OPTIONS = ("bench.bare:application", "--workers=1", "--threads=8", "--preload", "--keep-alive=75")


@dataclass(frozen=True, slots=True)
class Request:
    """:param body: bytes that are sent. :param kept: whether the connection is used again."""

    name: str
    body: int
    kept: bool


REQUESTS = (
    Request("GET, connection kept", 0, kept=True),
    Request("GET, a connection each", 0, kept=False),
    Request("POST of 2 kB, a connection each", 2_000, kept=False),
    Request("POST of 100 kB, a connection each", 100_000, kept=False),
)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.web_worker", description=__doc__)
    parser.add_argument("--turns", type=int, default=9, help="default 9")
    parser.add_argument("--requests", type=int, default=1_000, help="of each turn, default 1000")
    options = parser.parse_args(arguments)
    table = Table(
        "Requests that are read before a thread takes them: ms of processor for one",
        ("", "gunicorn's worker", "ours", "ratio"),
    )
    with TemporaryDirectory(prefix="bench-") as folder:
        both = [web(Path(folder), each) for each in (THEIRS, OURS)]
        with both[0] as theirs, both[1] as ours:
            for each in REQUESTS:
                turns = [
                    [cost(each, options.requests, *of) for of in (theirs, ours)]
                    for _ in range(options.turns)
                ]
                old, new = zip(*turns[1:], strict=True)  # the first turn warms up
                table.add(each.name, number(old), number(new), ratio(new, old))
    print(table)


@contextmanager
def web(folder: Path, worker: str) -> Iterator[tuple[int, int]]:
    """A web server with this class of workers: its process and its port."""
    port, log = free_port(), folder / f"{worker}.log"
    command = (
        str(PROGRAMS / "gunicorn"), *OPTIONS, f"--worker-class={worker}",
        f"--bind=127.0.0.1:{port}",
    )  # fmt: skip
    env: Mapping[str, str] = {**environment(), "REDIS_URL": os.environ.get("REDIS_URL", "redis://")}
    with started(*command, env=env, output=log) as process:
        eventually(lambda: get(port, "/")[0] == http.client.OK, process, log)
        yield process.pid, port
        stop(process)


def cost(request: Request, count: int, pid: int, port: int) -> float:
    """Milliseconds of processor that a server needs for one of so many requests."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    before = used(pid)
    for _ in range(count):
        line.request("POST" if request.body else "GET", "/", b"x" * request.body or None)
        assert line.getresponse().read()
        if not request.kept:
            line.close()
    line.close()
    return 1000 * (used(pid) - before) / count


if __name__ == "__main__":
    main()
