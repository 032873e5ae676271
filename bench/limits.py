"""
Lower limits for the cost of a throw: what its parts cost where they do nothing, on the same
machine.

The parts are: a view that answers a constant (gunicorn as the house runs it, a Django without
middleware), a task that does nothing (a worker and Redis as the house runs them), one INSERT of an
event's row by pgbench, and the hash of its body. Each is measured as often as a floor needs it, and
as fast as possible, minus what the same programs take while idle: a processor that mostly waits
takes longer for the same work.
"""

from __future__ import annotations

import hashlib
import http.client
import resource
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import psycopg
from celery import Celery

from bench import pgbench
from bench.figures import Table
from bench.processor import of_postgresql, of_redis, used
from bench.production import PROGRAMS
from tests.processes import eventually, free_port, started, stop

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

PRESSED: Final = 5.0  # seconds at full speed
REST: Final = 3.0  # seconds of idling
ONCE: Final = 0.002  # of a second: in that time pgbench makes one INSERT
BODY: Final = b"b" * 817  # bytes, the mean of an evening of all five games
WEB: Final = (
    "bench.bare:application", "--worker-class=gthread", "--workers=2", "--threads=8", "--preload",
    "--keep-alive=75", "--no-control-socket",
)  # fmt: skip
WORKER: Final = (
    "--quiet", "--app=bench.bare:celery", "worker", "--without-gossip", "--without-mingle",
    "--concurrency=2",
)  # fmt: skip
SAMPLE: Final = {
    "body": BODY.hex(), "leaf_hash": "00" * 32, "stream": "game/0", "event_type": "DiceThrown",
    "actor": "7", "device": "tablet-at-table-4",
}  # fmt: skip


@dataclass(frozen=True)
class Costs:
    """
    What a part costs.

    :param each: seconds of processor time for one.
    :param rate: how many per second there were.
    """

    each: float
    rate: float


@dataclass(frozen=True)
class Baseline:
    """
    Measures the parts.

    :param env: the environment of a house that has stopped and whose idle servers still run.
    :param folder: for logs.
    """

    env: Mapping[str, str]
    folder: Path

    def table(self, a_second: float, seconds: float) -> Table:
        """
        The table of costs.

        :param a_second: how often per second each part is needed; measured for `seconds`.
        """
        out = Table(
            "Beside it, where the parts do nothing: ms of processor for one",
            ("", f"{a_second:g} a second", "as fast as it goes", "a second"),
        )
        parts = {"bare Django view": self.views, "bare Celery task": self.tasks}
        if (program := pgbench.find()) is not None:
            self._raw_table()
            parts["INSERT by pgbench"] = lambda *rates: self.inserts(program, *rates)
        else:
            out.notes.append(f"NOT MEASURED: {pgbench.ABSENT}")
        for name, costs in parts.items():
            paced, pressed = costs(seconds, a_second), costs(min(seconds, PRESSED), None)
            out.add(
                name, f"{1000 * paced.each:.2f}", f"{1000 * pressed.each:.2f}",
                f"{pressed.rate:,.0f}",
            )  # fmt: skip
        hashed = hashes()
        out.add("SHA-256 of a body", "", f"{1000 * hashed.each:.4f}", f"{hashed.rate:,.0f}")
        return out

    def views(self, seconds: float, a_second: float | None) -> Costs:
        port = free_port()
        command = (str(PROGRAMS / "gunicorn"), *WEB, f"--bind=127.0.0.1:{port}")
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=10)

        def ask() -> None:
            line.request("GET", "/")
            line.getresponse().read()

        def answers() -> bool:
            try:
                ask()
            except OSError:
                line.close()
                return False
            return True

        with started(*command, env=self.env, output=self.folder / "bare-web.log") as web:
            eventually(answers, web)
            costs = measured(lambda: used(web.pid), lambda: repeated(ask, seconds, a_second))
            stop(web)
        return costs

    def tasks(self, seconds: float, a_second: float | None) -> Costs:
        """Tasks, including the cost of sending them, which in a house is part of a command."""
        command = (str(PROGRAMS / "celery"), *WORKER)
        sender = Celery(broker=self.env["REDIS_URL"])
        sender.conf.update(task_ignore_result=True, task_default_queue="bare")
        redis = of_redis(self.env["REDIS_URL"])
        with (
            started(*command, env=self.env, output=self.folder / "bare-worker.log") as worker,
            sender.connection_for_write() as line,
        ):
            queue: Any = line.default_channel

            def taken() -> bool:
                return not queue.client.llen("bare")

            def sends() -> None:
                sender.send_task("bare", connection=line)

            def both() -> float:
                return used(worker.pid) + used(redis) + time.process_time()

            def all_done() -> int:
                count = repeated(sends, seconds, a_second)
                eventually(taken, worker)
                return count

            sends()
            eventually(taken, worker)
            costs = measured(both, all_done)
            stop(worker)
        return costs

    def inserts(self, program: Path, seconds: float, a_second: float | None) -> Costs:
        """INSERTs, including pgbench itself, the smallest possible client."""
        address = self.env["DATABASE_URL"]
        server = of_postgresql(address)

        def both() -> float:
            ended = resource.getrusage(resource.RUSAGE_CHILDREN)
            return used(server) + ended.ru_utime + ended.ru_stime

        def run(seconds: float, a_second: float | None = None) -> float:
            rate = pgbench.rate(
                program, address=address, table=pgbench.RAW, sample=SAMPLE, clients=1,
                seconds=seconds, a_second=a_second,
            )  # fmt: skip
            time.sleep(0.2)  # the backend has ended, and counts as the server's
            return rate

        before = both()
        run(ONCE)
        start = both() - before
        rates: list[float] = []

        def inserted() -> int:
            rates.append(run(seconds, a_second))
            return round(rates[0] * seconds)

        costs = measured(both, inserted)
        return Costs(costs.each - start / (rates[0] * seconds), rates[0])

    def _raw_table(self) -> None:
        with psycopg.connect(self.env["DATABASE_URL"]) as owner:
            for statement in pgbench.RAW_TABLE:
                owner.execute(statement)


def measured(spent: Callable[[], float], work: Callable[[], int]) -> Costs:
    """
    Run `work` and return its costs, minus idling.

    :param spent: returns the seconds of processor time so far.
    :param work: returns how often the work was done.
    """
    before, began = spent(), time.monotonic()
    time.sleep(REST)
    idle = (spent() - before) / (time.monotonic() - began)
    before, began = spent(), time.monotonic()
    count = work()
    took = time.monotonic() - began
    return Costs((spent() - before - idle * took) / count, count / took)


def repeated(work: Callable[[], object], seconds: float, a_second: float | None) -> int:
    """Repeat `work` at that rate, or one after the other. Return how often it was done."""
    began = time.monotonic()
    count = 0
    while (now := time.monotonic() - began) < seconds:
        if a_second is not None and (early := count / a_second - now) > 0:
            time.sleep(early)
        work()
        count += 1
    return count


def hashes(count: int = 100_000) -> Costs:
    before = time.process_time()
    for _ in range(count):
        hashlib.sha256(BODY).digest()
    took = time.process_time() - before
    return Costs(took / count, count / took)
