"""
``python -m casino.config.one_parent``: web, workers and beat on one machine, from one parent.

The same programs, with the same settings as when each is started alone (docs/how-to/production.md).
The house is imported once before they are forked, and they share that memory: half of it is saved.
When one of them ends, the others are signalled to end, and whatever started this program starts it
again. A part that does not end in time is killed, and the log says which.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import DatabaseError, connections

from casino.engine.processes import stopping
from casino.office.monitoring import exporter

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

STOPS = (signal.SIGTERM, signal.SIGINT)
THEIRS = (
    "casino.config.wsgi",
    "gunicorn.app.wsgiapp",
    "casino.config.web_worker",
    "celery.apps.worker",
    "celery.concurrency.prefork",
    "celery.worker.consumer",
    "casino.config.beat_process",
)
"""The modules that each program would import for itself; the first makes the house ready."""
WITHIN = 250
"""
Seconds that the parts get to end. Each ends by itself before; the longest is a step of a long job
(`casino.config.celery`).
"""
IN_PEACE = {0, int(signal.SIGTERM)}
"""
Exit statuses of parts that were asked to end: a part that was not listening yet is ended by the
signal.
"""


def main() -> int:
    """Run all parts. Return the exit status: 0 if a signal stopped them and all ended cleanly."""
    parser = argparse.ArgumentParser(prog="python -m casino.config.one_parent")
    parser.add_argument("--worker-processes", type=int, default=2, help="default 2")
    processes = parser.parse_args().worker_processes
    if settings.METRICS_BIND:  # one address for all parts
        exporter.begin(settings.METRICS_BIND, forks=True)
    import_all()
    signalled: list[int] = []
    signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)  # a signal that comes now is received below
    programs = {
        "web": web,
        "worker": lambda: worker(processes),
        "long worker": long_worker,
        "beat": beat,
    }
    parts = {fork(program): name for name, program in programs.items()}

    def stop(number: int, _frame: FrameType | None) -> None:
        signalled.append(number)
        end(parts)

    for each in STOPS:
        signal.signal(each, stop)
    signal.signal(signal.SIGALRM, lambda *_signal: kill(parts))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
    statuses = set()
    while parts:
        ended, status = os.wait()
        parts.pop(ended, None)
        statuses.add(status)
        end(parts)
    signal.setitimer(signal.ITIMER_REAL, 0)
    return 0 if signalled and statuses <= IN_PEACE else 1


def import_all() -> None:
    for name in THEIRS:
        import_module(name)
    from casino.config import preload  # noqa: PLC0415 - the house can be imported only now
    from casino.config.celery import app  # noqa: PLC0415

    app.loader.import_default_modules()
    preload.web()
    say_what_is_unguarded()
    connections.close_all()  # each part has its own


def say_what_is_unguarded() -> None:
    """
    Print how the database's guards differ from what was installed. The parts start all the same:
    the verification that a worker begins with stops payouts.
    """
    from casino.engine.databases import guards  # noqa: PLC0415 - the house can be imported only now

    try:
        found = guards.differences()
    except DatabaseError as error:
        found = [f"The database's guards could not be compared: {error}"]
    for each in found:
        sys.stderr.write(f"! {each}\n")


def fork(program: Callable[[], None]) -> int:
    """
    Fork a process that runs a program and exits with its status. Return its id.

    It leads a group of its own, which is killed whole if need be. It is asked to end if this
    process is killed.
    """
    parent = os.getpid()
    if pid := os.fork():
        return pid
    status = 1
    try:
        os.setpgid(0, 0)
        stopping.end_with(parent, signal.SIGTERM)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
        program()
        status = 0
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:  # noqa: BLE001 - nothing above would say what it died of
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def end(parts: dict[int, str]) -> None:
    """Ask all parts to end, and be woken once their time is over."""
    if not signal.getitimer(signal.ITIMER_REAL)[0]:
        signal.setitimer(signal.ITIMER_REAL, WITHIN)
    for pid in list(parts):
        with suppress(ProcessLookupError):  # has ended, and will be removed
            os.kill(pid, signal.SIGTERM)


def kill(parts: dict[int, str]) -> None:
    """Kill what did not end, with the processes it has started."""
    for pid, name in list(parts.items()):
        said = f"The {name} had not ended {WITHIN} s after it was asked to. It is killed."
        sys.stderr.write(f"{said}\n")
        sys.stderr.flush()
        for killed in (os.killpg, os.kill):  # a process that is no leader yet has no group
            with suppress(ProcessLookupError):
                killed(pid, signal.SIGKILL)


def web() -> None:
    sys.argv = ["gunicorn", "-c", "python:casino.config.gunicorn", "casino.config.wsgi"]
    import_module("gunicorn.app.wsgiapp").run()


def worker(processes: int) -> None:
    _worker(
        f"--exclude-queues={settings.LONG}",
        f"--concurrency={processes}",
    )


def long_worker() -> None:
    """
    Run the worker for tasks that may take minutes, so that they hold up no others; it has no child
    processes.
    """
    _worker(f"--queues={settings.LONG}", "--pool=solo", "--hostname=long@%h")


def _worker(*options: str) -> None:
    from casino.config.celery import app  # noqa: PLC0415 - imported before the fork

    app.start(["--quiet", "worker", "--without-gossip", "--without-mingle", *options])


def beat() -> None:
    from casino.config import beat_process  # noqa: PLC0415 - imported before the fork

    beat_process.main()


if __name__ == "__main__":
    sys.exit(main())
