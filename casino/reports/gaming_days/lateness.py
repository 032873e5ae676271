"""Says whether an entry is late, and whether its clock differs from the house's (B4, E3, E5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.house.establishments import gaming_day
from casino.play.settlement.seasons import PREFIX
from casino.play.settlement.settled import SETTLEMENT

if TYPE_CHECKING:
    from datetime import datetime

    from casino.house.establishments.models import Establishment
    from ledger.wire import StoredEvent

SKEW: Final = 5  # seconds


def is_effect(event: StoredEvent) -> bool:
    """Whether settlement booked an event; such an event has the time of its cause."""
    return event.stream.startswith((f"{SETTLEMENT}/", PREFIX))


def is_late(house: Establishment, event: StoredEvent, begun: datetime | None) -> bool:
    """
    Whether an entry happened on an earlier gaming day than the one it is recorded for.

    :param begun: when the closing of the day before began, if it did. If that was before the
        cut-off, the new day began there, and later entries are not late although the clock would
        count them to the day before.
    """
    provenance = event.provenance
    if gaming_day.gaming_day(house, provenance.occurred_at) >= provenance.gaming_day:
        return False
    return begun is None or provenance.occurred_at < begun


def seconds_late(event: StoredEvent) -> int:
    """How much later an event was recorded than it happened; negative if its clock is ahead."""
    provenance = event.provenance
    return round((provenance.recorded_at - provenance.occurred_at).total_seconds())
