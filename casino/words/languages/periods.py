"""
Periods of days as people name or type them: last week, 22/11 - 24/11, last 7 days.

Those that have a name are gaming days: today is the one that is open. A week begins on the day
that the house's locale has.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from casino.words.languages import dates

if TYPE_CHECKING:
    from collections.abc import Callable

A_DAY: Final = timedelta(days=1)
DAYS_OF_WEEK: Final = 7
DAYS_MOST: Final = 3660  # that "last … days" goes back
BETWEEN: Final = re.compile(r"\s*(?:\N{EN DASH}|\N{EM DASH}|…|\.\.\.?)\s*|\s+-\s+")
PARTS: Final = re.compile(r"([0-9]{1,2})(?:[./\- ]([0-9]{1,2}))?[./]?")
LAST_DAYS: Final = gettext_noop("last {days} days")
ENGLISH: Final = "en"
TITLES: Final = {
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


def by_name(name: str, today: date) -> Days:
    """The period of one of the names of `TITLES`, as of `today`."""
    first = today - (today.isoweekday() - dates.first_weekday()) % DAYS_OF_WEEK * A_DAY
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


def example() -> str:
    """Examples of periods as people type them: 22/11 - 24/11, last 7 days."""
    first, last = (
        re.sub(r"\W?2026\W?", "", dates.type_day(date(2026, 11, day))) for day in (22, 24)
    )
    return f"{first} \N{EN DASH} {last}, {_(LAST_DAYS).format(days=7)}"


def read_typed(text: str, today: date) -> Days | None:
    """
    The period that somebody typed; None if the text is none.

    "22/11 - 24/11" and "22 - 24/11" are of the last year in which they began before `today`.
    """
    return in_words(text, today) or _first(_from_to, text, today)


def in_words(text: str, today: date) -> Days | None:
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
    names = {str(title).casefold(): name for name, title in TITLES.items()}
    name = names.get(text.casefold())
    return by_name(name, today) if name else None


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
        whole = dates.read_day(text)
    except dates.Unreadable:
        pass
    else:
        return _Parts(whole.year, whole.month, whole.day)
    found = PARTS.fullmatch(text.strip())
    if found is None or (found[2] is None and not month):
        return None
    if found[2] is None:
        return _Parts(0, month, int(found[1]))
    first, second = int(found[1]), int(found[2])
    day, of = (first, second) if dates.order() == "dmY" else (second, first)
    return _Parts(0, of, day)


def _date(parts: _Parts, year: int) -> date | None:
    try:
        return date(year, parts.month, parts.day)
    except ValueError:
        return None
