"""Denominations: the coins and chips that a house counts, by value, with the house's names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from games.payments import COINS_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DENOMINATIONS: Final = (1, 5, 25, 100, 500)
DENOMINATIONS_MOST: Final = 24  # rows of a count sheet
DENOMINATION_NAME: Final = 40  # letters


def usual_denominations() -> list[dict[str, Any]]:
    """The usual denominations, without names, which the house may add."""
    return [{"value": value, "name": ""} for value in DENOMINATIONS]


def sound_denominations(listed: object) -> None:
    """
    Check the denominations of a count sheet, ``[{"value": 25, "name": "blue"}, …]``.

    Values are whole coins, each value once.

    :raises ValidationError: if they are not valid; the message names the row.
    """
    if not isinstance(listed, list) or not 1 <= len(listed) <= DENOMINATIONS_MOST:
        raise ValidationError(f"One to {DENOMINATIONS_MOST} denominations, each with its value.")
    for row, each in enumerate(listed, start=1):
        if not isinstance(each, dict) or each.keys() != {"value", "name"}:
            raise ValidationError(f"Row {row}: a denomination has a value and a name.")
        value, name = each["value"], each["name"]
        if type(value) is not int or not 1 <= value <= COINS_MAX:
            raise ValidationError(f"Row {row}: a value is a whole number of coins, 1 or more.")
        if not isinstance(name, str) or len(name) > DENOMINATION_NAME:
            raise ValidationError(f"Row {row}: a name has at most {DENOMINATION_NAME} letters.")
    several = values(listed)
    twice = next((value for value in several if several.count(value) > 1), None)
    if twice is not None:
        raise ValidationError(f"{twice} is listed twice.")


def values(listed: Iterable[Mapping[str, Any]]) -> list[int]:
    return [int(each["value"]) for each in listed]


def smallest(listed: Iterable[Mapping[str, Any]]) -> int:
    """The value of the smallest piece, which a point of a game is worth by default (G11)."""
    return min(values(listed))


def can_make(listed: Iterable[Mapping[str, Any]], amount: int) -> bool:
    """Whether an amount can be counted out in these pieces, of which there are enough."""
    from games import pieces  # noqa: PLC0415 - no page that is read needs it

    return pieces.can_make(values(listed), amount)


def why_not(listed: Iterable[Mapping[str, Any]], amount: int) -> str:
    """The sentence that says that these pieces do not make an amount; "" if they do."""
    if can_make(listed, amount):
        return ""
    from casino.words.languages.amounts import money  # noqa: PLC0415 - only a refusal writes amounts

    made = {"amount": money(amount), "least": money(smallest(listed))}
    return _("No pieces of this house make %(amount)s: the smallest is %(least)s. G11") % made


def check_columns(listed: Iterable[Mapping[str, Any]], amounts: Mapping[str, int | None]) -> None:
    """:raises ValidationError: by column, if these pieces do not make its amount (G11)."""
    wrong = {name: why_not(listed, amount) for name, amount in amounts.items() if amount}
    if any(wrong.values()):
        raise ValidationError({name: why for name, why in wrong.items() if why})
