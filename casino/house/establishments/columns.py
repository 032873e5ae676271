"""Columns of money; checks and defaults of columns of houses and tables."""

from __future__ import annotations

import secrets
import zoneinfo
from typing import TYPE_CHECKING, Any, Final, TypeVar

from django.core.exceptions import ValidationError
from django.db import models

from casino.words.languages.spelled import compact

if TYPE_CHECKING:
    from uuid import UUID

    from django import forms

if TYPE_CHECKING:  # what is set and what is read, for whoever checks types; Django has no generics
    Given_contra = TypeVar("Given_contra", contravariant=True)
    Had_co = TypeVar("Had_co", covariant=True)
    Whole = models.BigIntegerField
    Positive = models.PositiveBigIntegerField
else:
    Given_contra = Had_co = None

    class Whole(models.BigIntegerField):
        def __class_getitem__(cls, _types: Any) -> type[Any]:
            return cls

    Positive = {(Given_contra, Had_co): models.PositiveBigIntegerField}

CURRENCY_CODE: Final = (
    "Of ISO 4217, as EUR: name, sign and decimals follow from it; empty: a coin of the house's own."
)
IDLE: Final = "Minutes without an entry after which a table is marked on the floor; empty: never."
WAITING: Final = (
    "Minutes after a call until a player who has not come is off the waiting list; empty: somebody"
    " takes them off."
)
WALL_NAMES: Final = "Whether wall boards show names of players; else seat numbers."
WALL_STAKES: Final = "Whether wall boards show what each player has in play."
WALL_SECONDS: Final = "How long a wall board shows each of its parts before the next."
GUESTS: Final = "Whether guests read rules, odds, pots and their own slips without signing in."
WALL_KEY: Final = "What the address of the wall board ends in; whoever has it may look."
LEAST: Final = "Least stake, ante or price of a game here; empty: none."
GREATEST: Final = "Greatest stake, ante or price of a game here; empty: none."


class AmountField(Whole[Given_contra, Had_co]):
    """
    An amount of money, in the smallest coin of the row's house.

    Whatever shows a column without knowing what it is about writes an amount by this kind: lists,
    the change log, what a request would change, forms. The database has a whole number.
    """

    def deconstruct(self) -> Any:
        """As migrations know it: the field that it is in the database."""
        name, _path, args, kwargs = super().deconstruct()
        return name, f"django.db.models.{self.get_internal_type()}", args, kwargs

    def formfield(self, *_args: Any, **settings: Any) -> forms.Field | None:
        """A field in which people type amounts, with the bounds of the column."""
        from casino.words.languages.fields import CoinsField, bounds  # noqa: PLC0415 - for forms alone

        return super().formfield(**{**settings, **bounds(self), "form_class": CoinsField})


class PositiveAmountField(AmountField[Given_contra, Had_co], Positive[Given_contra, Had_co]):
    """An amount of money that is never below zero."""


def check_time_zone(name: str) -> None:
    try:
        zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        raise ValidationError(
            "%(name)s is not a time zone; write it as Europe/Rome.", params={"name": name}
        ) from None


def new_secret() -> bytes:
    return secrets.token_bytes(32)


def new_wall_key() -> str:
    """A secret of 128 bits for the address of a wall board."""
    return secrets.token_urlsafe(16)


class WallKeyField(models.CharField):  # type: ignore[type-arg]
    """A secret that the address of a wall board ends in."""

    def __init__(self, **settings: Any) -> None:
        own = {"max_length": 22, "default": new_wall_key, "editable": False, "help_text": WALL_KEY}
        super().__init__(**{**own, **settings})

    def deconstruct(self) -> Any:
        """As migrations know it: the field that it is in the database."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs


class WithWallBoard:
    """A thing of a house with a wall board of its own."""

    establishment_id: UUID
    wall_key: Any

    @property
    def wall_address(self) -> str:
        """What stands in the address of its wall board: the house, then the key of the board."""
        return f"{compact(self.establishment_id)}{self.wall_key}"


def check_currency(code: str) -> None:
    """:raises ValidationError: if the code is not "" and not one of ISO 4217, old ones included."""
    if code:
        from casino.words.languages import currencies  # noqa: PLC0415 - for the forms of a house's money

        currencies.check_currency(code)
