"""The gaming day: one per house, from one cut-off to the next in the house's own time (B4)."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from casino.establishments.models import Establishment


def gaming_day(establishment: Establishment, at: datetime) -> date:
    """The day an instant belongs to: before the cut-off on the clock it is still yesterday's."""
    local = at.astimezone(ZoneInfo(establishment.time_zone))
    early = local.time() < establishment.day_cutoff
    return local.date() - timedelta(days=1) if early else local.date()
