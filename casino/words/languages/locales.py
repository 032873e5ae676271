"""
Writes figures, dates, times and lengths of time as a house does, through Django's formats.

The order of a date and the marks of a number follow the house's locale, whoever reads; words in a
date (months) are in the reader's language. The ledger, the API and files for programs do not use
this module.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from django.core.exceptions import ValidationError
from django.utils import dateformat, numberformat, timezone, translation
from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.words.languages import spelling

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

USUAL: Final = "en-GB"
LOCALES: Final[Mapping[str, str]] = {
    "en-GB": "22 November 2026 · 22/11/2026 · 20:14 · 1,234 (en-GB)",
    "it-IT": "22 novembre 2026 · 22/11/2026 · 20:14 · 1.234 (it-IT)",
    "en-US": "November 22, 2026 · 11/22/2026 · 8:14 p.m. · 1,234 (en-US)",
    "de-DE": "22. November 2026 · 22.11.2026 · 20:14 · 1.234 (de-DE)",
    "fr-FR": "22 novembre 2026 · 22/11/2026 · 20:14 · 1 234 (fr-FR)",
    "es-ES": "22 de noviembre de 2026 · 22/11/2026 · 20:14 · 1 234 (es-ES)",
}
"""The locales that a house may choose, each with examples of how it looks."""

SIGN_FIRST: Final = frozenset({"en-GB", "en-US"})
"""The locales that write the sign of a currency before the number: €50.00 (CLDR)."""

SMALL_MONTHS: Final = frozenset({"it", "fr", "es"})
"""Languages that write months and days of the week in lower case, which Django does not."""
NO_BREAK: Final = "\N{NO-BREAK SPACE}"
MINUS: Final = "\N{MINUS SIGN}"
Moment: TypeAlias = datetime | date | time

_used: ContextVar[str] = ContextVar("locale_of_the_house", default=USUAL)
_today: ContextVar[date | None] = ContextVar("today", default=None)


def check_locale(locale: str) -> None:
    """:raises ValidationError: if the locale is not one of `LOCALES`."""
    if locale not in LOCALES:
        raise ValidationError(
            "%(locale)s is not known; one of %(known)s.",
            params={"locale": locale, "known": ", ".join(LOCALES)},
        )


def use(locale: str, symbol: str = "", digits: int = 0, *, code: str = "") -> None:
    """
    Show figures, dates and amounts in this locale until the end of the request.

    :param symbol: the sign of the house's currency.
    :param digits: the decimals of its smallest coin.
    :param code: the currency's code of ISO 4217; "" for a coin of the house's own, whose sign
        stands behind the number in every locale.
    """
    known = locale if locale in LOCALES else USUAL
    _used.set(known)
    first = bool(code) and known in SIGN_FIRST
    spelling.use(partial(_spelling, known, symbol, digits, first))


def _spelling(locale: str, symbol: str, digits: int, first: bool) -> spelling.Spelling:  # noqa: FBT001
    return _spelling_of(locale, symbol, digits, first, translation.get_language() or USUAL)


@lru_cache(maxsize=256)
def _spelling_of(
    locale: str,
    symbol: str,
    digits: int,
    first: bool,  # noqa: FBT001 - part of a key
    language: str,
) -> spelling.Spelling:
    marks, own = marks_in(locale), marks_in(language)
    return (symbol, digits, *marks, first, own if own != marks else None)


def use_today(day: date | None) -> None:
    """Until the request ends, today is this gaming day of the house; None: that of its clock."""
    _today.set(day)


def today() -> date:
    return _today.get() or timezone.localdate()


@contextmanager
def use_within(locale: str, symbol: str, digits: int, *, code: str) -> Iterator[None]:
    """Like `use`, until the end of the block."""
    before, spelled = current(), spelling.spelling()
    use(locale, symbol, digits, code=code)
    try:
        yield
    finally:
        _used.set(before)
        spelling.use(lambda: spelled)


@contextmanager
def decimals(digits: int) -> Iterator[None]:
    """Read and write amounts with so many decimals, instead of those of the house."""
    before = spelling.spelling()
    symbol, _digits, point, thousands, first, person = before
    spelling.use(lambda: (symbol, digits, point, thousands, first, person))
    try:
        yield
    finally:
        spelling.use(lambda: before)


def marks_in(language: str) -> spelling.Marks:
    """The decimal mark and the mark of thousands of a locale or language."""
    mark, thousands = (
        str(get_format(name, lang=language, use_l10n=True))
        for name in ("DECIMAL_SEPARATOR", "THOUSAND_SEPARATOR")
    )
    return mark, thousands


def current() -> str:
    return _used.get()


def number(amount: int) -> str:
    """A whole number with separated thousands: `1234` is "1,234" or "1.234"."""
    return _group(str(amount), 0)


def with_sign(amount: int) -> str:
    """Like `number`; negative numbers have a real minus sign, which is as wide as a plus."""
    return f"{MINUS if amount < 0 else ''}{number(abs(amount))}"


def with_places(value: Fraction, places: int) -> str:
    """A fraction with `places` decimals and a point, rounded once and half to even."""
    whole, parts = divmod(round(abs(value) * 10**places), 10**places)
    return f"{'-' if value < 0 else ''}{whole}.{parts:0{places}}"


def decimal(value: float | Fraction, places: int) -> str:
    """A decimal number: `1.5` to two places is "1.50" or "1,50". For shares, never for money."""
    size = abs(value)
    figures = with_places(size, places) if isinstance(size, Fraction) else f"{size:.{places}f}"
    below = value < 0 and any(figure not in "0." for figure in figures)
    return f"{MINUS if below else ''}{_group(figures, places)}"


def _group(figures: str, places: int) -> str:
    """A number as Python writes it, with the marks of the house's locale inserted."""
    return numberformat.format(
        figures,
        decimal_mark(),
        decimal_pos=places,
        grouping=_format("NUMBER_GROUPING"),
        thousand_sep=_format("THOUSAND_SEPARATOR"),
        force_grouping=True,
        use_l10n=True,
    )


def without_groups(written: str) -> str:
    """A number without separators of thousands: "1.234" is "1234"; other texts stay unchanged."""
    plain = re.sub(r"\s", " ", written.strip())
    mark = re.escape(re.sub(r"\s", " ", str(_format("THOUSAND_SEPARATOR"))))
    if re.fullmatch(rf"[-{MINUS}]?[0-9]{{1,3}}(?:(?:{mark}| )[0-9]{{3}})+", plain):
        plain = re.sub(rf"{mark}| ", "", plain)
    return plain.replace(MINUS, "-")


def decimal_mark() -> str:
    """The decimal separator: "." or ","."""
    return str(_format("DECIMAL_SEPARATOR"))


def day(of: Moment) -> str:
    """A date: 22 November 2026."""
    return _write(of, _format("DATE_FORMAT"))


def weekday(of: Moment) -> str:
    """A date with its day of the week: Sun 22 November 2026."""
    return _write(of, f"D {_format('DATE_FORMAT')}")


def day_of_year(of: Moment) -> str:
    """A date without its year: 22 November."""
    return _write(of, _format("MONTH_DAY_FORMAT"))


def weekday_of_year(of: Moment) -> str:
    """A date with its day of the week and without its year: Sun 22 November."""
    return _write(of, f"D {_format('MONTH_DAY_FORMAT')}")


def short_day(of: Moment) -> str:
    """A short date without its year: 22 Nov."""
    return _write(of, _format("MONTH_DAY_FORMAT").replace("F", "M"))


def figures_of_day(of: Moment) -> str:
    """A date in figures: 22/11/2026."""
    return _write(of, _format("SHORT_DATE_FORMAT"))


def clock(of: Moment) -> str:
    """A time: 20:14; with its zone, 02:30 CET, in the hour that a clock change repeats."""
    return f"{_write(of, _format('TIME_FORMAT'))}{_which(of)}"


def clock_to_seconds(of: Moment) -> str:
    """A time with seconds: 20:14:09."""
    return f"{_write(of, _format('TIME_FORMAT').replace('i', 'i:s'))}{_which(of)}"


def _which(of: Moment) -> str:
    """The zone's abbreviation if this time comes twice because the clock is put back, else ""."""
    if not (isinstance(of, datetime) and timezone.is_aware(of)):
        return ""
    at = timezone.localtime(of)
    first, second = (at.replace(fold=each).utcoffset() or timedelta(0) for each in (0, 1))
    return f" {at:%Z}" if first > second else ""


def moment(of: datetime) -> str:
    """A date and time in figures: 22/11/2026 20:14."""
    return f"{figures_of_day(of)} {clock(of)}"


def short_moment(of: datetime) -> str:
    """A short date and time: 22 Nov 20:14."""
    return f"{short_day(of)} {clock(of)}"


def short_moment_to_seconds(of: datetime) -> str:
    """A short date and time with seconds: 22 Nov 20:14:09."""
    return f"{short_day(of)} {clock_to_seconds(of)}"


def long_moment(of: datetime) -> str:
    """A long date and time: 22 November 2026, 20:14."""
    return f"{day(of)}, {clock(of)}"


def long_moment_to_seconds(of: datetime) -> str:
    """A long date and time with seconds: 22 November 2026, 20:14:09."""
    return f"{day(of)}, {clock_to_seconds(of)}"


def moment_of_year(of: datetime) -> str:
    """A date without its year, and time: 22 November 20:14."""
    return f"{day_of_year(of)} {clock(of)}"


def weekday_moment(of: datetime) -> str:
    """A date with its day of the week, and time: Sun 22 November 2026 20:14."""
    return f"{weekday(of)} {clock(of)}"


def weekday_short_moment(of: datetime) -> str:
    """A short date with its day of the week, and time: Sun 22 Nov 20:14."""
    return f"{_write(of, 'D')} {short_moment(of)}"


def _format(name: str) -> Any:
    return get_format(name, lang=_used.get(), use_l10n=True)


def _write(of: Moment, form: str) -> str:
    if isinstance(of, time):
        return dateformat.time_format(of, form)
    if isinstance(of, datetime) and timezone.is_aware(of):
        of = timezone.localtime(of)
    written = dateformat.format(of, form)
    return written.lower() if translation.get_language() in SMALL_MONTHS else written


# Lengths of time in words, in the largest unit that fits.


MINUTE, HOUR, DAY = 60, 60 * 60, 24 * 60 * 60


def duration(time: timedelta, *, units: int = 1) -> str:
    """
    A length of time in words: "2 hours".

    :param units: with 2, what is left over is said in the next smaller unit: "2 hours 5 minutes".
    """
    seconds = max(0, int(time.total_seconds()))
    counts = {
        DAY: ngettext("%(n)s day", "%(n)s days", seconds // DAY),
        HOUR: ngettext("%(n)s hour", "%(n)s hours", seconds % DAY // HOUR),
        MINUTE: ngettext("%(n)s minute", "%(n)s minutes", seconds % HOUR // MINUTE),
        1: ngettext("%(n)s second", "%(n)s seconds", seconds % MINUTE),
    }
    sizes = [size for size in counts if seconds >= size or size == 1][:units]
    said: list[str] = []
    for size in sizes:
        number, seconds = divmod(seconds, size)
        if number or not said:
            said.append(counts[size] % {"n": number})
    return " ".join(said)


def time_ago(since: timedelta) -> str:
    """A time ago in words."""
    return _("%(length)s ago") % {"length": duration(since)} if since.total_seconds() >= 1 else (
        _("just now")
    )  # fmt: skip


def duration_in_english(time: timedelta) -> str:
    """For operators, whose sentences are English."""
    with translation.override("en"):
        return duration(time)
