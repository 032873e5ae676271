"""
The query of a report, read from the parameters of an address.

The parameters are ``day``, or ``month``, or ``from`` and ``to``; ``through``, which is a ledger
position or ``head``; and the report's own filters. A closed day is reported as it was frozen,
through the event that closed it. Only with ``through=head`` is it reported as it is known now.
"""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.establishments.gaming_day import current
from casino.kit.documents.report import Query
from casino.kit.web.parameters import check_known
from casino.play.core.projections import NAME as PROJECTIONS
from casino.play.settlement.settled import SETTLEMENT
from casino.reports.gaming_days.models import GamingDay
from games.refusals import Malformed, Refused
from ledger import journal
from ledger.models import Subscription

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from casino.house.establishments.models import Establishment
    from casino.kit.documents.report import Report

DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
MONTH: Final = re.compile(r"([0-9]{4})-([0-9]{2})")
POSITION: Final = re.compile(r"[0-9]{1,16}")
HEAD: Final = "head"
DAYS_MAX: Final = 366
AT_ONCE: Final = timedelta(days=31)
"""A report of a longer period is prepared by a worker."""
PERIOD: Final = ("day", "month", "from", "to", "through")
READERS: Final = (PROJECTIONS, HOUSE.name, SETTLEMENT)
TEXT_MAX: Final = 200


class NotReadYet(Refused):
    """The ledger has the position; the projections that reports read have not reached it yet."""

    code = "not_read_yet"


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    since: date
    until: date

    @property
    def one_day(self) -> bool:
        return self.since == self.until

    @property
    def long(self) -> bool:
        return self.until - self.since >= AT_ONCE


def query(house: Establishment, report: Report, given: Mapping[str, str], now: datetime) -> Query:
    """
    The query that the parameters of an address ask for.

    :param given: values by name; an empty value counts as absent.
    :raises Malformed: if a value is not valid; names the field.
    :raises NotReadYet: if the position exists, but projections have not reached it yet.
    """
    given = {name: value for name, value in given.items() if value}
    known = {*PERIOD, *(each.name for each in report.filters)}
    check_known(given, known, asked=report.name)
    days = period(house, given, now)
    return Query(
        house=house,
        since=days.since,
        until=days.until,
        through=through(house, days, given.get("through", "")),
        chosen=chosen(house, report, given),
    )


def period(house: Establishment, given: Mapping[str, str], now: datetime) -> Period:
    """
    The gaming days that are asked for; if none are named, the last closed day, or else today.

    :raises Malformed: if a value is not valid; names the field.
    """
    if len({"day", "month"} & given.keys()) + bool({"from", "to"} & given.keys()) > 1:
        raise Malformed("day, month, or from and to: one of them.", field="day")
    if "day" in given:
        day = _day(given, "day")
        return Period(since=day, until=day)
    if "month" in given:
        return _month(given["month"])
    if "from" in given or "to" in given:
        return _range(given)
    day = last_closed(house) or current(house, now)
    return Period(since=day, until=day)


def last_closed(house: Establishment) -> date | None:
    rows = GamingDay.objects.filter(establishment=house, state=GamingDay.State.CLOSED)
    return rows.order_by("-day").values_list("day", flat=True).first()


def _day(given: Mapping[str, str], name: str) -> date:
    try:
        if DAY.fullmatch(given[name]):
            return date.fromisoformat(given[name])
    except ValueError:
        pass
    raise Malformed(f"{name} is a date, as 2026-11-21.", field=name)


def _month(text: str) -> Period:
    found = MONTH.fullmatch(text)
    year, month = map(int, found.groups()) if found else (0, 0)
    if not (year >= 1 and 1 <= month <= 12):  # noqa: PLR2004 - months of a year
        raise Malformed("month is a month, as 2026-11.", field="month")
    last = calendar.monthrange(year, month)[1]
    return Period(since=date(year, month, 1), until=date(year, month, last))


def _range(given: Mapping[str, str]) -> Period:
    for name in ("from", "to"):
        if name not in given:
            raise Malformed(f"{name} is missing: from and to go together.", field=name)
    found = Period(since=_day(given, "from"), until=_day(given, "to"))
    if found.until < found.since:
        raise Malformed("to is a day before from.", field="to")
    if (found.until - found.since).days >= DAYS_MAX:
        raise Malformed(f"At most {DAYS_MAX} days at once.", field="to")
    return found


def through(house: Establishment, days: Period, text: str) -> int:
    """
    The position as of which the days are reported.

    :raises Malformed: if the text is not a position of this house's ledger.
    :raises NotReadYet: as in `query`.
    """
    newest = position_of_projections(house)
    frozen = None if text else frozen_at(house, days.until)
    if text == HEAD or (not text and frozen is None):
        return newest
    position = frozen if frozen is not None else _position(house, text)
    if position > newest:
        raise NotReadYet(f"Reports have come to position {newest}: ask again in a moment.")
    return position


def _position(house: Establishment, text: str) -> int:
    """
    The position that the text names.

    :raises Malformed: if it is not a position of this house's ledger.
    """
    head = journal.head(establishment=house.pk)
    if not POSITION.fullmatch(text) or int(text) > head:
        raise Malformed(
            f"through is {HEAD}, or a position of the ledger, from 0 to {head}.", field="through"
        )
    return int(text)


def frozen_at(house: Establishment, until: date) -> int | None:
    """
    The position at which the last of the days through this one was closed; None: that day is open,
    there was no day, or this day may still begin.
    """
    rows = GamingDay.objects.filter(establishment=house)
    last = rows.filter(day__lte=until).order_by("-day").first()
    if last is None or last.state != GamingDay.State.CLOSED:
        return None
    # `until` itself may still get its first entry, as long as no later day has begun.
    behind = rows.filter(day__gt=until).exists()
    return last.closed_position if behind or last.day == until else None


def position_of_projections(house: Establishment) -> int:
    """The position that all projections of reports have reached; -1: nothing is recorded."""
    rows = Subscription.objects.filter(establishment=house.pk, name__in=READERS)
    cursors = dict(rows.values_list("name", "position"))
    head = journal.head(establishment=house.pk)
    return min([head, *(cursors.get(name, -1) for name in READERS)])


def chosen(house: Establishment, report: Report, given: Mapping[str, str]) -> dict[str, str]:
    """
    The values of the report's filters.

    :raises Malformed: if a filter does not allow its value; names the filter.
    """
    found = {}
    for each in report.filters:
        value = given.get(each.name, "")
        if not value:
            continue
        if len(value) > TEXT_MAX:
            raise Malformed(f"{each.name} has at most {TEXT_MAX} letters.", field=each.name)
        if each.choices is not None and value not in dict(each.choices(house)):
            raise Malformed(f"{each.name}: {value!r} is none of its choices.", field=each.name)
        found[each.name] = value
    return found
