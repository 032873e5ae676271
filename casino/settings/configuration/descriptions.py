"""Configuration in words: what a request would change, and values as people read them."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.home_throws import house_rules
from casino.settings.configuration import columns
from casino.words.languages import locales
from casino.words.languages.amounts import money
from casino.words.presenters import TITLES
from casino.words.presenters.opening import OPENINGS, reading

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.kit.approvals.requests import Request
    from casino.words.presenters.opening.fields import Opening

MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
KINDS: Final = {
    "establishment": gettext_lazy("House"),
    "table": gettext_lazy("Table"),
    "dice_set": gettext_lazy("Dice set"),
    "home_throw": gettext_lazy("Home throw"),
    "house_rules": gettext_lazy("Rules and fee"),
    "scoreboard": gettext_lazy("Scoreboard"),
    "prize_rule": gettext_lazy("Prize"),
    "employment": gettext_lazy("Staff"),
    "invitation": gettext_lazy("Invitation"),
    "tablet": gettext_lazy("Floor tablet"),
}


def request(approval: Request) -> str:
    """
    A sentence about what an approval changes: "Table 3: greatest stake from 50 to 100"; with
    tokens.
    """
    return "; ".join(change(each) for each in approval.subject["changes"])


PAGES: Final = {
    "establishment": "settings",
    "table": "settings-tables",
    "dice_set": "settings-dice",
    "home_throw": "settings-home-throws",
    "house_rules": "settings-rules",
    "scoreboard": "settings-prizes",
    "prize_rule": "settings-prizes",
}


def address(approval: Request) -> str:
    """The page of the thing that a request would change; for several things, their list."""
    kinds = {each["thing"] for each in approval.subject["changes"]}
    return reverse(PAGES[kinds.pop()]) if len(kinds) == 1 else reverse("settings-changes")


def change(each: Mapping[str, Any]) -> str:
    called = f"{KINDS.get(each['thing'], each['thing'])} {each['label']}"
    if each["created"] and not each["before"]:
        return _("%(thing)s: new") % {"thing": called}
    before, after = each["before"], each["after"]
    parts = [
        _("%(column)s from %(before)s to %(after)s")
        % {
            "column": columns.word(each["thing"], name),
            "before": in_words(each["thing"], name, before),
            "after": in_words(each["thing"], name, after),
        }
        for name in after
        if before.get(name) != after[name] and name not in {"id", "set_by_id"}
    ]
    return f"{called}: {', '.join(parts)}"


def in_words(kind: str, column: str, row: Mapping[str, Any]) -> str:
    """A column of a record's row as people read it."""
    of = row.get(column)
    if isinstance(of, int) and columns.is_amount(kind, column):
        return money(of)
    if column == "options" and of and (form := OPENINGS.get(row.get("game", ""))):
        return "; ".join(f"{each['label']}: {each['value']}" for each in options_of(form, of))
    if isinstance(of, str) and column in {"game", "ruleset"} and of in TITLES:
        return str(TITLES[of])
    named = columns.choice(kind, column, of) if of and isinstance(of, str) else None
    return value(of) if named is None else named


def value(of: Any) -> str:  # noqa: PLR0911 - one return for each kind of value
    """A value as people read it, where it is no amount of money."""
    match of:
        case None | "" | []:
            return _("nothing")
        case True:
            return _("yes")
        case False:
            return _("no")
        case {"kind": str()}:
            return house_rules.fee_text(of)
        case dict():
            return ", ".join(f"{name} {value(each)}" for name, each in of.items()) or _("as usual")
        case list():
            return ", ".join(denomination(each) for each in of)
        case str() if MOMENT.fullmatch(of):
            at = timezone.localtime(datetime.fromisoformat(of))
            return locales.moment(at)
        case str() if DAY.fullmatch(of):
            return locales.figures_of_day(date.fromisoformat(of))
        case _:
            return str(of)


def denomination(each: Any) -> str:
    match each:
        case {"value": amount, "name": name}:
            return f"{money(amount)} {name}".strip()
        case _:
            return str(each)


def options_of(form: Opening, chosen: Mapping[str, Any]) -> list[dict[str, str]]:
    """The options that differ from the defaults of the game's rules, in words."""
    paid = reading.is_for_money(form, chosen)
    return [
        {
            "label": str(option.label),
            "rule": option.rule,
            "value": reading.in_words(option, chosen[option.name], paid=paid),
        }
        for option in form.options
        if option.name in chosen
    ]
