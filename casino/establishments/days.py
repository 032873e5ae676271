"""The gaming day: one per house, from one cut-off to the next in the house's own time (B4)."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from casino.establishments.models import Establishment


def gaming_day(establishment: Establishment, at: datetime) -> date:
    """
    The day an instant belongs to: before the cut-off on the clock it is still yesterday's.

    Where the clock is put back across the cut-off the day begins at the first of the two, where it
    is put forward across it with the first moment behind.
    """
    zone = ZoneInfo(establishment.time_zone)
    local = at.astimezone(zone)
    begins = datetime.combine(local.date(), establishment.day_cutoff, tzinfo=zone)  # the first
    # In UTC: between times of one zone Python compares what the clocks show.
    early = local.time() < establishment.day_cutoff and at < begins.astimezone(UTC)
    return local.date() - timedelta(days=1) if early else local.date()
