"""
Stops at moments of a start: ``python -m tests.config.stop_trials PROGRAM COUNT SIGNAL``.

The program is imported once, and forked for each trial, so a trial takes a second or two instead
of ten. The moments are spread evenly over its first seconds. Each trial is a line of JSON: the
moment of the signal, the exit status (negative: the signal that ended it), what it left behind.
What is left by a program that was killed has time to end by itself.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.core.management import call_command

from tests.processes import PATIENCE, free_port, lives

SPAN = 3.0  # seconds after the start over which the signals are spread; all has started before


def one_parent() -> None:
    sys.argv = ["one_parent", "--worker-processes=1"]
    raise SystemExit(import_module("casino.config.one_parent").main())


def web() -> None:
    sys.argv = ["gunicorn", "-c", "python:casino.config.gunicorn", "casino.config.wsgi"]
    import_module("gunicorn.app.wsgiapp").run()


def worker() -> None:
    options = ("--without-gossip", "--without-mingle", "--concurrency=2")
    import_module("casino.config.celery").app.start(["--quiet", "worker", *options])


def beat() -> None:
    import_module("casino.config.beat_process").main()


def up() -> None:
    call_command("up", "--empty", port=free_port())


PROGRAMS: dict[str, Callable[[], None]] = {
    each.__name__: each for each in (one_parent, web, worker, beat, up)
}


def trials(program: Callable[[], None], count: int, number: signal.Signals) -> None:
    for trial in range(count):
        after = SPAN * trial / (count - 1)
        pid = forked(program)
        time.sleep(after)
        family = with_children(pid)
        os.kill(pid, number)
        status = status_of(pid)
        left = left_of(family, PATIENCE if number == signal.SIGKILL else 0)
        sys.stdout.write(f"{json.dumps({'after': after, 'status': status, 'left': left})}\n")
        sys.stdout.flush()


def forked(program: Callable[[], None]) -> int:
    if pid := os.fork():
        return pid
    gunicorn: Any = import_module("casino.config.gunicorn")
    gunicorn.bind = f"127.0.0.1:{free_port()}"
    os.dup2(2, 1)  # the lines on standard output are the trials'
    status = 1
    try:
        program()
        status = 0
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    finally:
        os._exit(status)


def with_children(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return [pid]
    return [pid, *(each for child in children for each in with_children(int(child)))]


def left_of(family: list[int], patience: float) -> list[int]:
    """Which of these still live, after so many seconds at most."""
    end = time.monotonic() + patience
    while (left := [each for each in family if lives(each)]) and time.monotonic() < end:
        time.sleep(0.01)
    return left


def status_of(pid: int) -> int:
    """The exit status of a process, which is killed if it never ends."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    for each in with_children(pid):
        os.kill(each, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def main(name: str, count: str, number: str) -> None:
    django.setup()
    if settings.PRODUCTION:
        import_module("casino.config.one_parent").import_all()
    trials(PROGRAMS[name], int(count), signal.Signals[number])


if __name__ == "__main__":
    main(*sys.argv[1:])
