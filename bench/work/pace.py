"""Rates of jobs."""

import time
from collections.abc import Callable


def wait_until(moment: float) -> None:
    time.sleep(max(0.0, moment - time.monotonic()))


def rate(act: Callable[[], object], *, start: float, seconds: float) -> float:
    """How often per second `act` is done, from a moment that all processes share."""
    wait_until(start)
    done, end = 0, start + seconds
    while time.monotonic() < end:
        act()
        done += 1
    return done / (time.monotonic() - start)
