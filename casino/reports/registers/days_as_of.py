"""
The figures of gaming days as of a position: of closed days from their closing events, of open days
up to the position.

An open day is folded from its own events, by the same code that closes a day: if it were closed at
that moment, it would have the same figures. Folded figures are cached, and the next fold continues
from them.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from casino.house.game_streams.loading import reading_apart
from casino.kit.documents.report import Query
from casino.reports.gaming_days import carried_over, freezing
from casino.reports.gaming_days.figures import Figures
from casino.reports.gaming_days.models import GamingDay
from casino.reports.registers import history
from ledger.accounts import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from uuid import UUID

    from casino.house.establishments.models import Establishment
    from ledger.wire import StoredEvent

REMEMBERED: Final = 16  # days
AT_HAND: Final = 500  # events of games kept in memory; the figures keep those that they need


@dataclass(frozen=True, slots=True, kw_only=True)
class DayAsOf:
    """
    The figures of one gaming day as of a position.

    :param data: the figures, in the form of the event ``day.closed``.
    :param closed: that event; None: the day was open, and these are its figures so far.
    """

    day: date
    data: Mapping[str, Any]
    closed: StoredEvent | None


def days(query: Query) -> Sequence[DayAsOf]:
    """The days that had begun by the position, closed or open, the oldest first."""
    return _days(query.house, query.since, query.until, query.through)


@lru_cache(maxsize=2)
def _days(house: Establishment, since: date, until: date, through: int) -> tuple[DayAsOf, ...]:
    """
    The days of `days`. Cached, because each table of a report reads them. Only two are cached: the
    next report has another position, and the figures of a long day are large.
    """
    query = Query(house=house, since=since, until=until, through=through)
    closed = [
        DayAsOf(day=date.fromisoformat(event.data["day"]), data=event.data, closed=event)
        for event in _closings(query)
    ]
    over = {each.day for each in closed}
    rows = GamingDay.objects.filter(establishment=query.house, day__lte=query.until)
    begun = rows.filter(day__gte=query.since).order_by("day").values_list("day", flat=True)
    with reading_apart(AT_HAND):
        so_far = [_so_far(query, day) for day in begun if day not in over]
    return tuple(sorted([*closed, *filter(None, so_far)], key=lambda each: each.day))


def _closings(query: Query) -> list[StoredEvent]:
    rows = GamingDay.objects.filter(
        establishment=query.house, day__gte=query.since, day__lte=query.until,
        closed_position__lte=query.through,
    )  # fmt: skip
    return history.at(query.house, rows.order_by("day").values_list("closed_position", flat=True))


def _so_far(query: Query, day: date) -> DayAsOf | None:
    """The figures of an open day through the position; None: it had no events by then."""
    figures = _fold(query, day)
    if not figures.events:
        return None
    data = {
        "day": day.isoformat(),
        **figures.as_dict,
        "open_games": carried_over.open_games(figures, through=query.through),
        "rollovers": figures.of_kind(Kind.ROLLOVER),
        "held": figures.held,
        "parked": {"count": 0, "events": []},  # it is not known when an event was parked
        "carried": figures.carried,
    }
    return DayAsOf(day=day, data=data, closed=None)


class _Memory:
    """The cache of the days that were folded last, each up to the position that was read."""

    def __init__(self) -> None:
        self._days: OrderedDict[tuple[UUID, date, int], Figures] = OrderedDict()
        self._lock = threading.Lock()

    def recall(self, key: tuple[UUID, date, int], through: int) -> Figures | None:
        """A copy of the cached figures, to be continued; None: there are none."""
        with self._lock:
            known = self._days.get(key)
            return known.copy() if known is not None and known.through <= through else None

    def keep(self, key: tuple[UUID, date, int], figures: Figures) -> None:
        with self._lock:
            known = self._days.pop(key, None)
            newer = known is None or known.through <= figures.through
            self._days[key] = figures.copy() if newer or known is None else known
            while len(self._days) > REMEMBERED:
                self._days.popitem(last=False)

    def forget(self) -> None:
        with self._lock:
            self._days.clear()


MEMORY: Final = _Memory()


def _fold(query: Query, day: date) -> Figures:
    since = _last_close_before(query, day)
    key = query.house.pk, day, since.position if since else -1
    figures = MEMORY.recall(key, query.through) or _figures_before(query, day, since)
    events = freezing.of_day(query.house.pk, day, after=figures.through)
    figures.take(_through(events, query.through))
    MEMORY.keep(key, figures)
    return figures


def _figures_before(query: Query, day: date, since: StoredEvent | None) -> Figures:
    """The figures before the day's first event: what was carried over, and what came since."""
    if since is None:
        older = Figures(query.house, day)
        older.take(_through(freezing.before_day(query.house.pk, day), query.through))
        return Figures(query.house, day, before=older.carried)
    between = Figures(query.house, day, before=since.data["carried"])
    after = date.fromisoformat(since.data["day"])
    days = GamingDay.objects.filter(establishment=query.house, day__gt=after, day__lt=day)
    for each in days.order_by("day").values_list("day", flat=True):
        between.take(_through(freezing.of_day(query.house.pk, each), query.through))
    return Figures(query.house, day, since=since, before=between.carried)


def _last_close_before(query: Query, day: date) -> StoredEvent | None:
    """The closing event of the last day before this one; only days closed by the position count."""
    rows = GamingDay.objects.filter(
        establishment=query.house, day__lt=day, closed_position__lte=query.through
    )
    last = rows.order_by("-day").values_list("closed_position", flat=True)[:1]
    return next(iter(history.at(query.house, last)), None)


def _through(events: Iterator[StoredEvent], position: int) -> Iterator[StoredEvent]:
    for event in events:
        if event.position > position:
            return
        yield event
