"""
Figures of a day, compared with the same day a week ago, and their course through the day.

They are read from two projections: `DayFigures` has the totals of a day, `QuarterFigures` has what
each quarter of an hour added. A day that is not over is compared with the earlier day up to the
same time.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db.models import Sum

from casino.house.establishments import gaming_day
from casino.play.core.models import DayFigures, QuarterFigures

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date, datetime
    from uuid import UUID

    from casino.house.establishments.models import Establishment

WEEK: Final = timedelta(days=7)
QUARTER: Final = timedelta(minutes=15)
NAMES: Final = ("rounds", "bought_in", "staked", "paid", "fees")
DAYS: Final = 14  # days in the sparklines beside the figures


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekAgo:
    """
    The figures of the same day a week ago, up to the same time of day.

    :param until: the end of the last quarter of an hour that counts.
    :param figures: by name; all 0 on a day without play, None if the house has no such day.
    """

    day: date
    until: datetime
    figures: dict[str, int] | None


def so_far(establishment: UUID, day: date) -> DayFigures:
    rows = DayFigures.objects.filter(establishment=establishment, gaming_day=day)
    return rows.first() or DayFigures(establishment_id=establishment, gaming_day=day)


def week_ago(house: Establishment, day: date, now: datetime) -> WeekAgo:
    """
    The figures of the same day a week ago, up to the same time.

    Times are counted from the beginning of each day, so a change of the clock between the two days
    does not matter.
    """
    day_then = day - WEEK
    began = gaming_day.begins(house, day_then)
    gone = now - gaming_day.begins(house, day)
    until = began + (gone // QUARTER + 1) * QUARTER
    rows = QuarterFigures.objects.filter(establishment=house, gaming_day=day_then)
    sums = rows.filter(begins__lt=until).aggregate(**{name: Sum(name) for name in NAMES})
    known = any(each is not None for each in sums.values()) or rows.exists()
    figures = {name: int(coins or 0) for name, coins in sums.items()} if known else None
    return WeekAgo(day=day_then, until=until, figures=figures)


def days_before(day: date) -> list[date]:
    """The `DAYS` days before this one, oldest first."""
    return [day - timedelta(days=each) for each in range(DAYS, 0, -1)]


def last_days(establishment: UUID, day: date) -> dict[str, list[int | None]]:
    """Each figure on the days before this one, oldest first; None on days without play."""
    first = day - timedelta(days=DAYS)
    rows = DayFigures.objects.filter(
        establishment=establishment, gaming_day__gte=first, gaming_day__lt=day
    )
    known = {row.gaming_day: row for row in rows}
    return {
        name: [getattr(known[each], name) if each in known else None for each in days_before(day)]
        for name in NAMES
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """
    The course of a figure through a gaming day.

    :param points: hours since the day began, and the figure up to then; the first point is 0, 0.
    """

    day: date
    points: tuple[tuple[float, int], ...]


def course(
    house: Establishment, day: date, names: Sequence[str], until: datetime | None = None
) -> dict[str, Course]:
    """
    One course for each name, in one query.

    :param until: the course is extended to this moment.
    """
    rows = QuarterFigures.objects.filter(establishment=house, gaming_day=day).order_by("begins")
    found = list(rows.values_list("begins", *names))
    began = gaming_day.begins(house, day)
    quarters = [begins - began for begins, *_ in found]
    end = None if until is None else until - began
    return {
        name: Course(day=day, points=tuple(_grown(quarters, [row[place] for row in found], end)))
        for place, name in enumerate(names, 1)
    }


def _grown(
    quarters: Sequence[timedelta], added: Sequence[int], end: timedelta | None
) -> Iterator[tuple[float, int]]:
    """The points of a course: it grows within each quarter of an hour, and is level between."""
    at, total = timedelta(0), 0
    yield 0.0, 0
    for begins, more in zip(quarters, added, strict=True):
        if begins > at:
            yield _hours(begins), total
        at, total = begins + QUARTER, total + more
        yield _hours(at), total
    if end is not None and end > at:
        yield _hours(end), total


def _hours(passed: timedelta) -> float:
    return max(0.0, passed / timedelta(hours=1))
