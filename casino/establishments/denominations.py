"""Denominations: the coins and chips that a house counts, by value, with the house's names."""

from __future__ import annotations

from typing import Any, Final

from django.core.exceptions import ValidationError

from games.payments import COINS_MAX

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
    values = [each["value"] for each in listed]
    twice = next((value for value in values if values.count(value) > 1), None)
    if twice is not None:
        raise ValidationError(f"{twice} is listed twice.")
