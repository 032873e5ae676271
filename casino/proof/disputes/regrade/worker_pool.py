"""
Worker processes that grade slices, each with its own pipe and database connection.

The processes share no lock and no queue, so a process that is killed blocks nobody: its pipe ends,
which is noticed at once. Nothing of Django is imported here before Django is set up.
"""

from __future__ import annotations

import multiprocessing
import signal
from contextlib import ExitStack
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any, Self

import django

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from casino.proof.disputes.regrade.findings import Findings
    from casino.proof.disputes.regrade.grading import Scope

STOPS_WITHIN = 5.0  # seconds; then the process is killed


class Interrupted(Exception):  # noqa: N818 - names the fact
    """A worker process ended too early, or failed."""


def grade_slices(
    scope: Scope, spans: Iterable[range], processes: int
) -> Iterator[tuple[range, Findings]]:
    """
    Grade slices in processes, and yield each slice with its findings as it is done. Each process
    gets one slice at a time.

    :raises Interrupted: if a process is killed or fails.
    """
    left = iter(spans)
    with ExitStack() as stack:
        idle = [stack.enter_context(Worker(scope)) for _ in range(processes)]
        busy: dict[Connection, tuple[Worker, range]] = {}
        while True:
            for worker, span in zip(idle, left, strict=False):
                worker.send(span)
                busy[worker.pipe] = (worker, span)
            if not busy:
                return
            done = [busy.pop(pipe) for pipe in wait(list(busy)) if isinstance(pipe, Connection)]
            idle = [worker for worker, _ in done]
            yield from [(span, worker.answer()) for worker, span in done]


class Worker:
    """A spawned process. It is not forked, so that it inherits no connections and locks."""

    def __init__(self, scope: Scope) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=work, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        self.send(scope)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        """Close the pipe, which ends the process."""
        self.pipe.close()
        self._process.join(STOPS_WITHIN)
        self._process.kill()

    def send(self, what: Any) -> None:
        try:
            self.pipe.send(what)
        except BrokenPipeError:
            raise Interrupted("A process was killed before it was done.") from None

    def answer(self) -> Findings:
        try:
            failure, found = self.pipe.recv()
        except (EOFError, ConnectionResetError):
            raise Interrupted("A process was killed before it was done.") from None
        if failure:
            raise Interrupted(failure)
        graded: Findings = found
        return graded


def work(pipe: Connection) -> None:
    """Grade the slices that arrive, until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the caller
    django.setup()
    from casino.proof.disputes.regrade.grading import grade  # noqa: PLC0415 - see above

    try:
        scope = pipe.recv()
        while True:
            span = pipe.recv()
            try:
                answer: tuple[str, Findings | None] = ("", grade(scope, span))
            except Exception as error:  # noqa: BLE001 - the caller is told
                answer = (f"{type(error).__name__}: {error}", None)
            pipe.send(answer)
    except (EOFError, OSError):
        return  # the caller is gone
