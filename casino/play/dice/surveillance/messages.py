"""Texts for people: evidence as odds, detectable tilts, entry lags, names of streams."""

from __future__ import annotations

from functools import lru_cache
from math import floor, log10
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from casino.kit.web.plots.charts import MANY, power
from casino.play.dice.surveillance.e_values import smallest_tilt, throws_needed
from casino.play.dice.surveillance.models import Kind
from casino.words.languages.locales import decimal, number

LOG10_E_SHOWN_MIN: Final = log10(2)  # less than two to one is shown as none
KINDS: Final = {
    Kind.HOUSE: gettext_lazy("The house"),
    Kind.SET: gettext_lazy("Dice sets"),
    Kind.TABLE: gettext_lazy("Tables"),
    Kind.PLAYER: gettext_lazy("Throwers"),
    Kind.ATTENDANT: gettext_lazy("Attendants"),
}
"""The kinds of owners of streams, in the plural."""
SLIGHT_TILT, GROSS_TILT = 1.1, 1.5  # the examples in `power_sentence`


def odds(value: float) -> str:
    """The odds of a log10 e-value: "1 400 to 1"."""
    if value < LOG10_E_SHOWN_MIN:
        return pgettext("feminine", "none")
    if value >= MANY:
        return _("%(times)s to 1") % {"times": power(floor(value))}
    exact = round(10.0**value)
    rounded = round(exact, 2 - len(str(exact)))  # to two digits
    return _("%(times)s to 1") % {"times": number(rounded)}


def detectable_tilt_text(sides: int, throws: int, alpha: float) -> str:
    """The minimum detectable tilt for so many throws, as a text."""
    tilt = smallest_tilt_of(sides, throws, alpha)
    if tilt is None:
        return _("nothing yet")
    return _("a face %(times)s times as often") % {"times": decimal(tilt, 2)}


def power_sentence(sides: int, throws: int, alpha: float) -> str:
    """What tilt these throws can detect, and how many throws two examples would take."""
    figures = {
        "throws": number(throws),
        "sides": sides,
        "slight": number(round(throws_needed_of(sides, SLIGHT_TILT, alpha), -2)),
        "gross": number(round(throws_needed_of(sides, GROSS_TILT, alpha), -1)),
    }
    tilt = smallest_tilt_of(sides, throws, alpha)
    if tilt is None:
        return (
            ngettext(
                "With %(throws)s throw not even a d%(sides)s that always shows one face would be"
                " told from a fair one. One whose face comes 50 %% too often is told after some"
                " %(gross)s throws, one 10 %% too often after some %(slight)s.",
                "With %(throws)s throws not even a d%(sides)s that always shows one face would be"
                " told from a fair one. One whose face comes 50 %% too often is told after some"
                " %(gross)s throws, one 10 %% too often after some %(slight)s.",
                throws,
            )
            % figures
        )
    return _(
        "With %(throws)s throws a face that comes %(times)s times as often as it should would show,"
        " more often than not; a lighter loading hides in chance. A face 50 %% too frequent takes"
        " some %(gross)s throws of a d%(sides)s, one 10 %% too frequent some %(slight)s."
    ) % {**figures, "times": f"{tilt:.2f}"}


@lru_cache(maxsize=4096)
def smallest_tilt_of(sides: int, throws: int, alpha: float) -> float | None:
    return smallest_tilt(sides, throws, alpha)


@lru_cache(maxsize=32)
def throws_needed_of(sides: int, tilt: float, alpha: float) -> int:
    return throws_needed(sides, tilt, alpha)


def kind_title(kind: str) -> str:
    """The kind of the owners of streams, in the plural."""
    return str(KINDS[Kind(kind)])


def kind_word(kind: str) -> str:
    """The kind of one owner; empty if the display name says it."""
    words = {Kind.TABLE: _("table"), Kind.PLAYER: _("thrower"), Kind.ATTENDANT: _("attendant")}
    return words.get(Kind(kind), "")


def display_name(kind: str, name: str) -> str:
    """The display name of an owner: "Set S1", "Table 3", "Ada"."""
    if kind == Kind.HOUSE:
        return _("The house")
    return _("Set %(name)s") % {"name": name} if kind == Kind.SET else name


def lag_text(seconds: int | None, *, has_entries: bool) -> str:
    """A quantile of the entry lag, as a text; "" if there are no entries."""
    if not has_entries:
        return ""
    if seconds is None:
        return _("over an hour")
    if seconds < 60:  # noqa: PLR2004 - a minute
        return _("%(seconds)s s") % {"seconds": seconds}
    return _("%(minutes)s min") % {"minutes": seconds // 60}
