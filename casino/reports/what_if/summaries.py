"""The results of a what-if in words: for pages and for the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from casino.house.home_throws import house_rules
from casino.words.languages.amounts import money
from casino.words.presenters import opening_forms
from casino.words.presenters.opening_forms import Choice, Option
from casino.words.presenters.registered import OPENINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from django.utils.functional import _StrPromise

WHY: Final[Mapping[str, _StrPromise]] = {
    "opening": gettext_lazy("The rules would not have opened it so."),
    "refused": gettext_lazy("What was recorded next would have been refused."),
    "choice": gettext_lazy("A player chose, and would have chosen with something else in sight."),
    "chance": gettext_lazy("A player would have had a choice that nobody had."),
    "round": gettext_lazy("The round would have ended at another throw: the next ones do not fit."),
    "longer": gettext_lazy("It would have gone on: throws that nobody threw."),
    "void": gettext_lazy("It would have been over, and was voided later to before that."),
    "purse": gettext_lazy(
        "A player came, went or brought money, and would have had another amount at the table."
    ),
    "rollover": gettext_lazy(
        "Its pot began with what rolled over from earlier games; what that would have been, nobody"
        " knows."
    ),
    "unreadable": gettext_lazy("Its record cannot be read."),
}
"""Why a game cannot be decided again."""

FIGURES: Final[Mapping[str, _StrPromise]] = {
    "pot": gettext_lazy("Into pots"),
    "paid": gettext_lazy("Paid to players"),
    "fees": gettext_lazy("Fees"),
    "rolled": gettext_lazy("Rolled over"),
    "rounds": gettext_lazy("Rounds"),
    "throws": gettext_lazy("Throws"),
}
MONEY: Final = frozenset({"pot", "paid", "fees", "rolled"})


def side_by_side(was: Mapping[str, int], now: Mapping[str, int]) -> list[dict[str, Any]]:
    """Each figure as it was and as it would have been."""
    return [
        {
            "name": name,
            "title": str(title),
            "was": was[name],
            "now": now[name],
            "more": now[name] - was[name],
            "money": name in MONEY,
        }
        for name, title in FIGURES.items()
    ]


def players(game: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What each player won (or lost, if negative), as it was and as it would have been."""
    was, now = game["was"]["players"], game["now"]["players"]
    names = sorted({*was, *now}, key=lambda name: (-was.get(name, 0), name))
    return [
        {
            "name": name,
            "was": was.get(name, 0),
            "now": now.get(name, 0),
            "more": now.get(name, 0) - was.get(name, 0),
            "points_was": game["was"]["points"].get(name),
            "points_now": game["now"]["points"].get(name),
        }
        for name in names
    ]


def change(values: Mapping[str, Any]) -> Iterator[str]:
    """The parts of a change as texts; players have the names that are in it."""
    for name, value in values["options"].items():
        yield option(name, value, values["game"])
    if values.get("stake") is not None:
        yield _("stake of each player: %(coins)s") % {"coins": money(values["stake"])}
    if values.get("price") is not None:
        yield _("price of the dice: %(coins)s") % {"coins": money(values["price"])}
    if values["fee"] is not None:
        fee = house_rules.fee_text(values["fee"]) if values["fee"] else pgettext("feminine", "none")
        yield _("fee: %(fee)s") % {"fee": fee}
    if values["home_throw"] is not None:
        yield _("home throw: %(faces)s") % {"faces": faces(values["home_throw"]) or _("none")}
    for name, dice in values["player_homes"].items():
        yield _("home throw of %(player)s: %(faces)s") % {"player": name, "faces": faces(dice)}


def option(name: str, value: Any, game: str) -> str:
    """
    An option and its value, in the words of the form that opens a game.

    :param game: the game of the what-if; empty: every game that has such an option.
    """
    forms = [OPENINGS[game]] if game else list(OPENINGS.values())
    found = [each for form in forms for each in form.options if each.name == name]
    if game and found:
        return (
            f"{found[0].label} ({found[0].rule}): {opening_forms.value_in_words(found[0], value)}"
        )
    # an option may have other meanings in other games
    is_amount = type(value) is int and any(map(_counts_coins, found))
    return f"{name} = {money(value) if is_amount else Choice(value, '').written}"


def _counts_coins(option: Option) -> bool:
    return option.numbers is not None and option.numbers.money


def faces(dice: Any) -> str:
    return "-".join(map(str, dice))
