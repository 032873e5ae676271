"""What a house counts: coins and chips by their value, with names of its own."""

from __future__ import annotations

from typing import Any, Final

from django.core.exceptions import ValidationError

from games.payments import COINS_MAX

DENOMINATIONS: Final = (1, 5, 25, 100, 500)
DENOMINATIONS_MOST: Final = 24  # as many rows as a count sheet has
DENOMINATION_NAME: Final = 40  # letters


def usual_denominations() -> list[dict[str, Any]]:
    """Coins by value, the names left to the house."""
    return [{"value": value, "name": ""} for value in DENOMINATIONS]


def sound_denominations(listed: object) -> None:
    """
    What a count sheet lists, ``[{"value": 25, "name": "blue"}, …]``: whole coins, each value once.

    :raises ValidationError: naming the row.
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
