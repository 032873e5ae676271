"""Configuration in words: what a request would change, what a column is called."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house_rules import operations as house_rules
from casino.languages import locales

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.approvals.requests import Request

MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
KINDS: Final = {
    "establishment": gettext_lazy("House"),
    "table": gettext_lazy("Table"),
    "dice_set": gettext_lazy("Dice set"),
    "home_throw": gettext_lazy("Home throw"),
    "house_rules": gettext_lazy("Rules and fee"),
    "prize_rule": gettext_lazy("Prize"),
    "employment": gettext_lazy("Staff"),
    "invitation": gettext_lazy("Invitation"),
}
COLUMNS: Final = {
    "name": gettext_lazy("name"),
    "currency": gettext_lazy("currency"),
    "currency_symbol": gettext_lazy("sign of the currency"),
    "coin_digits": gettext_lazy("decimals"),
    "time_zone": gettext_lazy("time zone"),
    "language": gettext_lazy("language"),
    "locale": gettext_lazy("dates and figures"),
    "day_cutoff": gettext_lazy("cut-off"),
    "large_prize": gettext_lazy("large prize"),
    "cash_threshold": gettext_lazy("cash threshold"),
    "tips_allowed": gettext_lazy("tips"),
    "counts_floats": gettext_lazy("floats are counted"),
    "closing_grace": gettext_lazy("minutes until the day closes itself"),
    "two_configure": gettext_lazy("two people change settings"),
    "pin_approves_voids": gettext_lazy("a PIN answers for voids"),
    "publishes_rules": gettext_lazy("plays by published rules only"),
    "denominations": gettext_lazy("denominations"),
    "setting_up": gettext_lazy("set-up"),
    "idle_after": gettext_lazy("minutes until a table is marked idle"),
    "alarms_one_in": gettext_lazy("false alarms about dice, one in"),
    "wall": gettext_lazy("wall board"),
    "wall_names": gettext_lazy("names on wall boards"),
    "wall_stakes": gettext_lazy("stakes on wall boards"),
    "stake_min": gettext_lazy("least stake"),
    "stake_max": gettext_lazy("greatest stake"),
    "in_use": gettext_lazy("in use"),
    "number": gettext_lazy("number"),
    "sides": gettext_lazy("sides"),
    "count": gettext_lazy("dice"),
    "colour": gettext_lazy("colour"),
    "withdrawn": gettext_lazy("withdrawn"),
    "effective_from": gettext_lazy("in force from"),
    "options": gettext_lazy("options"),
    "fee": gettext_lazy("fee"),
    "home_throws": gettext_lazy("home throws"),
    "deviations": gettext_lazy("who may deviate"),
    "played": gettext_lazy("played"),
    "version": gettext_lazy("version"),
    "text": gettext_lazy("text"),
    "role": gettext_lazy("role"),
    "since": gettext_lazy("since"),
    "until": gettext_lazy("until"),
    "low": gettext_lazy("lowest face"),
    "middle": gettext_lazy("middle face"),
    "high": gettext_lazy("highest face"),
    "story": gettext_lazy("story"),
    "override": gettext_lazy("why it may score otherwise"),
    "set_by_id": gettext_lazy("set by"),
    "state": gettext_lazy("state"),
}


def request(asked: Request) -> str:
    """What happens if a request is approved: "Table 3: greatest stake from 50 to 100"; tokens."""
    return "; ".join(change(each) for each in asked.subject["changes"])


PAGES: Final = {
    "establishment": "settings",
    "table": "settings-tables",
    "dice_set": "settings-dice",
    "home_throw": "settings-home-throws",
    "house_rules": "settings-rules",
    "prize_rule": "settings-prizes",
}


def address(asked: Request) -> str:
    """The page of what a request would change; of several things, their list."""
    kinds = {each["thing"] for each in asked.subject["changes"]}
    return reverse(PAGES[kinds.pop()]) if len(kinds) == 1 else reverse("settings-changes")


def change(each: Mapping[str, Any]) -> str:
    called = f"{KINDS.get(each['thing'], each['thing'])} {each['label']}"
    if each["created"] and not each["before"]:
        return _("%(thing)s: new") % {"thing": called}
    before, after = each["before"], each["after"]
    parts = [
        _("%(column)s from %(before)s to %(after)s")
        % {
            "column": column(name),
            "before": value(before.get(name)),
            "after": value(after[name]),
        }
        for name in after
        if before.get(name) != after[name] and name not in {"id", "set_by_id"}
    ]
    return f"{called}: {', '.join(parts)}"


def column(name: str) -> str:
    return str(COLUMNS.get(name, name.removesuffix("_id").replace("_", " ")))


def value(of: Any) -> str:  # noqa: PLR0911 - one return for each kind of value
    """A column's value as people read it."""
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
        case _:
            return str(of)


def denomination(each: Any) -> str:
    match each:
        case {"value": amount, "name": name}:
            return f"{amount} {name}".strip()
        case _:
            return str(each)
