"""Formats the value of a cell, for programs, for people, and as amounts in files."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date, datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone

from casino.words.languages import amounts, locales
from casino.words.languages.amounts import MINUS_SIGN, NO_BREAK_SPACE, money
from casino.words.languages.locales import MINUS, NO_BREAK

if TYPE_CHECKING:
    from casino.kit.documents.document import Header
    from casino.kit.documents.report import Cell, Kind
    from casino.words.languages.amounts import Coins

NUMERIC: Final[frozenset[Kind]] = frozenset({"number", "money", "share", "ratio", "seconds"})
"""Kinds of columns that are aligned to the right."""
AS_THEY_ARE: Final = frozenset({str, int})
"""The types of most cells, which need no conversion; checked before rarer types."""
NOTHING: Final = "\N{EN DASH}"
MINUTE: Final = 60
HOUR: Final = 60 * MINUTE


def plainly(cell: Cell) -> Any:
    """A cell for programs: numbers unchanged, dates and times in ISO 8601 by the house's clock."""
    if cell is None or type(cell) in AS_THEY_ARE:
        return cell
    if isinstance(cell, datetime):
        return timezone.localtime(cell).isoformat()
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, Fraction):
        return float(cell)
    if isinstance(cell, float) and not math.isfinite(cell):
        return None
    return cell if isinstance(cell, int | float) else str(cell)


def format_cell(cell: Cell, kind: Kind) -> str:  # noqa: PLR0911 - one for each kind
    """A cell for people, in the house's locale; a dash if there is no value."""
    if cell is None or (isinstance(cell, float) and not math.isfinite(cell)):
        return NOTHING
    match kind, cell:
        case "money", int():
            return money(cell)
        case "number", int():
            return locales.with_sign(cell)
        case "share", int() | float() | Fraction():
            return f"{locales.decimal(cell * 100, 1)}{NO_BREAK}%"
        case (("ratio" | "number"), int() | float() | Fraction()):
            return locales.decimal(cell, 2)
        case "seconds", int():
            return length(cell)
        case "moment", datetime():
            return locales.moment(cell)
        case (("day" | "moment"), date()):
            return locales.figures_of_day(cell)
        case _:
            return str(cell)


def length(seconds: int) -> str:
    """A duration: 75 seconds are "1:15", 3675 seconds "1:01:15"."""
    sign, left = (MINUS if seconds < 0 else ""), abs(seconds)
    hours, minutes = left // HOUR, left % HOUR // MINUTE
    if hours:
        return f"{sign}{hours}:{minutes:02}:{left % MINUTE:02}"
    return f"{sign}{minutes}:{left % MINUTE:02}"


# Amounts of money in files: with a full stop for programs, and as numbers of spreadsheets.
#
# A file for programs keeps the whole number of the smallest coin; where people do not count in it,
# a second column has the amount with its decimals (docs/decisions/0083-money-amounts.md).


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
        return f"{figures};{_text(MINUS_SIGN)}{figures}"
    if coins.first:
        before = coins.symbol + (NO_BREAK_SPACE if coins.symbol[-1].isalpha() else "")
        return f"{_text(before)}{figures};{_text(MINUS_SIGN + before)}{figures}"
    behind = _text(NO_BREAK_SPACE + coins.symbol)
    return f"{figures}{behind};{_text(MINUS_SIGN)}{figures}{behind}"


def _text(words: str) -> str:
    """Words within a number's format; a quotation mark among them stands by itself."""
    return '\\"'.join(f'"{part}"' if part else "" for part in words.split('"'))
