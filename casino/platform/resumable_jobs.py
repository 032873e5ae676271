"""Work that is kept in a row and brought on step by step, by whichever worker is there."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from django.db import InterfaceError, OperationalError
from django.db.models import Q

from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime, timedelta

Run = TypeVar("Run")


def bring_on(
    running: Callable[[], Run | None],
    came_on: Callable[[Run], bool],
    fail: Callable[[Run, str], None],
    *,
    seconds: float,
) -> bool:
    """
    Bring a run on for some time; whether there is more to do.

    :param running: the run as it stands now; None: it runs no more.
    :param came_on: one step; False: it was the last, or somebody else was quicker.
    :param fail: say of a run that it is not done, and why.
    :raises OperationalError: and what else passes by itself; what was recorded stays.
    """
    until = time.monotonic() + seconds
    while True:
        run = running()
        if run is None:
            return False
        try:
            if not came_on(run):
                return False
        except (OperationalError, InterfaceError, journal.StreamMoved):
            raise
        except Exception as error:  # whatever it is: a run that is not done is said to be failed
            fail(run, type(error).__name__)
            raise
        if time.monotonic() >= until:
            return True


def rests(now: datetime, resting: timedelta) -> Q:
    """
    The runs that nobody has brought on for so long (`worked_at`): whoever worked on them is gone.

    One that came on later than now was written by a clock that has been put back, or is wrong: to
    wait until it is right would be to wait for hours.
    """
    return Q(worked_at__lt=now - resting) | Q(worked_at__gt=now + resting)
