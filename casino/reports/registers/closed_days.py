"""The closing events of those days of a report that were closed by its position."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from casino.reports.gaming_days.models import GamingDay
from casino.reports.registers import history

if TYPE_CHECKING:
    from datetime import date

    from casino.house.establishments.models import Establishment
    from casino.kit.documents.report import Query
    from ledger.wire import StoredEvent


def events_of_close(query: Query) -> tuple[StoredEvent, ...]:
    """The events that closed these days, with each day's figures; the oldest first."""
    return _events_of_close(query.house, query.since, query.until, query.through)


@lru_cache(maxsize=8)
def _events_of_close(
    house: Establishment, since: date, until: date, through: int
) -> tuple[StoredEvent, ...]:
    """Cached: events through a position never change, and each table of a report asks for them."""
    rows = GamingDay.objects.filter(
        establishment=house, day__gte=since, day__lte=until, closed_position__lte=through
    )
    positions = rows.order_by("day").values_list("closed_position", flat=True)
    return tuple(history.at(house, positions))


def all_closed(query: Query) -> bool:
    """Whether all gaming days of the report's period were closed by its position."""
    rows = GamingDay.objects.filter(
        establishment=query.house, day__gte=query.since, day__lte=query.until
    )
    return 0 < rows.count() == len(events_of_close(query))
