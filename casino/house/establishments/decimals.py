"""
A house's amounts when the decimals of its coin change: their figures stay, 500 is 500.00.

Amounts are stored in smallest coins, so the same figure is another number of them.
"""

from __future__ import annotations

from typing import Any, Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from casino.house.establishments.columns import AmountField
from casino.house.establishments.models import Establishment

AMOUNTS: Final = tuple(
    field.attname
    for field in Establishment._meta.concrete_fields  # noqa: SLF001 - Django's documented Meta API
    if isinstance(field, AmountField)
)
"""The house's columns that hold one amount; those with several are the denominations."""


def with_decimals(house: Establishment, *, before: int, after: int) -> dict[str, Any]:
    """
    The amounts of a house's row, by column, with the same figures in a coin of other decimals.

    :param before: the decimals that the row's amounts have; `after`: those that they get.
    :raises ValidationError: if a figure has decimals that the coin would no longer have.
    """
    single = {name: getattr(house, name) for name in AMOUNTS}
    return {
        **{
            name: None if value is None else _same_figure(value, before, after)
            for name, value in single.items()
        },
        "denominations": [
            {**each, "value": _same_figure(each["value"], before, after)}
            for each in house.denominations
        ],
    }


def _same_figure(amount: int, before: int, after: int) -> int:
    if after >= before:
        return int(amount * 10 ** (after - before))
    figure, rest = divmod(amount, 10 ** (before - after))
    if rest:
        raise ValidationError(
            _("The house's amounts have decimals: without them they would be other amounts.")
        )
    return int(figure)
