"""Whether an entry comes late, and whose clock is to be doubted (B4, E3, E5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.establishments import gaming_day
from casino.settlement.settled import SETTLEMENT

if TYPE_CHECKING:
    from datetime import datetime

    from casino.establishments.models import Establishment
    from ledger.wire import StoredEvent

SKEW: Final = 5  # seconds


def is_effect(event: StoredEvent) -> bool:
    """Whether settlement booked it: it carries the time of its cause."""
    return event.stream.startswith(f"{SETTLEMENT}/")


def is_late(house: Establishment, event: StoredEvent, begun: datetime | None) -> bool:
    """
    Whether an entry happened on an earlier gaming day than the one it is on record for.

    :param begun: when the day before was closed by hand, ahead of the cut-off: the new day begins
        there, and what the clock would still count as yesterday's is not late.
    """
    provenance = event.provenance
    if gaming_day.gaming_day(house, provenance.occurred_at) >= provenance.gaming_day:
        return False
    return begun is None or provenance.occurred_at < begun


def seconds_late(event: StoredEvent) -> int:
    """How much later it was recorded than it happened; below 0 where the table's clock is ahead."""
    provenance = event.provenance
    return round((provenance.recorded_at - provenance.occurred_at).total_seconds())
