"""Amounts of money as the house writes them, and as people type them; pure."""

from __future__ import annotations

from casino.languages.coins import Coins
from casino.languages.spelling import spelling


def coins() -> Coins:
    symbol, digits, point, thousands, first, person = spelling()
    return Coins(symbol, digits, point, thousands, first, person)


def money(amount: int | None) -> str:
    """With the currency's sign: "5,000.50 r"; no amount is a dash."""
    return coins().written(amount)


def coins_of(amount: int) -> str:
    """Without the sign, as sentences at the table have it: "5,000.50"."""
    return coins().figures(amount)
