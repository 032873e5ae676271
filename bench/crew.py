"""
Real processes that work at the same time, each a process of a house with its own connections.

They are started once and then sent jobs, so that their start is not measured. A job and its answer
are one line of JSON each (`bench.worker`).
"""

import json
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.database import Database

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = (
    3600.0  # seconds for one job; the longest, 20 000 events really played, may take half of it
)
START_AFTER = 0.02  # seconds from sending a job until all processes begin together


class JobFailed(RuntimeError):  # noqa: N818  names the fact
    """A worker process raised an exception (the message has its traceback), or did not answer."""


class Worker:
    def __init__(self, database: Database) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.worker"],
            cwd=ROOT,
            env=dict(database.environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # Ctrl-C is for the main program; workers end with their input
        )

    def ask(self, job: str, arguments: Mapping[str, Any]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps([job, arguments]).encode() + b"\n")

    def answer(self) -> Any:
        """
        The process's answer to its job.

        :raises JobFailed: with what the process says.
        """
        out = self._process.stdout
        assert out
        ready, _, _ = select.select([out], [], [], PATIENCE)
        line = out.readline() if ready else b""
        if not line:
            raise JobFailed(f"No answer: {'it has ended' if ready else 'it takes too long'}.")
        failure, result = json.loads(line)
        if failure:
            raise JobFailed(failure)
        return result

    def close(self) -> None:
        """Close the process's input, at which it ends."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(5)
        self._process.stdout.close()


class Crew:
    """The processes that work on one database."""

    def __init__(self, database: Database, workers: Sequence[Worker]) -> None:
        self.database, self._workers = database, workers

    def one(self, job: str, **arguments: Any) -> Any:
        """Let one process do a job, and return its answer."""
        return self.each(job, [arguments])[0]

    def each(self, job: str, arguments: Sequence[Mapping[str, Any]]) -> list[Any]:
        """Let one process for each set of arguments do a job, and return their answers."""
        return self.mixed([(job, each) for each in arguments])

    def together(self, job: str, arguments: Sequence[Mapping[str, Any]], seconds: float) -> Any:
        """Like `each`, but all processes begin at the same moment and work for the same time."""
        return self.mixed([(job, slot(seconds) | dict(each)) for each in arguments])

    def mixed(self, jobs: Sequence[tuple[str, Mapping[str, Any]]]) -> list[Any]:
        assigned = list(zip(self._workers, jobs, strict=False))
        assert len(assigned) == len(jobs), f"{len(jobs)} jobs for {len(self._workers)} workers"
        for worker, (job, arguments) in assigned:
            worker.ask(job, arguments)
        return [worker.answer() for worker, _ in assigned]


def slot(seconds: float) -> dict[str, Any]:
    """A time slot for a job, by the clock that all processes of a machine share."""
    return {"start": time.monotonic() + START_AFTER, "seconds": seconds}


@contextmanager
def assembled(database: Database, size: int) -> Iterator[Crew]:
    """
    Start that many processes on a migrated database.

    The first process migrates alone, before the others connect.
    """
    workers = [Worker(database) for _ in range(size)]
    try:
        crew = Crew(database, workers)
        crew.one("migrate")
        crew.each("hello", [{}] * size)
        yield crew
    finally:
        for worker in workers:
            worker.close()
