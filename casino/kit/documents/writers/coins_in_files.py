"""
Amounts of money in files: with a full stop for programs, and as numbers of spreadsheets.

A file for programs keeps the whole number of the smallest coin; where people do not count in it, a
second column has the amount with its decimals (docs/decisions/0083-money-amounts.md).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from casino.words.languages import amounts
from casino.words.languages.coins import MINUS, NO_BREAK

if TYPE_CHECKING:
    from casino.kit.documents.provenance import Header
    from casino.words.languages.coins import Coins

WHOLE: Final = "#,##0"


def coins_of_header(header: Header) -> Coins:
    """How the house of a report writes amounts: its coin, by the marks of its locale."""
    return replace(amounts.coins(), symbol=header.currency_symbol, digits=header.coin_digits)


def sign(header: Header) -> str:
    """What the heading of a column with decimals has in brackets: the currency's sign, or name."""
    return header.currency_symbol or header.currency


def decimal(amount: int, digits: int) -> str:
    """An amount for programs: ``-5000.50``, with a full stop, whatever the locale."""
    coins = str(abs(amount)).rjust(digits + 1, "0")
    whole, decimals = coins[: len(coins) - digits], coins[len(coins) - digits :]
    return f"{'-' if amount < 0 else ''}{whole}{'.' if decimals else ''}{decimals}"


def number(amount: int, digits: int) -> int | float:
    """An amount as the number of a spreadsheet's cell: exact up to fifteen digits."""
    return amount / 10**digits if digits else amount


def number_format(coins: Coins) -> str:
    """
    The format of such numbers: as pages write them, below zero with the same minus sign.

    Spreadsheets put the reader's own marks of decimals and thousands in the places that the format
    names.
    """
    figures = WHOLE + ("." + "0" * coins.digits if coins.digits else "")
    if not coins.symbol:
        return f"{figures};{_text(MINUS)}{figures}"
    if coins.first:
        before = coins.symbol + (NO_BREAK if coins.symbol[-1].isalpha() else "")
        return f"{_text(before)}{figures};{_text(MINUS + before)}{figures}"
    behind = _text(NO_BREAK + coins.symbol)
    return f"{figures}{behind};{_text(MINUS)}{figures}{behind}"


def _text(words: str) -> str:
    """Words within a number's format; a quotation mark among them stands by itself."""
    return '\\"'.join(f'"{part}"' if part else "" for part in words.split('"'))
