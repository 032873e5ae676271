"""
Refusals of an opening, in the words of its form.

The rules and the house name an option as a command does (``options.runs is wrap``), and the ledger
keeps that sentence: an API knows no other name. A person at the form sees the option's label.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.establishments.models import HouseRules
from casino.words.languages.amounts import money
from casino.words.languages.messages import CONTEXT, translate
from casino.words.presenters.opening import OPENINGS
from games.payments import COINS_MAX

if TYPE_CHECKING:
    from collections.abc import Callable

    from casino.words.presenters.opening.fields import Option

HOME: Final = "home_throw"
DEVIATES: Final = re.compile(
    r"(?:options\.)?(?P<name>\w+) is (?P<value>[^,]+),"
    r" the house plays (?P<usual>[^(]+) \(rules (?P<version>\d+)\)\.(?P<more>.*)"
)  # casino.house.home_throws.house_rules
NO_SUCH_VALUE: Final = re.compile(
    r"options\.(?P<name>\w+) is (?P<value>[^:]+): choose (?P<allowed>.+)\."
)  # games.options
SPAN: Final = re.compile(r"a whole number from (?P<least>\d+) to (?P<most>\d+)")
WHOLE: Final = re.compile(r"-?\d{1,18}")
ITS_OWN: Final = gettext_lazy("one of this game alone")


def in_words(game: str, sentence: str, context: str = CONTEXT) -> str:
    """
    A refusal in the reader's language, with options and their values as the form has them.

    :param game: the ruleset's id; a sentence about no option of it is translated as it is.
    :param context: as of `casino.words.languages.messages.translate`.
    """
    if found := DEVIATES.fullmatch(sentence):
        value = partial(_value, game, found["name"])
        said = _(
            "%(option)s: here “%(value)s”, the house plays “%(usual)s” (rules %(version)s)."
        ) % {
            "option": label(game, found["name"]),
            "value": value(found["value"]),
            "usual": value(found["usual"]),
            "version": found["version"],
        }
        return f"{said} {translate(found['more'].strip())}".rstrip()
    if found := NO_SUCH_VALUE.fullmatch(sentence):
        value = partial(_value, game, found["name"])
        return _("%(option)s: choose %(allowed)s.") % {
            "option": label(game, found["name"]),
            "allowed": ", ".join(value(each) for each in found["allowed"].split(", ")),
        }
    return translate(sentence, context)


def label(game: str, name: str) -> str:
    """The label of an option on the form, by its name alone or as ``options.name``."""
    name = name.removeprefix("options.")
    if name == HOME:
        return _("Home throw")
    found = _option(game, name)
    return str(found.label) if found else name


def _value(game: str, name: str, written: str) -> str:
    if name == HOME:
        return str(dict(HouseRules.HomeThrows.choices).get(written, ITS_OWN))
    found, plain = _option(game, name), written.strip("'")
    if found is None:
        return plain
    for choice in found.choices:
        if choice.written == plain.lower():
            return str(choice.label)
    amount = money if found.numbers and found.numbers.money else str
    if span := SPAN.fullmatch(plain):
        return _numbers(found, int(span["least"]), int(span["most"]), amount)
    return amount(int(plain)) if WHOLE.fullmatch(plain) else plain


def _numbers(option: Option, least: int, most: int, amount: Callable[[int], str]) -> str:
    """The numbers that the rules allow; one of them may be a choice of its own, as 0 for none."""
    named = [str(each.label) for each in option.choices if each.value == least]
    first = amount(least + bool(named))
    if most == COINS_MAX:
        rest = _("%(least)s or more") % {"least": first}
    else:
        rest = _("from %(least)s to %(most)s") % {"least": first, "most": amount(most)}
    return ", ".join([*named, rest])


def _option(game: str, name: str) -> Option | None:
    form = OPENINGS.get(game)
    return next((each for each in form.options if each.name == name), None) if form else None
