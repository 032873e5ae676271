"""Amounts of money as the house writes them, and as people type them; pure."""

from __future__ import annotations

from casino.words.languages.coins import Coins
from casino.words.languages.spelling import spelling


def coins() -> Coins:
    symbol, digits, point, thousands, first, person = spelling()
    return Coins(symbol, digits, point, thousands, first, person)


def money(amount: int | None) -> str:
    """With the currency's sign: "5,000.50 r"; no amount is a dash."""
    return coins().written(amount)


def as_typed(amount: int | str | None) -> str:
    """
    The value of a form's field: "5000.50".

    What somebody typed, and was given back because something in the form will not do, stays as it
    is.
    """
    return coins().typed(amount) if isinstance(amount, int) else amount or ""


def short_coins(amount: int) -> str:
    """A chip on a key: "5", "0.50"."""
    return coins().short(amount)


def read(written: str) -> int | str:
    """The amount that somebody typed; else their words, which the vocabulary refuses by name."""
    amount = coins().read(written)
    return written.strip() if amount is None or amount < 0 else amount


def in_units(units: int) -> int:
    """So many whole units of the house's coin in smallest coins: 25, or 2500 where 25 is 25.00."""
    smallest: int = 10 ** coins().digits
    return units * smallest


def decimal_key() -> str:
    """The decimal mark as a key of its own; "" where the coin has no decimals."""
    own = coins()
    return own.point if own.digits else ""


def coins_mode() -> str:
    """The keys that a device shows for a field of an amount: HTML's ``inputmode``."""
    return "decimal" if coins().digits else "numeric"


def coin_decimals() -> int:
    """The decimals of the house's coin, which scripts of a page need."""
    return coins().digits


def coins_of(amount: int) -> str:
    """Without the sign, as sentences of the rules have it: "5,000.50"."""
    return coins().figures(amount)
