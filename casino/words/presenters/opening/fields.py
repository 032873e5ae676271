"""The fields of the form that opens a game, as data: one `Opening` for each game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from casino.words.languages.amounts import as_typed, money
from games.fees import KINDS
from games.options import UNITS

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Value = str | int | bool  # a value as in JSON

AMOUNT: Final = "amount"  # the value of the choice beside which a number is entered
UNIT: Final = "unit"  # the option that says what a point is worth (G11)


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of an option. ``paid``: whether the game is for money if this is chosen."""

    value: Value
    label: _StrPromise | str
    help: _StrPromise | str = ""
    paid: bool = True

    @property
    def written(self) -> str:
        """The value as a form sends it."""
        return str(self.value).lower() if isinstance(self.value, bool) else str(self.value)


def flags(**labels: _StrPromise) -> tuple[Choice, ...]:
    """The choices yes and no in words: ``true=…, false=…``, the usual one first."""
    return tuple(Choice(name == "true", label) for name, label in labels.items())


@dataclass(frozen=True, slots=True)
class Numbers:
    """
    Whole numbers that an option allows beside its choices, or instead of choices.

    :param label: the label of the choice beside which the number is entered.
    :param money: whether the numbers are coins; `points`: whether `unit` says what one is worth.
    """

    least: int
    most: int
    label: _StrPromise | str = ""
    help: _StrPromise | str = ""
    money: bool = False
    points: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """
    A house option of a game: its name, the rule that defines it, and all of its values.

    :param default: the default in the rules; it is not sent if it is chosen.
    :param main: whether it is the mode of play, which is always visible and always sent.
    :param limited: whether the table's limits apply to its numbers (G10).
    :param odds: why it does not change the odds; "": it does, and the game's odds describe it.
    """

    name: str
    rule: str
    label: _StrPromise
    default: Value
    choices: tuple[Choice, ...] = ()
    numbers: Numbers | None = None
    main: bool = False
    limited: bool = False
    help: _StrPromise | str = ""
    odds: str = ""

    @property
    def default_written(self) -> str:
        return self.written(self.default)

    def written(self, value: Value) -> str:
        """A value as a form has it; an amount of money with the decimals of the house's coin."""
        plain = Choice(value, self.label).written
        money = self.numbers is not None and self.numbers.money and type(value) is int
        chosen = any(choice.written == plain for choice in self.choices)
        return as_typed(value) if money and not chosen else plain

    def posted(self, value: Value) -> dict[str, str]:
        """The fields that a form sends if this value is chosen."""
        name, written = f"option-{self.name}", self.written(value)
        if any(choice.written == written for choice in self.choices):
            return {name: written}
        chosen = {name: AMOUNT} if self.choices else {}
        return {**chosen, f"{name}-amount": written}


def unit(*, odds: str = "") -> Option:
    """
    How much a point of the rules is worth, which every game asks for (G11).

    Its default at a house is the house's smallest piece
    (`casino.house.home_throws.house_rules`).

    :param odds: as in `Option`, for a game of whose odds none is an amount.
    """
    return Option(
        UNIT, "G11", _("A point is worth"), 1, odds=odds, numbers=Numbers(
            UNITS[0], UNITS[-1], help=_("what scores, antes and bids count"), money=True),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Opening:
    """
    The form that opens a game.

    :param game: the ruleset's id.
    :param line: the game in a few words.
    :param stake_label: the label for what each player brings to the table.
    :param each: whether stakes may differ from seat to seat.
    :param stake: the initial value of the stake's field if the table has no least stake.
    :param limited: whether the table's limits apply to stakes (G10).
    :param price: the initial value of the price's field; None: the game has no price.
    :param example: what something of the game costs, in a sentence; `example_points`: in points.
    :param homes: whether the game has home throws.
    :param first: whether the form may name who throws first (G7).
    :param house_seat: whether the house may hold a seat (G8).
    :param sample_dice: the dice on the game's card, as (sides, face); `owned`: whether each is of a
        different player.
    """

    game: str
    line: _StrPromise
    options: tuple[Option, ...]
    sample_dice: tuple[tuple[int, int], ...]
    stake_label: _StrPromise
    each: bool = True
    stake: int = 25
    limited: bool = False
    price: int | None = None
    example: _StrPromise | str = ""
    example_points: int = 0
    homes: bool = False
    first: bool = True
    house_seat: bool = True
    owned: bool = False
    fees: tuple[str, ...] = tuple(KINDS)

    @property
    def main(self) -> tuple[Option, ...]:
        return tuple(option for option in self.options if option.main)

    @property
    def folded(self) -> tuple[Option, ...]:
        return tuple(option for option in self.options if not option.main)

    def example_at(self, point: int) -> str:
        """What something of the game costs if a point is worth so many coins; "": no example."""
        return str(self.example) % {"amount": money(self.example_points * point)}
