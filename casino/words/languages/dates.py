"""
Dates, times and periods of days in fields and addresses: read as people type them, and written
back.

A field has the house's own spelling: 22/11/2026, 22.11.2026 or 11/22/2026, 20:14 or 8:14 p.m.
ISO 8601 is read in every locale. Addresses have ISO 8601 alone, so that a link that somebody kept
says the same to whoever opens it.

Times are those of Django's current time zone, which is the house's. In the hour that comes twice
because the clock is put back, a time needs its zone: 02:30 CET.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Final

from django.utils import timezone, translation
from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from casino.words.languages import locales

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLE: Final = datetime(2026, 11, 22, 20, 14)  # noqa: DTZ001 - an example has no zone
ISO_DAY: Final = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
FIGURES: Final = re.compile(r"([0-9]{1,2})[./\- ]([0-9]{1,2})[./\- ]([0-9]{4}|[0-9]{2})")
CLOCK: Final = re.compile(
    r"([0-9]{1,2})(?:[:.h]([0-9]{2}))?(?:[:.]([0-9]{2})(?:\.[0-9]{1,6})?)?"
    r"(?: ?([ap])\.? ?m\.?)?",
    re.IGNORECASE,
)
MOMENT: Final = re.compile(
    rf"({ISO_DAY.pattern}|{FIGURES.pattern})(?:t|,? )({CLOCK.pattern})(?: ?([a-z+\-][\w+\-:]*))?",
    re.IGNORECASE,
)
OFFSET: Final = re.compile(r"([+-])([0-9]{2}):?([0-9]{2})")
DAY_PART, CLOCK_PART, ZONE_PART = 1, 8, 13  # the groups of `MOMENT`
CENTURY: Final = 2000  # of a year in two figures
MONTHS, HOURS, HALF_DAY, SIXTY = 12, 24, 12, 60


class Unreadable(ValueError):  # noqa: N818 - it is a fact, as the refusals of games are
    """A text is no date or time; the message says why, with an example, in the reader's words."""


# --- What the house's locale has -----------------------------------------------------------------


def order() -> str:
    """The parts of a date in figures, in the house's order: "dmY" or "mdY"."""
    return re.sub(r"[^a-z]", "", form(), flags=re.IGNORECASE).replace("j", "d").replace("n", "m")


def form() -> str:
    """The form of a date in figures, in Django's letters: "d/m/Y", "d.m.Y", "m/d/Y"."""
    return str(get_format("SHORT_DATE_FORMAT", lang=locales.current(), use_l10n=True))


def first_weekday() -> int:
    """The day that a week begins on in the house's locale: 0 is Sunday, 1 is Monday."""
    return int(get_format("FIRST_DAY_OF_WEEK", lang=locales.current(), use_l10n=True))


# --- Written -------------------------------------------------------------------------------------


def type_day(day: date) -> str:
    """A date as a field has it: 22/11/2026."""
    return locales.figures_of_day(day)


def type_clock(at: time) -> str:
    """A time as a field has it: 20:14; with seconds if it has any."""
    return locales.clock_to_seconds(at) if at.second else locales.clock(at)


def type_moment(at: datetime) -> str:
    """A date and time as a field has it: 22/11/2026 20:14; 25/10/2026 02:30 CET if it is twice."""
    clock = locales.clock_to_seconds(at) if at.second else locales.clock(at)
    return f"{locales.figures_of_day(at)} {clock}"


def iso_moment(at: datetime) -> str:
    """A moment as an address has it: 2026-11-22T20:14; with its offset if that time is twice."""
    here = timezone.localtime(at).replace(microsecond=0)
    unit = "seconds" if here.second else "minutes"
    first, second = (_offset(here, fold) for fold in (0, 1))
    return (here if first > second else here.replace(tzinfo=None)).isoformat(timespec=unit)


# --- Read ----------------------------------------------------------------------------------------


def read_day(text: str) -> date:
    """
    The date that somebody typed.

    :raises Unreadable: if it is none.
    """
    given = _plain(text)
    if found := ISO_DAY.fullmatch(given):
        year, month, day = map(int, found.groups())
    elif found := FIGURES.fullmatch(given):
        parts = dict(zip(order(), found.groups(), strict=True))
        year, month, day = (int(parts[each]) for each in "Ymd")
        year += CENTURY if len(parts["Y"]) < 4 else 0  # noqa: PLR2004 - figures of a whole year
    else:
        raise Unreadable(
            _("“%(given)s” is not a date. Write it as in %(example)s.")
            % {"given": given, "example": type_day(EXAMPLE)}
        )
    return _existing(given, year, month, day)


def _existing(given: str, year: int, month: int, day: int) -> date:
    """
    The date of these figures.

    :raises Unreadable: if no calendar has it.
    """
    params = {"given": given, "month": month, "day": day, "example": type_day(EXAMPLE)}
    if not 1 <= month <= MONTHS:
        raise Unreadable(
            _("“%(given)s”: there is no month %(month)s. Write the date as in %(example)s.")
            % params
        )
    try:
        return date(year, month, day)
    except ValueError:
        raise Unreadable(
            _("“%(given)s”: that month has no day %(day)s. Write the date as in %(example)s.")
            % params
        ) from None


def read_clock(text: str) -> time:
    """
    The time that somebody typed: 20:14, 20.14, 8:14 pm, 8 p.m.

    :raises Unreadable: if it is none.
    """
    given = _plain(text)
    found = CLOCK.fullmatch(given)
    at = _time(found) if found and (found[2] or found[4]) else None
    if at is None:
        raise Unreadable(
            _("“%(given)s” is not a time. Write it as in %(example)s.")
            % {"given": given, "example": type_clock(EXAMPLE.time())}
        )
    return at


def _time(found: re.Match[str]) -> time | None:
    """The time of a match of `CLOCK`; None if a day has no such time."""
    hour, minute, second = (int(found[group] or 0) for group in (1, 2, 3))
    if half := (found[4] or "").lower():
        if not 1 <= hour <= HALF_DAY:
            return None
        hour = hour % HALF_DAY + (HALF_DAY if half == "p" else 0)
    fits = hour < HOURS and minute < SIXTY and second < SIXTY
    return time(hour, minute, second) if fits else None


def read_moment(text: str) -> datetime:
    """
    The moment whose date and time, by the clock of the current time zone, somebody typed; in UTC.

    :raises Unreadable: if it is none, or if the clock shows that time twice or never.
    """
    given = _plain(text)
    found = MOMENT.fullmatch(given)
    if found is None:
        raise Unreadable(_unread_moment(given))
    at = datetime.combine(read_day(found[DAY_PART]), read_clock(found[CLOCK_PART]))
    try:
        placed = _instant_of(given, at, found[ZONE_PART] or "")
    except OverflowError:  # an offset leads out of Python's calendar
        raise Unreadable(_unread_moment(given)) from None
    try:
        # In UTC: Python holds two equal moments for different in an hour that comes twice.
        return placed.astimezone(UTC)
    except OverflowError:  # within hours of the first or the last day of Python's calendar
        return placed


def _unread_moment(given: str) -> str:
    params = {"given": given, "example": type_moment(EXAMPLE)}
    try:
        read_day(given)
    except Unreadable:
        return _("“%(given)s” is not a date and time. Write it as in %(example)s.") % params
    return _("“%(given)s” has no time. Write it as in %(example)s.") % params


def _instant_of(given: str, at: datetime, zone: str) -> datetime:
    """The instant at which the house's clock shows this time, in the zone if one was given."""
    both = [at.replace(tzinfo=timezone.get_current_timezone(), fold=fold) for fold in (0, 1)]
    first, second = (_offset(each, each.fold) for each in both)
    if zone:
        return _in_zone(given, both, zone)
    if first > second:
        ways = {"first": type_moment(both[0]), "second": type_moment(both[1])}
        raise Unreadable(
            _("“%(given)s” comes twice: the clock is put back. Write %(first)s or %(second)s.")
            % {"given": given, **ways}
        )
    if first < second:
        raise Unreadable(
            _("“%(given)s” never comes: the clock is put forward over it.") % {"given": given}
        )
    return both[0]


def _in_zone(given: str, both: list[datetime], zone: str) -> datetime:
    for each in both:
        if zone.casefold() == f"{each:%Z}".casefold():
            return each
    if (found := OFFSET.fullmatch(zone)) or zone.casefold() == "z":
        sign, hours, minutes = found.groups() if found else ("+", 0, 0)
        offset = timedelta(hours=int(hours), minutes=int(minutes)) * (-1 if sign == "-" else 1)
        there = both[0].replace(tzinfo=UTC) - offset
        return there.astimezone(both[0].tzinfo)
    known = " / ".join(dict.fromkeys(f"{each:%Z}" for each in both))
    raise Unreadable(
        _("“%(given)s”: the house's clock does not show %(zone)s then, but %(known)s.")
        % {"given": given, "zone": zone, "known": known}
    )


def _offset(at: datetime, fold: int) -> timedelta:
    return at.replace(fold=fold).utcoffset() or timedelta(0)


def _plain(text: str) -> str:
    """The text with plain single spaces, and without them around it."""
    return re.sub(r"\s+", " ", text).strip()


# Periods of days as people name or type them: last week, 22/11 - 24/11, last 7 days.
#
# Those that have a name are gaming days: today is the one that is open. A week begins on the day
# that the house's locale has.


A_DAY: Final = timedelta(days=1)
DAYS_OF_WEEK: Final = 7
DAYS_MOST: Final = 3660  # that "last … days" goes back
BETWEEN: Final = re.compile(r"\s*(?:\N{EN DASH}|\N{EM DASH}|…|\.\.\.?)\s*|\s+-\s+")
PARTS: Final = re.compile(r"([0-9]{1,2})(?:[./\- ]([0-9]{1,2}))?[./]?")
LAST_DAYS: Final = gettext_noop("last {days} days")
ENGLISH: Final = "en"
PERIODS: Final = {
    "today": gettext_lazy("Today"),
    "yesterday": gettext_lazy("Yesterday"),
    "this_week": gettext_lazy("This week"),
    "last_week": gettext_lazy("Last week"),
    "this_month": gettext_lazy("This month"),
    "last_month": gettext_lazy("Last month"),
}
"""The names of the periods, in the order in which they are offered."""


@dataclass(frozen=True, slots=True)
class Days:
    """The days from `since` to `until`, both included."""

    since: date
    until: date


def period_by_name(name: str, today: date) -> Days:
    """The period of one of the names of `TITLES`, as of `today`."""
    first = today - (today.isoweekday() - first_weekday()) % DAYS_OF_WEEK * A_DAY
    last_month = today.replace(day=1) - A_DAY
    return {
        "today": lambda: Days(today, today),
        "yesterday": lambda: Days(today - A_DAY, today - A_DAY),
        "this_week": lambda: Days(first, first + (DAYS_OF_WEEK - 1) * A_DAY),
        "last_week": lambda: Days(first - DAYS_OF_WEEK * A_DAY, first - A_DAY),
        "this_month": lambda: _month(today),
        "last_month": lambda: _month(last_month),
    }[name]()


def _month(of: date) -> Days:
    return Days(of.replace(day=1), of.replace(day=monthrange(of.year, of.month)[1]))


def period_example() -> str:
    """Examples of periods as people type them: 22/11 - 24/11, last 7 days."""
    first, last = (re.sub(r"\W?2026\W?", "", type_day(date(2026, 11, day))) for day in (22, 24))
    return f"{first} \N{EN DASH} {last}, {_(LAST_DAYS).format(days=7)}"


def read_period(text: str, today: date) -> Days | None:
    """
    The period that somebody typed; None if the text is none.

    "22/11 - 24/11" and "22 - 24/11" are of the last year in which they began before `today`.
    """
    return period_in_words(text, today) or _first(_from_to, text, today)


def period_in_words(text: str, today: date) -> Days | None:
    """The period that somebody typed by its name, as "last week" or "last 7 days"; else None."""
    return _first(_in_words, text, today)


def _first(read: Callable[[str, date], Days | None], text: str, today: date) -> Days | None:
    """What is read in the reader's language, or else in English."""
    plain = " ".join(text.split())
    for language in dict.fromkeys((translation.get_language() or ENGLISH, ENGLISH)):
        with translation.override(language):
            if found := read(plain, today):
                return found
    return None


def _in_words(text: str, today: date) -> Days | None:
    pattern = re.escape(_(LAST_DAYS)).replace(re.escape("{days}"), "([0-9]{1,4})")
    if found := re.fullmatch(pattern, text, re.IGNORECASE):
        count = int(found[1])
        return Days(today - (count - 1) * A_DAY, today) if 1 <= count <= DAYS_MOST else None
    names = {str(title).casefold(): name for name, title in PERIODS.items()}
    name = names.get(text.casefold())
    return period_by_name(name, today) if name else None


def _from_to(text: str, today: date) -> Days | None:
    for parts in (BETWEEN.split(text), text.split(f" {_('to')} ")):
        if len(parts) == 2:  # noqa: PLR2004 - from and to
            return _between(parts[0], parts[1], today)
    return None


def _between(first: str, last: str, today: date) -> Days | None:
    """The days between two dates, of which either may lack its year, and the first its month."""
    until = _parts(last)
    since = _parts(first, month=until.month) if until else None
    if since is None or until is None:
        return None
    years = [until.year] if until.year else [today.year, today.year - 1]
    for year in years:
        end = _date(until, year)
        begin = _date(since, since.year or year)
        if begin and end and begin > end and not since.year:
            begin = _date(since, year - 1)  # 28/12 - 3/1
        if begin and end and (until.year or begin <= today):
            return Days(begin, end)
    return None


@dataclass(frozen=True, slots=True)
class _Parts:
    """A date of which the year may be missing: 0."""

    year: int
    month: int
    day: int


def _parts(text: str, month: int = 0) -> _Parts | None:
    """
    The parts of a typed date.

    :param month: what a lone figure is a day of; 0: it is no date.
    """
    try:
        whole = read_day(text)
    except Unreadable:
        pass
    else:
        return _Parts(whole.year, whole.month, whole.day)
    found = PARTS.fullmatch(text.strip())
    if found is None or (found[2] is None and not month):
        return None
    if found[2] is None:
        return _Parts(0, month, int(found[1]))
    first, second = int(found[1]), int(found[2])
    day, of = (first, second) if order() == "dmY" else (second, first)
    return _Parts(0, of, day)


def _date(parts: _Parts, year: int) -> date | None:
    try:
        return date(year, parts.month, parts.day)
    except ValueError:
        return None
