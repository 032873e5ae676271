"""The forms that open games, as data, one `Opening` for each; how a filled form is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy as _

from casino.words.languages.amounts import as_typed, in_units, money, read
from casino.words.presenters import fees
from games.fees import KINDS
from games.kinds import UNITS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from django.http import QueryDict
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


# Reads options and fee from a filled form, as values for a command.


DIGITS_MAX: Final = 20  # more than any amount has; a longer text is not a number


def read_number(written: str) -> int | str:
    """The number that a text holds; any other text unchanged, so that the vocabulary refuses it."""
    written = written.strip()
    digits = written.isascii() and written.isdigit() and len(written) <= DIGITS_MAX
    return int(written) if digits else written


def choice_of(option: Option, posted: Mapping[str, Any]) -> tuple[str, str]:
    """The choice made for an option, and the number entered beside it, as texts."""
    name = f"option-{option.name}"
    amount = posted.get(f"{name}-amount", "").strip()
    if not option.choices:
        return AMOUNT, amount if f"{name}-amount" in posted else option.default_written
    return posted.get(name, option.default_written), amount


def read_options(
    form: Opening, posted: QueryDict, always: Collection[str] = ()
) -> dict[str, Value]:
    """
    The options to send: the main ones, and all that differ from their defaults.

    What a point is worth is left out if it was left empty: the house's smallest piece (G11).

    :param always: options to send even at their default, because the house's default differs.
    """
    empty = {UNIT} if not posted.get(f"option-{UNIT}-amount", "").strip() else set()
    chosen = {option.name: value_of(option, posted) for option in form.options}
    return {
        option.name: chosen[option.name]
        for option in form.options
        if option.name not in empty
        if option.main or option.name in always or chosen[option.name] != option.default
    }


def value_of(option: Option, posted: QueryDict) -> Value:
    """The value of an option in a form."""
    written, amount = choice_of(option, posted)
    if option.numbers is not None and written == AMOUNT:
        return (read if option.numbers.money else read_number)(amount or "0")
    return next((each.value for each in option.choices if each.written == written), written)


def for_money(form: Opening, posted: Mapping[str, Any]) -> bool:
    """Whether the game is for money with the choices in a form."""
    chosen = {option.name: choice_of(option, posted)[0] for option in form.options}
    return all(
        choice.paid
        for option in form.options
        for choice in option.choices
        if choice.written == chosen[option.name]
    )


def is_for_money(form: Opening, options: Mapping[str, Any]) -> bool:
    """Whether the game is for money with these options; missing ones have their default."""
    return all(
        choice.paid
        for option in form.options
        for choice in option.choices
        if choice.value == options.get(option.name, option.default)
    )


def value_in_words(option: Option, of: Any, *, paid: bool = True) -> str:
    """
    A value of an option of a game as people read it.

    :param paid: whether the game is for money; if not, its numbers are points.
    """
    for each in option.choices:
        if each.value == of:
            return str(each.label)
    is_amount = paid and option.numbers is not None and option.numbers.money
    return money(of) if is_amount and type(of) is int else str(of)


def read_fee(form: Opening, posted: QueryDict) -> dict[str, Any] | None:
    """The fee (G6) with the amounts that were filled in; None: no fee."""
    kind = posted.get("fee", "")
    if kind not in form.fees:
        return None
    written = {name: posted.get(name, "").strip() for name in fees.fields(kind)}
    given = {name.removeprefix("fee-"): each for name, each in written.items() if each}
    return {"kind": kind, **{name: _of_a_fee(name, each) for name, each in given.items()}}


def _of_a_fee(name: str, written: str) -> int | str:
    return (read if fees.AMOUNTS[name].money else read_number)(written)


# Amounts that one tap adds in a form: the values of the house's chips.


STEPS_MOST: Final = 4  # as many as fit beside each other on a phone


def chip_steps(
    denominations: Iterable[Mapping[str, Any]], most: int | None = None, *, unit: int = 1
) -> tuple[int, ...]:
    """
    The values of the house's chips, the smallest first.

    :param denominations: those of the house, each with its `value` in the smallest coin.
    :param most: the largest amount that a table takes; larger chips are left out.
    :param unit: what a point is worth: chips that are no whole points are left out (G11).
    """
    values = sorted(each["value"] for each in denominations)
    whole = [value for value in values if value % unit == 0] or [unit]
    fitting = [value for value in whole if most is None or value <= most]
    return tuple((fitting or whole[:1])[:STEPS_MOST])


def in_points(amount: int, unit: int) -> int:
    """An amount, or as little more as makes it whole points (G11)."""
    return -(-amount // unit) * unit


def propose(units: int, unit: int) -> int:
    """
    So many units of the house's coin, as a form proposes them, where a point is worth `unit`: at
    least as many points, and whole ones (G11).
    """
    return in_points(max(in_units(units), units * unit), unit)
