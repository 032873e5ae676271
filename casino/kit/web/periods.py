"""
Periods in forms that ask for days: links that set them, and addresses that stay plain.

What people type in the house's spelling (22/11/2026, "22/11 - 24/11", "last 7 days") becomes
ISO 8601 in the address, by a redirect, so that a kept link says the same in every house's locale
and on every day.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.core.exceptions import ValidationError
from django.forms import HiddenInput
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy

from casino.house.establishments.gaming_day import begins, previous
from casino.words.languages import dates
from casino.words.languages.dates import Days
from casino.words.languages.fields import DayField, MomentField

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django import forms
    from django.http import HttpRequest, HttpResponseRedirect, QueryDict

    from casino.house.establishments.models import Establishment
    from casino.kit.web.pages import Page

SINCE_UNTIL: Final = ("since", "until")
A_DAY: Final = timedelta(days=1)
LAST_GAMING_DAY: Final = gettext_lazy("Last gaming day")
PLACES: Final = frozenset({"cursor", "before", "format", "day", "month", "through"})
"""Parameters that belong to another period, and are left out of an address that sets one."""


@dataclass(frozen=True, slots=True)
class Preset:
    """
    A link that sets a period.

    :param sets: the period alone, as a query string; a form that is sent by POST takes it from
        there by script, and keeps what else was filled in.
    :param chosen: whether the page shows this period.
    """

    title: str
    url: str
    sets: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Presets:
    """
    The links of a form.

    :param typed: examples of periods that the form's first field reads; "": it reads none.
    """

    links: list[Preset]
    typed: str


def presets(
    page: Page,
    fields: Mapping[str, forms.Field],
    pair: tuple[str, str] = SINCE_UNTIL,
    only: str = "",
) -> Presets | None:
    """
    Links that set the period of a form's fields, and keep what else its address asks for.

    All of them are gaming days, from cut-off to cut-off: today is the one that is open.

    :param pair: the names of the fields that a period begins and ends with.
    :param only: the name of a field of one gaming day, for a form that has no such pair.
    :returns: None for a form that asks for no days.
    """
    if not _show(fields, *pair):
        if not _show(fields, only):
            return None
        pair = (only, only)
    offered = dates.PERIODS if pair[0] != pair[1] else ("today",)
    named = {str(dates.PERIODS[name]): dates.period_by_name(name, page.day) for name in offered}
    last = previous(page.house, page.day)
    named[str(LAST_GAMING_DAY)] = Days(last, last)
    links = [
        _preset(
            page.request,
            title,
            dict(zip(pair, _of_gaming_days(page.house, days, fields[pair[0]]), strict=True)),
        )
        for title, days in named.items()
    ]
    return Presets(links, dates.period_example() if pair[0] != pair[1] else "")


def _show(fields: Mapping[str, forms.Field], *names: str) -> bool:
    found = [fields.get(name) for name in names]
    return all(
        isinstance(each, DayField | MomentField) and not isinstance(each.widget, HiddenInput)
        for each in found
    )


def _preset(request: HttpRequest, title: str, ends: dict[str, str]) -> Preset:
    given = request.GET.copy()
    chosen = all(given.get(name) == text for name, text in ends.items())
    for name in PLACES - ends.keys():
        given.pop(name, None)
    for name, text in ends.items():
        given[name] = text
    return Preset(title, f"?{given.urlencode()}", urlencode(ends), chosen)


def _ends(days: Days, field: forms.Field) -> tuple[str, str]:
    """The two ends of typed dates as texts of an address, for fields of days or of moments."""
    if isinstance(field, DayField):
        return days.since.isoformat(), days.until.isoformat()
    zone = timezone.get_current_timezone()
    since = datetime.combine(days.since, time(), tzinfo=zone)
    until = datetime.combine(days.until + A_DAY, time(), tzinfo=zone)
    return dates.iso_moment(since), dates.iso_moment(until)


def _of_gaming_days(house: Establishment, days: Days, field: forms.Field) -> tuple[str, str]:
    if isinstance(field, DayField):
        return days.since.isoformat(), days.until.isoformat()
    since, until = begins(house, days.since), begins(house, days.until + A_DAY)
    return dates.iso_moment(since), dates.iso_moment(until)


# --- Addresses -----------------------------------------------------------------------------------


def plain_address(
    page: Page,
    fields: Mapping[str, forms.Field],
    pair: tuple[str, str] = SINCE_UNTIL,
) -> HttpResponseRedirect | None:
    """
    A redirect to the same page with all days in ISO 8601; None if its address is plain already.

    A text that cannot be read stays as it is, for the form to say so.
    """
    request = page.request
    given = spread(page, request.GET, fields, pair)
    for name, field in fields.items():
        if name in given and isinstance(field, DayField | MomentField):
            given[name] = _plain(field, str(given[name]))
    changed = given.dict() != request.GET.dict()
    return redirect(f"{request.path}?{given.urlencode()}") if changed else None


def spread(
    page: Page,
    sent: QueryDict,
    fields: Mapping[str, forms.Field],
    pair: tuple[str, str] = SINCE_UNTIL,
) -> QueryDict:
    """What was sent, with both ends of a period that was typed into the field of one of them."""
    given = sent.copy()
    if _show(fields, *pair):
        for name in pair:
            _spread(page, given, name, fields[name], pair)
    return given


def _spread(
    page: Page, given: QueryDict, name: str, field: forms.Field, pair: Sequence[str]
) -> None:
    """Set both ends of a period that one field has: "22/11 - 24/11", or a day for moments."""
    text = given.get(name, "")
    ends: tuple[str, str] | None = None
    if days := dates.period_in_words(text, page.day):
        ends = _of_gaming_days(page.house, days, field)
    elif days := dates.read_period(text, page.day):
        ends = _ends(days, field)
    if ends:
        for end, value in zip(pair, ends, strict=True):
            given[end] = value
    elif isinstance(field, MomentField):
        try:
            day = dates.read_day(text)
        except dates.Unreadable:
            return
        given[name] = _ends(Days(day, day), field)[pair.index(name)]


def _plain(field: DayField | MomentField, text: str) -> str:
    try:
        found = field.to_python(text)
    except ValidationError:
        return text
    return "" if found is None else field.in_address(found)
