"""
How far a house's ledger had come a moment ago: for the foot of pages on paper.

It is read at most every few seconds in a process from each server, so that no page costs a query
more for it. The
foot tells the time of the reading with it, so it is never said of a later moment than it holds for.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from casino.engine.scale.replicas import place as replicas
from ledger import journal

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

RECENT: Final = 15.0  # seconds for which a reading is used


@dataclass(frozen=True, slots=True)
class Reading:
    """The last position of a ledger, -1 while it is empty, and when it was read."""

    position: int
    at: datetime


_readings: Final[dict[tuple[UUID, str], tuple[float, Reading]]] = {}


def recent(establishment: UUID, now: datetime) -> Reading:
    """The last position of a house's ledger, as it was read within the last seconds."""
    key = establishment, replicas.source()
    read, known = _readings.get(key, (0.0, None))
    if known is None or time.monotonic() - read > RECENT:
        known = Reading(journal.head(establishment=establishment), now)
        _readings[key] = (time.monotonic(), known)
    return known
