"""Dates and times in fields: read as the house writes them, in ISO always, else refused."""

from __future__ import annotations

import ast
import re
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from django import forms
from django.utils import timezone, translation
from hypothesis import given
from hypothesis import strategies as st

from casino.words.languages import dates, locales
from casino.words.languages.dates import Days
from casino.words.languages.fields import ClockField, DayField, MomentField

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROME = ZoneInfo("Europe/Rome")
A_SUNDAY = date(2026, 11, 22)
EN_DASH = "\N{EN DASH}"


@pytest.fixture(autouse=True)
def _in_rome() -> Iterator[None]:
    locales.use(locales.USUAL)
    with timezone.override(ROME), translation.override("en"):
        yield
    locales.use(locales.USUAL)


# fmt: off
DAYS = [
    # locale,  typed
    ("en-GB", "22/11/2026"), ("en-GB", "22.11.2026"), ("en-GB", "22-11-26"),
    ("en-GB", " 22 11 2026 "), ("en-US", "11-22-26"), ("de-DE", "2026-11-22"),
    ("it-IT", "22/11/2026"), ("de-DE", "22.11.2026"), ("fr-FR", "22/11/2026"),
    ("es-ES", "22/11/26"), ("en-US", "11/22/2026"), ("en-US", "2026-11-22"),
]
CLOCKS = [
    ("20:14", time(20, 14)), ("20.14", time(20, 14)), ("20h14", time(20, 14)),
    ("8:14 pm", time(20, 14)),
    ("8:14 p.m.", time(20, 14)), ("8 pm", time(20)), ("12 am", time(0)), ("12:30 PM", time(12, 30)),
    ("08:14", time(8, 14)), ("20:14:09", time(20, 14, 9)),
]
REFUSED: list[tuple[str, Callable[[str], object], str, str]] = [
    ("en-GB", dates.read_day, "soon",       "“soon” is not a date. Write it as in 22/11/2026."),
    ("en-US", dates.read_day, "22/11/2026",
     "“22/11/2026”: there is no month 22. Write the date as in 11/22/2026."),
    ("de-DE", dates.read_day, "31.11.2026",
     "“31.11.2026”: that month has no day 31. Write the date as in 22.11.2026."),
    ("en-GB", dates.read_clock, "25:00",    "“25:00” is not a time. Write it as in 20:14."),
    ("en-US", dates.read_clock, "13 pm",    "“13 pm” is not a time. Write it as in 8:14 p.m.."),
    ("en-GB", dates.read_clock, "8",        "“8” is not a time. Write it as in 20:14."),
    ("en-GB", dates.read_moment, "22/11/2026",
     "“22/11/2026” has no time. Write it as in 22/11/2026 20:14."),
    ("en-GB", dates.read_moment, "now",
     "“now” is not a date and time. Write it as in 22/11/2026 20:14."),
    ("en-GB", dates.read_moment, "25/10/2026 02:30",
     ("“25/10/2026 02:30” comes twice: the clock is put back."
      " Write 25/10/2026 02:30 CEST or 25/10/2026 02:30 CET.")),
    ("en-GB", dates.read_moment, "29/3/2026 02:30",
     "“29/3/2026 02:30” never comes: the clock is put forward over it."),
    ("en-GB", dates.read_moment, "25/10/2026 02:30 EST",
     "“25/10/2026 02:30 EST”: the house's clock does not show EST then, but CEST / CET."),
    ("en-GB", dates.read_moment, "0001-01-01 00:00 +23:00",
     "“0001-01-01 00:00 +23:00” is not a date and time. Write it as in 22/11/2026 20:14."),
]
MOMENTS = [
    ("en-GB", "22/11/2026 20:14",           datetime(2026, 11, 22, 19, 14, tzinfo=UTC)),
    ("en-GB", "2026-11-22T20:14",           datetime(2026, 11, 22, 19, 14, tzinfo=UTC)),
    ("en-GB", "2026-11-22T20:14+00:00",     datetime(2026, 11, 22, 20, 14, tzinfo=UTC)),
    ("en-GB", "2026-11-22T20:14Z",          datetime(2026, 11, 22, 20, 14, tzinfo=UTC)),
    ("en-GB", "22/11/2026, 20:14 CET",      datetime(2026, 11, 22, 19, 14, tzinfo=UTC)),
    ("en-US", "11/22/2026 8:14 pm",         datetime(2026, 11, 22, 19, 14, tzinfo=UTC)),
    ("de-DE", "22.11.2026 20.14",           datetime(2026, 11, 22, 19, 14, tzinfo=UTC)),
    ("en-GB", "25/10/2026 02:30 CEST",      datetime(2026, 10, 25, 0, 30, tzinfo=UTC)),
    ("en-GB", "25/10/2026 02:30 cet",       datetime(2026, 10, 25, 1, 30, tzinfo=UTC)),
    ("en-US", "10/25/2026 2:30 a.m. CET",   datetime(2026, 10, 25, 1, 30, tzinfo=UTC)),
    ("en-GB", "2026-10-25T02:30+01:00",     datetime(2026, 10, 25, 1, 30, tzinfo=UTC)),
]
PERIODS = [
    # locale, typed on Sunday 22 November 2026,       days
    ("en-GB", f"1/11 {EN_DASH} 20/11",               Days(date(2026, 11, 1), date(2026, 11, 20))),
    ("en-GB", "1 - 20/11",                           Days(date(2026, 11, 1), date(2026, 11, 20))),
    ("en-GB", "1/12 - 24/12",                        Days(date(2025, 12, 1), date(2025, 12, 24))),
    ("en-GB", "28/12 to 3/1",                        Days(date(2025, 12, 28), date(2026, 1, 3))),
    ("en-GB", "28/12 - 3/1/2024",                    Days(date(2023, 12, 28), date(2024, 1, 3))),
    ("en-GB", "2026-11-01..2026-11-03",              Days(date(2026, 11, 1), date(2026, 11, 3))),
    ("en-US", f"11/1{EN_DASH}11/20/2026",            Days(date(2026, 11, 1), date(2026, 11, 20))),
    ("de-DE", f"1.11. {EN_DASH} 20.11.",             Days(date(2026, 11, 1), date(2026, 11, 20))),
    ("en-GB", "last 7 days",                         Days(date(2026, 11, 16), date(2026, 11, 22))),
    ("en-GB", "Yesterday",                           Days(date(2026, 11, 21), date(2026, 11, 21))),
    ("en-GB", "this week",                           Days(date(2026, 11, 16), date(2026, 11, 22))),
    ("en-US", "this week",                           Days(date(2026, 11, 22), date(2026, 11, 28))),
    ("en-US", "last week",                           Days(date(2026, 11, 15), date(2026, 11, 21))),
    ("en-GB", "this month",                          Days(date(2026, 11, 1), date(2026, 11, 30))),
    ("en-GB", "last month",                          Days(date(2026, 10, 1), date(2026, 10, 31))),
    ("en-GB", "22/11/2026",                          None),
    ("en-GB", "2026-11-22",                          None),
    ("en-GB", "last 0 days",                         None),
    ("en-GB", "31/11 - 1/12",                        None),
    ("en-GB", "",                                    None),
]
# fmt: on


@pytest.mark.parametrize(("locale", "typed"), DAYS)
def test_a_day_is_read_as_the_house_writes_it(locale: str, typed: str) -> None:
    locales.use(locale)

    assert dates.read_day(typed) == A_SUNDAY


@pytest.mark.parametrize(("typed", "meant"), CLOCKS)
@pytest.mark.parametrize("locale", ["en-GB", "en-US"])
def test_a_time_is_read_with_twelve_hours_or_twentyfour(
    locale: str, typed: str, meant: time
) -> None:
    locales.use(locale)

    assert dates.read_clock(typed) == meant


@pytest.mark.parametrize(("locale", "typed", "meant"), MOMENTS)
def test_a_moment_is_of_the_house_clock(locale: str, typed: str, meant: datetime) -> None:
    locales.use(locale)

    assert dates.read_moment(typed).astimezone(UTC) == meant


@pytest.mark.parametrize(("locale", "read", "typed", "why"), REFUSED)
def test_what_cannot_be_read_is_told_with_an_example(
    locale: str, read: Callable[[str], object], typed: str, why: str
) -> None:
    locales.use(locale)

    with pytest.raises(dates.Unreadable) as refused:
        read(typed)

    assert str(refused.value) == why


@pytest.mark.parametrize(("locale", "typed", "meant"), PERIODS)
def test_a_period_is_read(locale: str, typed: str, meant: Days | None) -> None:
    locales.use(locale)

    assert dates.read_period(typed, A_SUNDAY) == meant


@given(
    at=st.datetimes(
        min_value=datetime(1900, 1, 1),  # noqa: DTZ001 - in Rome
        max_value=datetime(2999, 1, 1),  # noqa: DTZ001
        timezones=st.just(ROME),
    ),
    locale=st.sampled_from(sorted(locales.LOCALES)),
)
def test_what_a_field_shows_it_reads_again(at: datetime, locale: str) -> None:
    """In both hours of the night in which the clock is put back, too."""
    at = at.astimezone(UTC).replace(microsecond=0)
    here = at.astimezone(ROME)
    locales.use(locale)
    fields: list[tuple[Any, Any]] = [
        (DayField(), here.date()), (MomentField(), at), (ClockField(), here.time()),
    ]  # fmt: skip
    for field, value in fields:
        shown = field.prepare_value(value)
        assert field.clean(shown) == value
        assert field.prepare_value(shown) == shown
        assert field.clean(field.in_address(value)) == value
        assert field.prepare_value(field.in_address(value)) == shown


class WhenForm(forms.Form):
    day = DayField()
    at = MomentField(required=False)
    clock = ClockField()


def test_a_field_shows_the_house_spelling_and_what_was_wrong() -> None:
    locales.use("en-US")
    form = WhenForm({"day": "2026-11-22", "at": "22/11/2026", "clock": "20:14"})

    assert 'value="11/22/2026"' in str(form["day"])
    assert 'value="8:14 p.m."' in str(form["clock"])
    assert 'placeholder="11/22/2026 8:14 p.m."' in str(form["at"])
    assert 'value="22/11/2026"' in str(form["at"])
    assert 'aria-invalid="true"' in str(form["at"])


def test_a_form_that_nobody_changed_has_not_changed() -> None:
    initial = {
        "day": A_SUNDAY, "at": datetime(2026, 10, 25, 1, 30, tzinfo=UTC), "clock": time(6),
    }  # fmt: skip
    form = WhenForm(initial=initial)
    sent = {field.name: field.value() for field in form}

    assert sent["at"] == "25/10/2026 02:30 CET"
    assert not WhenForm(sent, initial=initial).has_changed()


CASINO = Path(dates.__file__).resolve().parents[1]
A_DAY = re.compile(r"\{[\w.]*\b(?:day|since|until|draining|closing|day_cutoff)(?::[^}]*)?\}")
OF_PROGRAMS = frozenset({"api.py", "verify_ledger.py"})
"""Who reads these refusals wrote the days in ISO 8601, in a query or on a command line."""


def test_a_refusal_writes_days_as_the_house_does() -> None:
    """The name of a day, of a moment or of their time stands in no refusal as it is."""
    modules = {path: path.read_text() for path in CASINO.rglob("*.py")}
    found = [
        (path.name, ast.unparse(hole))
        for path, text in modules.items()
        if path.name not in OF_PROGRAMS and A_DAY.search(text)
        for refusal in ast.walk(ast.parse(text))
        if isinstance(refusal, ast.Raise)
        for hole in ast.walk(refusal)
        if isinstance(hole, ast.JoinedStr) and A_DAY.search(ast.unparse(hole))
    ]
    assert found == []
