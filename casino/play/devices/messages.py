"""Late and dropped entries in words: who did what, with the dice that were entered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.words.presenters.words import REASONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from django.utils.functional import _StrPromise

DOES: Final[Mapping[str, _StrPromise]] = {
    "throw": gettext_lazy("throws"),
    "throw_home": gettext_lazy("home throw"),
    "break_start": gettext_lazy("throws to start"),
    "keep": gettext_lazy("keeps"),
    "stand": gettext_lazy("stands"),
    "no_throw": gettext_lazy("no throw"),
    "start_round": gettext_lazy("the round starts"),
    "seal": gettext_lazy("seals dice"),
    "offer": gettext_lazy("dice are offered"),
    "bid": gettext_lazy("bids"),
    "pass": gettext_lazy("passes"),
    "sell": gettext_lazy("buys"),
    "withdraw": gettext_lazy("a die is withdrawn"),
    "reveal": gettext_lazy("reveals"),
    "join": gettext_lazy("joins"),
    "leave": gettext_lazy("leaves"),
    "buy_in": gettext_lazy("buys in"),
    "cash_out": gettext_lazy("is paid out"),
    "void": gettext_lazy("something is taken back"),
    "approve": gettext_lazy("a void is approved"),
    "reject": gettext_lazy("a void is rejected"),
    "change_dice": gettext_lazy("other dice come to the table"),
    "pause": gettext_lazy("break"),
    "resume": gettext_lazy("play goes on"),
    "handover": gettext_lazy("the table is handed over"),
    "witness": gettext_lazy("a large prize is witnessed"),
    "dispute": gettext_lazy("a dispute is raised"),
    "resolve": gettext_lazy("a dispute is decided"),
    "close": gettext_lazy("the table is closed"),
}
"""Words for a command, by its ``do``; they follow a player's name, or stand alone."""
CALLED: Final[Mapping[str, _StrPromise]] = {
    "amount": gettext_lazy("coins"),
    "stake": gettext_lazy("with coins"),
    "price": gettext_lazy("price"),
    "reason": gettext_lazy("reason"),
    "note": gettext_lazy("note"),
    "keep": gettext_lazy("keeps"),
    "die": gettext_lazy("die"),
    "back_to": gettext_lazy("back to event"),
    "request": gettext_lazy("request of event"),
    "round": gettext_lazy("round"),
    "payout": gettext_lazy("payout"),
    "bottoms": gettext_lazy("bottoms count"),
    "out": gettext_lazy("out"),
    "breaks": gettext_lazy("breaks"),
    "caught": gettext_lazy("caught"),
    "spinning": gettext_lazy("spinning"),
}
FRAME: Final = frozenset({"do", "command_id", "occurred_at", "player", "dice", "value", "salt"})


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandInWords:
    """
    A command in words.

    :param sentence: "Ada throws". :param dice: faces as entered; `sides`: the size of each die.
    :param more: what else was entered: the name of each field and its value.
    """

    sentence: str
    dice: Sequence[int] = ()
    sides: Sequence[int] = ()
    more: Sequence[tuple[str, str]] = field(default=())


def in_words(command: Mapping[str, Any], *, sides: int) -> CommandInWords:
    """
    Describe a command of the vocabulary in words, with names.

    :param sides: the size of the game's usual dice, for faces that come without a size.
    """
    does = str(DOES.get(str(command["do"]), command["do"]))
    player = command.get("player")
    dice, sizes = _dice(command, sides)
    return CommandInWords(
        sentence=_("%(player)s %(does)s") % {"player": player, "does": does} if player else does,
        dice=dice,
        sides=sizes,
        more=list(_more(command)),
    )


def _dice(command: Mapping[str, Any], sides: int) -> tuple[list[int], list[int]]:
    match command:
        case {"dice": dict() as by_size}:
            faces = {int(size[1:]): face for size, face in by_size.items()}
        case {"dice": [*faces_given]}:
            return [*faces_given], [sides] * len(faces_given)
        case {"value": int(value)}:
            return [value], [sides]
        case _:
            return [], []
    return list(faces.values()), list(faces)


def _more(command: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in command.items():
        if name not in FRAME:
            yield str(CALLED.get(name, name.replace("_", " "))), _value(value)


def _value(value: Any) -> str:
    match value:
        case bool():
            return _("yes") if value else _("no")
        case list():
            return ", ".join(_value(each) for each in value)
        case dict():
            return " ".join(_value(each) for each in value.values())
        case str() if value in REASONS:
            return str(REASONS[value])
        case _:
            return str(value)
