"""Evidence, power and classes of seconds as people read them."""

from __future__ import annotations

from functools import lru_cache
from math import floor, log10
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.languages.locales import decimal, number
from casino.surveillance.evidence import smallest_tilt, throws_needed
from casino.surveillance.models import Kind
from casino.web.plots.figures import MANY
from casino.web.plots.lines import power

LITTLE: Final = log10(2)  # evidence of less than two to one is as good as none
KINDS: Final = {
    Kind.HOUSE: gettext_lazy("The house"),
    Kind.SET: gettext_lazy("Dice sets"),
    Kind.TABLE: gettext_lazy("Tables"),
    Kind.PLAYER: gettext_lazy("Throwers"),
    Kind.ATTENDANT: gettext_lazy("Attendants"),
}
"""Whose streams there are, in the plural."""
SLIGHT, GROSS = 1.1, 1.5  # times as often as it should be: what a sentence names


def odds(value: float) -> str:
    """`log10` of the evidence: "1 400 to 1"."""
    if value < LITTLE:
        return _("none")
    if value >= MANY:
        return _("%(times)s to 1") % {"times": power(floor(value))}
    exact = round(10.0**value)
    told = round(exact, 2 - len(str(exact)))  # two digits of it are more than it is worth
    return _("%(times)s to 1") % {"times": number(told)}


def could_show(sides: int, throws: int, alpha: float) -> str:
    """What so many throws would have shown, if it were so."""
    tilt = smallest(sides, throws, alpha)
    if tilt is None:
        return _("nothing yet")
    return _("a face %(times)s times as often") % {"times": decimal(tilt, 2)}


def power_sentence(sides: int, throws: int, alpha: float) -> str:
    """What these throws can say about a die, and how many would say more."""
    said = {
        "throws": number(throws),
        "sides": sides,
        "slight": number(round(needed(sides, SLIGHT, alpha), -2)),
        "gross": number(round(needed(sides, GROSS, alpha), -1)),
    }
    tilt = smallest(sides, throws, alpha)
    if tilt is None:
        return (
            _(
                "With %(throws)s throws not even a d%(sides)s that always shows one face would be"
                " told from a fair one. One whose face comes 50 %% too often is told after some"
                " %(gross)s throws, one 10 %% too often after some %(slight)s."
            )
            % said
        )
    return _(
        "With %(throws)s throws a face that comes %(times)s times as often as it should would show,"
        " more often than not; a lighter loading hides in chance. A face 50 %% too frequent takes"
        " some %(gross)s throws of a d%(sides)s, one 10 %% too frequent some %(slight)s."
    ) % {**said, "times": f"{tilt:.2f}"}


@lru_cache(maxsize=4096)
def smallest(sides: int, throws: int, alpha: float) -> float | None:
    return smallest_tilt(sides, throws, alpha)


@lru_cache(maxsize=32)
def needed(sides: int, tilt: float, alpha: float) -> int:
    return throws_needed(sides, tilt, alpha)


def kind_title(kind: str) -> str:
    """Whose streams these are, in the plural."""
    return str(KINDS[Kind(kind)])


def kind_word(kind: str) -> str:
    """What one of them is; empty where its name says so."""
    words = {Kind.TABLE: _("table"), Kind.PLAYER: _("thrower"), Kind.ATTENDANT: _("attendant")}
    return words.get(Kind(kind), "")


def called(kind: str, name: str) -> str:
    """One of them: "Set S1", "Table 3", "Ada"."""
    if kind == Kind.HOUSE:
        return _("The house")
    return _("Set %(name)s") % {"name": name} if kind == Kind.SET else name


def within(seconds: int | None, *, some: bool) -> str:
    """A class of `entries.LAGS` by its upper end."""
    if not some:
        return ""
    if seconds is None:
        return _("over an hour")
    if seconds < 60:  # noqa: PLR2004 - a minute
        return _("%(seconds)s s") % {"seconds": seconds}
    return _("%(minutes)s min") % {"minutes": seconds // 60}
