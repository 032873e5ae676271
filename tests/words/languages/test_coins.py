"""Money as it is written: what is shown, read back, is the amount, in every spelling."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import astuple, replace
from typing import TYPE_CHECKING, Any

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.words.languages import spelling
from casino.words.languages.amounts import MINUS_SIGN, NOTHING, Coins
from casino.words.languages.fields import CoinsField
from games.payments import COINS_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator

NB = "\N{NO-BREAK SPACE}"
BRITISH: dict[str, Any] = {"symbol": "€", "digits": 2, "first": True}
ITALIAN: dict[str, Any] = {"symbol": "€", "digits": 2, "point": ",", "thousands": "."}
FRENCH: dict[str, Any] = {"symbol": "€", "digits": 2, "point": ",", "thousands": "\u202f"}
SWISS: dict[str, Any] = {"symbol": "د.ت", "digits": 3, "thousands": "'"}
RODS: dict[str, Any] = {"symbol": "r"}


@pytest.mark.parametrize(
    ("coins", "amount", "written"),
    [
        (RODS, 1250, f"1,250{NB}r"),
        (RODS, 0, f"0{NB}r"),
        (RODS, -7, f"{MINUS_SIGN}7{NB}r"),
        (RODS, None, NOTHING),
        (BRITISH, 500050, "€5,000.50"),
        (BRITISH, 5, "€0.05"),
        (BRITISH, 0, "€0.00"),
        (BRITISH, -5, f"{MINUS_SIGN}€0.05"),
        ({**BRITISH, "symbol": "CHF"}, 500050, f"CHF{NB}5,000.50"),
        (ITALIAN, 500050, f"5.000,50{NB}€"),
        (ITALIAN, -123456789, f"{MINUS_SIGN}1.234.567,89{NB}€"),
        (FRENCH, 500050, f"5\u202f000,50{NB}€"),
        ({"symbol": "د.ك", "digits": 3}, 1234567, f"1,234.567{NB}د.ك"),
    ],
)
def test_an_amount_is_written(coins: dict[str, Any], amount: int | None, written: str) -> None:
    assert Coins(**coins).written(amount) == written


@pytest.mark.parametrize(
    ("coins", "typed", "amount"),
    [
        # In the house's spelling and in any other that is clear.
        (BRITISH, "5000.50", 500050),
        (BRITISH, "5,000.50", 500050),
        (BRITISH, "5.000,50", 500050),
        (BRITISH, "5000,5", 500050),
        (BRITISH, "5 000", 500000),
        (BRITISH, "5 000,50", 500050),
        (BRITISH, "5'000.50", 500050),
        (BRITISH, "€ 50", 5000),
        (BRITISH, "-0.05", -5),
        (BRITISH, "1.234.567", 123456700),
        (ITALIAN, "5.000,50 €", 500050),
        (ITALIAN, "5.000", 500000),
        (ITALIAN, "5000.50", 500050),
        (FRENCH, "5\u202f000,50", 500050),
        (RODS, "1,250", 1250),
        (RODS, "1250 r", 1250),
        # One mark before three digits is what the house, or the person, means by it.
        (BRITISH, "5,000", 500000),
        (BRITISH, "5.000", None),
        (ITALIAN, "5,000", None),
        (ITALIAN, "0.500", None),
        (ITALIAN, "055.000", None),
        (RODS, "1.250", None),
        ({**BRITISH, "person": (",", ".")}, "5.000", 500000),
        ({**RODS, "person": (",", ".")}, "1.250", 1250),
        ({**RODS, "digits": 3, "person": (",", ".")}, "1.250", None),
        # What two persons at one house would take for two amounts is none to either.
        (SWISS, "1'005.250", 1005250),
        (SWISS, "1.005", 1005),
        (SWISS, "1,005", None),
        ({**SWISS, "person": (",", ".")}, "1,005", None),
        ({**SWISS, "person": (".", ",")}, "1,005", None),
        ({**SWISS, "digits": 2, "person": (".", ",")}, "1,005", 100500),
        # More decimals than the coin has, and what is no amount.
        (BRITISH, "5000.505", None),
        (BRITISH, "0.005", None),
        (RODS, "12.5", None),
        (RODS, "12.0", None),
        (BRITISH, "12.", None),
        (BRITISH, ".5", None),
        (BRITISH, "1,23,456", None),
        (BRITISH, "12.34.56", None),
        (BRITISH, "", None),
        (BRITISH, "-", None),
        (BRITISH, "twelve", None),
        (BRITISH, "1e3", None),
        (BRITISH, "٣", None),
        (BRITISH, "9" * 30, None),
    ],
)
def test_an_amount_is_read_or_refused(
    coins: dict[str, Any], typed: str, amount: int | None
) -> None:
    assert Coins(**coins).read(typed) == amount


HOUSES = st.builds(
    Coins,
    symbol=st.sampled_from(["r", "€", "CHF", "kr.", "د.ك", ""]),
    digits=st.integers(0, 4),
    point=st.just("."),
    thousands=st.sampled_from([",", "'"]),
    first=st.booleans(),
) | st.builds(
    Coins,
    symbol=st.sampled_from(["r", "€", "Fr."]),
    digits=st.integers(0, 4),
    point=st.just(","),
    thousands=st.sampled_from([".", " ", NB, "\u202f"]),
    first=st.booleans(),
    person=st.sampled_from([None, (".", ",")]),
)
AMOUNTS = st.integers(-COINS_MAX, COINS_MAX)


@given(HOUSES, AMOUNTS)
def test_what_is_shown_read_back_is_the_amount(coins: Coins, amount: int) -> None:
    shown = coins.written(amount)
    read = coins.read(shown)

    # A person of another spelling may have to say more; nothing is ever read as another amount.
    assert read == amount or (coins.person is not None and read is None)


@given(HOUSES, AMOUNTS)
def test_a_field_holds_what_it_was_given(coins: Coins, amount: int) -> None:
    read = coins.read(coins.typed(amount))

    assert read == amount or (coins.person is not None and read is None)


PERSONS = st.sampled_from([None, (".", ","), (",", "."), (".", "'"), (",", "\u202f")])
TYPED = st.text("0159.,' ", min_size=1, max_size=9) | st.from_regex(
    r"\A[1-9][0-9]{0,2}[.,'][0-9]{3}([.,'][0-9]{1,3})?\Z"
)


@settings(max_examples=400)
@given(HOUSES, PERSONS, PERSONS, TYPED)
def test_no_two_persons_at_a_house_type_two_amounts_with_the_same_figures(
    house: Coins, one: tuple[str, str] | None, other: tuple[str, str] | None, typed: str
) -> None:
    read = {replace(house, person=each).read(typed) for each in (one, other)}

    assert len(read - {None}) <= 1


@contextmanager
def spelled(coins: Coins) -> Iterator[None]:
    before = spelling.spelling()
    spelling.use(lambda: astuple(coins))
    yield
    spelling.use(lambda: before)


def test_a_field_says_both_amounts_that_figures_may_be() -> None:
    with (
        spelled(Coins(**SWISS, person=(",", "."))),
        pytest.raises(ValidationError, match=r"1\.005.* or 1'005\.000"),
    ):
        CoinsField().clean("1,005")
