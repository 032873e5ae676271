"""
Figures, dates and times as a house writes them, through Django's formats.

The order of a date and the marks of a number are the house's, whoever reads; the words in it (the
months) are the reader's. Nothing here reaches the ledger, the API or a file that a program reads.
"""

from __future__ import annotations

import re
from contextvars import ContextVar
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from django.core.exceptions import ValidationError
from django.utils import dateformat, numberformat, timezone, translation
from django.utils.formats import get_format

from casino.languages import spelling

if TYPE_CHECKING:
    from collections.abc import Mapping

USUAL: Final = "en-GB"
LOCALES: Final[Mapping[str, str]] = {
    "en-GB": "22 November 2026 · 22/11/2026 · 20:14 · 1,234 (en-GB)",
    "it-IT": "22 novembre 2026 · 22/11/2026 · 20:14 · 1.234 (it-IT)",
    "en-US": "November 22, 2026 · 11/22/2026 · 8:14 p.m. · 1,234 (en-US)",
    "de-DE": "22. November 2026 · 22.11.2026 · 20:14 · 1.234 (de-DE)",
    "fr-FR": "22 novembre 2026 · 22/11/2026 · 20:14 · 1 234 (fr-FR)",
    "es-ES": "22 de noviembre de 2026 · 22/11/2026 · 20:14 · 1 234 (es-ES)",
}
"""The locales that a house may choose, each by what it looks like."""

SIGN_FIRST: Final = frozenset({"en-GB", "en-US"})
"""The locales that write the sign of a currency before the number: €50.00 (CLDR)."""

SMALL_MONTHS: Final = frozenset({"it", "fr", "es"})
"""The languages that write months and days of the week small, which Django does not."""
NO_BREAK: Final = "\N{NO-BREAK SPACE}"
MINUS: Final = "\N{MINUS SIGN}"
Moment: TypeAlias = datetime | date | time

_used: ContextVar[str] = ContextVar("locale_of_the_house", default=USUAL)


def known_locale(locale: str) -> None:
    """:raises ValidationError: if nothing here says how this one writes."""
    if locale not in LOCALES:
        raise ValidationError(
            "%(locale)s is not known; one of %(known)s.",
            params={"locale": locale, "known": ", ".join(LOCALES)},
        )


def use(locale: str, symbol: str = "", digits: int = 0, *, code: str = "") -> None:
    """
    From here to the end of the request, figures, dates and amounts are shown in this locale.

    :param symbol: of the house's currency. :param digits: decimals of its smallest coin.
    :param code: of the currency by ISO 4217, "" for a coin of the house's own, which has its sign
        behind the number in every locale.
    """
    known = locale if locale in LOCALES else USUAL
    _used.set(known)
    marks = marks_in(known)
    first = bool(code) and known in SIGN_FIRST
    spelling.use((symbol, digits, *marks, first, _other(marks)))


def marks_in(language: str) -> spelling.Marks:
    """The decimal mark and the mark of thousands of a locale or language."""
    mark, thousands = (
        str(get_format(name, lang=language, use_l10n=True))
        for name in ("DECIMAL_SEPARATOR", "THOUSAND_SEPARATOR")
    )
    return mark, thousands


def _other(marks: spelling.Marks) -> spelling.Marks | None:
    """Those of the reader's language, if they write otherwise than the house does."""
    own = marks_in(translation.get_language() or USUAL)
    return own if own != marks else None


def current() -> str:
    return _used.get()


def number(amount: int) -> str:
    """`1234` is "1,234" or "1.234"."""
    return _grouped(str(amount), 0)


def signed(amount: int) -> str:
    """As `number`; below zero with a minus that is as wide as a plus."""
    return f"{MINUS if amount < 0 else ''}{number(abs(amount))}"


def decimal(value: float, places: int) -> str:
    """`1.5` to two places is "1.50" or "1,50"; for shares and ratios, never for money."""
    figures = f"{abs(value):.{places}f}"
    below = value < 0 and any(figure not in "0." for figure in figures)
    return f"{MINUS if below else ''}{_grouped(figures, places)}"


def _grouped(figures: str, places: int) -> str:
    """Python's own spelling of a number, with the house's marks in it."""
    return numberformat.format(
        figures,
        decimal_mark(),
        decimal_pos=places,
        grouping=_format("NUMBER_GROUPING"),
        thousand_sep=_format("THOUSAND_SEPARATOR"),
        force_grouping=True,
        use_l10n=True,
    )


def ungrouped(written: str) -> str:
    """What `number` wrote, or somebody by hand: "1.234" is "1234"; anything else stays."""
    plain = re.sub(r"\s", " ", written.strip())
    mark = re.escape(re.sub(r"\s", " ", str(_format("THOUSAND_SEPARATOR"))))
    if re.fullmatch(rf"[-{MINUS}]?[0-9]{{1,3}}(?:(?:{mark}| )[0-9]{{3}})+", plain):
        plain = re.sub(rf"{mark}| ", "", plain)
    return plain.replace(MINUS, "-")


def decimal_mark() -> str:
    """What stands before the decimals: "." or ","."""
    return str(_format("DECIMAL_SEPARATOR"))


def day(of: Moment) -> str:
    """22 November 2026."""
    return _written(of, _format("DATE_FORMAT"))


def weekday(of: Moment) -> str:
    """Sun 22 November 2026."""
    return _written(of, f"D {_format('DATE_FORMAT')}")


def day_of_year(of: Moment) -> str:
    """22 November."""
    return _written(of, _format("MONTH_DAY_FORMAT"))


def weekday_of_year(of: Moment) -> str:
    """Sun 22 November."""
    return _written(of, f"D {_format('MONTH_DAY_FORMAT')}")


def short_day(of: Moment) -> str:
    """22 Nov."""
    return _written(of, _format("MONTH_DAY_FORMAT").replace("F", "M"))


def figures_of_day(of: Moment) -> str:
    """22/11/2026."""
    return _written(of, _format("SHORT_DATE_FORMAT"))


def clock(of: Moment) -> str:
    """20:14; 02:30 CET in an hour that a night has twice."""
    return f"{_written(of, _format('TIME_FORMAT'))}{_which(of)}"


def clock_to_seconds(of: Moment) -> str:
    """20:14:09."""
    return f"{_written(of, _format('TIME_FORMAT').replace('i', 'i:s'))}{_which(of)}"


def _which(of: Moment) -> str:
    """Which of the two it is, where the house's clock is put back and shows a time twice."""
    if not (isinstance(of, datetime) and timezone.is_aware(of)):
        return ""
    at = timezone.localtime(of)
    first, second = (at.replace(fold=each).utcoffset() or timedelta(0) for each in (0, 1))
    return f" {at:%Z}" if first > second else ""


def moment(of: datetime) -> str:
    """22/11/2026 20:14."""
    return f"{figures_of_day(of)} {clock(of)}"


def short_moment(of: datetime) -> str:
    """22 Nov 20:14."""
    return f"{short_day(of)} {clock(of)}"


def short_moment_to_seconds(of: datetime) -> str:
    """22 Nov 20:14:09."""
    return f"{short_day(of)} {clock_to_seconds(of)}"


def long_moment(of: datetime) -> str:
    """22 November 2026, 20:14."""
    return f"{day(of)}, {clock(of)}"


def long_moment_to_seconds(of: datetime) -> str:
    """22 November 2026, 20:14:09."""
    return f"{day(of)}, {clock_to_seconds(of)}"


def moment_of_year(of: datetime) -> str:
    """22 November 20:14."""
    return f"{day_of_year(of)} {clock(of)}"


def weekday_moment(of: datetime) -> str:
    """Sun 22 November 2026 20:14."""
    return f"{weekday(of)} {clock(of)}"


def weekday_short_moment(of: datetime) -> str:
    """Sun 22 Nov 20:14."""
    return f"{_written(of, 'D')} {short_moment(of)}"


def _format(name: str) -> Any:
    return get_format(name, lang=_used.get(), use_l10n=True)


def _written(of: Moment, form: str) -> str:
    if isinstance(of, time):
        return dateformat.time_format(of, form)
    if isinstance(of, datetime) and timezone.is_aware(of):
        of = timezone.localtime(of)
    written = dateformat.format(of, form)
    return written.lower() if translation.get_language() in SMALL_MONTHS else written
