"""
The currencies of ISO 4217: their names, their signs, and the decimals of their smallest coin.

All of it is CLDR's, as the package Babel has it. Babel is imported when the first of these
functions is called, because only the forms of a house's money need it: that takes a tenth of a
second, which no other page waits for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from django.core.exceptions import ValidationError

OWN: Final = ""
"""The code of a house's own coin, which is in no list."""


@dataclass(frozen=True, slots=True)
class Currency:
    """
    A currency as it is written in one locale.

    :param code: of ISO 4217: "EUR".
    :param name: its name in full, in one language: "Euro", "franco svizzero".
    :param symbol: what stands beside amounts: "€"; "US$" where people would take "$" for another.
    :param digits: decimals of the smallest coin that is in use: 2, for the yen 0.
    """

    code: str
    name: str
    symbol: str
    digits: int


def check_currency(code: str) -> None:
    """:raises ValidationError: if the code is not "" and not one of ISO 4217, old ones included."""
    if code != OWN and code not in _all():
        raise ValidationError(
            "%(code)s is no currency of ISO 4217; write it as EUR.", params={"code": code}
        )


def currency_of(code: str, *, language: str, locale: str) -> Currency:
    """
    A currency in the words of a language and with the sign that a locale gives it.

    :param language: such as "it". :param locale: such as "it-IT".
    :raises ValidationError: if there is no such currency.
    """
    from babel import numbers  # noqa: PLC0415 - a tenth of a second, for few pages

    if code not in _all():
        check_currency(code)
        raise ValidationError("A coin of the house's own has no code.")
    return Currency(
        code=code,
        name=numbers.get_currency_name(code, locale=_of_babel(language)),
        symbol=numbers.get_currency_symbol(code, locale=_of_babel(locale)),
        digits=numbers.get_currency_precision(code),
    )


def digits(code: str) -> int:
    """The decimals of a currency. :raises ValidationError: if there is no such currency."""
    return currency_of(code, language="en", locale="en").digits


def current(language: str) -> list[tuple[str, str]]:
    """Code and name of each currency that is legal tender somewhere, by name in a language."""
    from babel import numbers  # noqa: PLC0415

    spoken = _of_babel(language)
    listed = [(code, numbers.get_currency_name(code, locale=spoken)) for code in _tender()]
    return sorted(listed, key=lambda each: (each[1].casefold(), each[0]))


def of_zones() -> dict[str, str]:
    """The currency of the country of each time zone: "Europe/Rome" has "EUR"."""
    from babel import numbers  # noqa: PLC0415
    from babel.core import get_global  # noqa: PLC0415

    found = {}
    for zone, territory in get_global("zone_territories").items():
        if tender := numbers.get_territory_currencies(territory):
            found[zone] = tender[0]
    return found


@cache
def _all() -> frozenset[str]:
    from babel import numbers  # noqa: PLC0415

    return frozenset(numbers.list_currencies())


@cache
def _tender() -> tuple[str, ...]:
    from babel import numbers  # noqa: PLC0415
    from babel.core import get_global  # noqa: PLC0415

    found: set[str] = set()
    for territory in get_global("territory_currencies"):
        found.update(numbers.get_territory_currencies(territory))
    return tuple(sorted(found))


def _of_babel(locale: str) -> str:
    return locale.replace("-", "_") or "en"
