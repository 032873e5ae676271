"""
What one house may take of a web process: so many entries a second, of programs.

A house whose program has gone mad is answered 429 with Retry-After, and the others go on. The count
is kept in each web process, as those of addresses are (`casino.kit.web.visitors`). What people
enter at the tables is not counted: nobody throws so fast.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from math import ceil
from typing import TYPE_CHECKING, Final

from django.conf import settings
from rest_framework.exceptions import Throttled

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

BURST: Final = 5.0  # seconds' worth that a house may send at once after a quiet moment
HOUSES: Final = 1000  # houses remembered; one that was not heard of for longest has a full measure


class Measures:
    """
    How much each house may send now: it fills at the rate, and an entry takes one from it.

    A list is taken whole while there is anything left, and what it takes more than that is owed.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._left: OrderedDict[UUID, tuple[float, float]] = OrderedDict()

    def take(self, house: UUID, entries: int, rate: int) -> float:
        """Seconds to wait before anything more is taken; 0: these entries are taken now."""
        if not rate:
            return 0.0
        now = self._clock()
        with self._lock:
            left, at = self._left.pop(house, (rate * BURST, now))
            left = min(rate * BURST, left + (now - at) * rate)
            wait = 0.0 if left > 0 else (1 - left) / rate
            self._left[house] = (left if wait else left - entries, now)
            if len(self._left) > HOUSES:
                self._left.popitem(last=False)
        return wait

    def forget(self) -> None:
        with self._lock:
            self._left.clear()


MEASURES: Final = Measures()


def admit(house: UUID, entries: int = 1) -> None:
    """:raises Throttled: if the house has sent more than `HOUSE_RATE` lets it; nothing is done."""
    if wait := MEASURES.take(house, entries, settings.HOUSE_RATE):
        raise Throttled(wait=ceil(wait))
