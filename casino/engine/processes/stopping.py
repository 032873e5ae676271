"""
How a program ends that was asked to stop, whatever hangs in it; and the sign that it still goes on.

A stop can be held up by what nobody foresaw: a lock that a fork took along, a library that waits
for a process that is gone. Whoever asked would wait for ever, and a house would not come back.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

PR_SET_PDEATHSIG = 1  # prctl(2)
DRAINING: Final = threading.Event()
"""Whether this web process is about to end, which it tells load balancers beforehand."""


def exit_within(seconds: float) -> None:
    """
    End this process with status 1 if it still runs after so many seconds.

    The log then has where each of its threads was. A thread outside Python does it, so it also
    ends a process whose interpreter hangs.
    """
    if sys.__stderr__ is not None:
        import faulthandler  # noqa: PLC0415 - only who stops needs it

        faulthandler.dump_traceback_later(seconds, exit=True, file=sys.__stderr__)


def end_with(parent: int, number: int = signal.SIGKILL) -> None:
    """
    See that this process, just forked by a parent, is signalled when the parent ends.

    A parent that is killed, or ends by force, can ask nobody to end. Linux alone knows such a
    signal: `prctl(2)`, PR_SET_PDEATHSIG.
    """
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 - only who was forked needs it

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(number), 0, 0, 0)
    if os.getppid() != parent:  # it ended first
        os.kill(os.getpid(), number)


# The sign of life of a worker or a beat, for whoever looks after its process: a file that it
# touches.
#
# A worker touches it every two seconds, beat every second. It says that the main loop goes on, and
# nothing about any other process; `/healthz` says whether somebody serves each queue. Without
# `HEARTBEAT_FILE` nothing is written.


def touch_heartbeat() -> None:
    """Say that this process goes on. A disk that is full is no reason to stop."""
    if named := os.environ.get("HEARTBEAT_FILE", ""):
        with suppress(OSError):
            Path(named).touch()
