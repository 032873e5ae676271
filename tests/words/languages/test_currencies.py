"""The currencies of ISO 4217: what a house is offered, and what follows from a code."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError

from casino.house.establishments.models import Establishment
from casino.words.languages import amounts, currencies, locales, reader

NB = "\N{NO-BREAK SPACE}"
# fmt: off
NAMED = [
    # code, language, locale: name, sign, decimals
    ("EUR", "en", "en-GB", ("Euro", "€", 2)),
    ("EUR", "it", "it-IT", ("euro", "€", 2)),
    ("USD", "en", "en-US", ("US Dollar", "$", 2)),
    ("USD", "en", "en-GB", ("US Dollar", "US$", 2)),  # beside the pound "$" could be another's
    ("JPY", "en", "en-US", ("Japanese Yen", "¥", 0)),
    ("KWD", "en", "en-GB", ("Kuwaiti Dinar", "KWD", 3)),
    ("CHF", "it", "it-IT", ("franco svizzero", "CHF", 2)),
]
WRITTEN = [
    # The sign of a currency stands where the locale has it; that of an own coin always behind.
    ("en-GB", "€", "EUR", "€50.00"),
    ("en-US", "$", "USD", "$50.00"),
    ("en-GB", "CHF", "CHF", f"CHF{NB}50.00"),
    ("it-IT", "€", "EUR", f"50,00{NB}€"),
    ("en-GB", "r", "", f"50.00{NB}r"),
]
# fmt: on


@pytest.mark.parametrize(("code", "language", "locale", "follows"), NAMED)
def test_name_sign_and_decimals_follow_from_the_code(
    code: str, language: str, locale: str, follows: tuple[str, str, int]
) -> None:
    found = currencies.currency_of(code, language=language, locale=locale)

    assert found == currencies.Currency(code, *follows)


@pytest.mark.parametrize(("locale", "symbol", "code", "written"), WRITTEN)
def test_the_code_decides_on_which_side_the_sign_stands(
    locale: str, symbol: str, code: str, written: str
) -> None:
    reader.at_house("", locale, symbol, 2, code=code)
    own = reader.language_and_locale()

    assert amounts.money(5000) == written
    reader.at_house("", locale, symbol, 2, code="" if code else "EUR")
    assert (reader.language_and_locale() != own) == (locale in locales.SIGN_FIRST)
    locales.use(locales.USUAL)


def test_what_is_offered_is_legal_tender_and_fits_the_columns() -> None:
    for language in ("en", "it"):
        listed = dict(currencies.current(language))
        assert {"EUR", "USD", "JPY", "KWD", "XOF"} <= listed.keys()
        assert {"XXX", "XAU", "ITL", "XTS"}.isdisjoint(listed)
        columns: Any = Establishment._meta
        for code, name in listed.items():
            assert len(name) <= columns.get_field("currency").max_length
            for locale in locales.LOCALES:
                found = currencies.currency_of(code, language=language, locale=locale)
                assert len(found.symbol) <= columns.get_field("currency_symbol").max_length
                assert found.digits <= 4


def test_a_zone_has_the_currency_of_its_country() -> None:
    zones = currencies.of_zones()

    assert (zones["Europe/Rome"], zones["Asia/Tokyo"]) == ("EUR", "JPY")


@pytest.mark.parametrize("code", ["ABC", "eur", "€"])
def test_what_is_no_code_is_refused(code: str) -> None:
    with pytest.raises(ValidationError, match="no currency of ISO 4217"):
        currencies.check_currency(code)
    with pytest.raises(ValidationError):
        currencies.currency_of(code, language="en", locale="en-GB")
