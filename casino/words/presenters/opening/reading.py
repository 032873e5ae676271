"""Reads options and fee from a filled form, as values for a command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from casino.words.languages.amounts import money, read
from casino.words.presenters import fees
from casino.words.presenters.opening.fields import AMOUNT, UNIT

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from django.http import QueryDict

    from casino.words.presenters.opening.fields import Opening, Option, Value

DIGITS_MAX: Final = 20  # more than any amount has; a longer text is not a number


def number(written: str) -> int | str:
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


def options(form: Opening, posted: QueryDict, always: Collection[str] = ()) -> dict[str, Value]:
    """
    The options to send: the main ones, and all that differ from their defaults.

    What a point is worth is left out if it was left empty: the house's smallest piece (G11).

    :param always: options to send even at their default, because the house's default differs.
    """
    empty = {UNIT} if not posted.get(f"option-{UNIT}-amount", "").strip() else set()
    chosen = {option.name: value(option, posted) for option in form.options}
    return {
        option.name: chosen[option.name]
        for option in form.options
        if option.name not in empty
        if option.main or option.name in always or chosen[option.name] != option.default
    }


def value(option: Option, posted: QueryDict) -> Value:
    """The value of an option in a form."""
    written, amount = choice_of(option, posted)
    if option.numbers is not None and written == AMOUNT:
        return (read if option.numbers.money else number)(amount or "0")
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


def in_words(option: Option, of: Any, *, paid: bool = True) -> str:
    """
    A value of an option of a game as people read it.

    :param paid: whether the game is for money; if not, its numbers are points.
    """
    for each in option.choices:
        if each.value == of:
            return str(each.label)
    is_amount = paid and option.numbers is not None and option.numbers.money
    return money(of) if is_amount and type(of) is int else str(of)


def fee(form: Opening, posted: QueryDict) -> dict[str, Any] | None:
    """The fee (G6) with the amounts that were filled in; None: no fee."""
    kind = posted.get("fee", "")
    if kind not in form.fees:
        return None
    written = {name: posted.get(name, "").strip() for name in fees.fields(kind)}
    given = {name.removeprefix("fee-"): each for name, each in written.items() if each}
    return {"kind": kind, **{name: _of_a_fee(name, each) for name, each in given.items()}}


def _of_a_fee(name: str, written: str) -> int | str:
    return (read if fees.AMOUNTS[name].money else number)(written)
