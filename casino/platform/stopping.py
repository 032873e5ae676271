"""
A program that was asked to stop ends, whatever hangs in it.

A stop can be held up by what nobody foresaw: a lock that a fork took along, a library that waits
for a process that is gone. Whoever asked would wait for ever, and a house would not come back.
"""

from __future__ import annotations

import sys


def exit_within(seconds: float) -> None:
    """
    End this process with status 1 if it still runs after so many seconds.

    The log then has where each of its threads was. A thread outside Python does it, so it also
    ends a process whose interpreter hangs.
    """
    if sys.__stderr__ is not None:
        import faulthandler  # noqa: PLC0415 - only who stops needs it

        faulthandler.dump_traceback_later(seconds, exit=True, file=sys.__stderr__)
