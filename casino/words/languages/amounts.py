"""
Amounts of money as the house writes them, and as people type them; pure, because devices run it too
(docs/decisions/0041-rules-and-boards-on-tablets.md).

An amount is a whole number of the house's smallest coin in the ledger, in the rules and in the API.
`Coins` is the only place where decimals, marks and the currency's sign come in: what it writes, it
reads back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from casino.words.languages.spelling import spelling

if TYPE_CHECKING:
    from collections.abc import Iterable


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


# How a house writes amounts.


NO_BREAK_SPACE: Final = "\N{NO-BREAK SPACE}"
MINUS_SIGN: Final = "\N{MINUS SIGN}"
NOTHING: Final = "\N{EN DASH}"
SPACES: Final = (" ", NO_BREAK_SPACE, "\N{NARROW NO-BREAK SPACE}", "\N{THIN SPACE}")
GROUP: Final = 3  # digits between two marks of thousands
FIGURES_MAX: Final = 20  # more than any amount has: what is longer is no amount
SPELLINGS: Final = ((".", ","), (",", "."), (".", "'"), (",", "'"))
"""What people write in one country or another: the decimal mark, and the mark of thousands."""


@dataclass(frozen=True, slots=True)
class Coins:
    """
    How a house writes amounts.

    :param symbol: the sign of the currency: "r" in "12 r".
    :param digits: decimals of the smallest coin: with 2, 5000 is written 50.00.
    :param point: the decimal mark. :param thousands: the mark between thousands.
    :param first: whether the sign stands before the number: "€50.00".
    :param person: the marks of the person who types, if they are not the house's.
    """

    symbol: str = ""
    digits: int = 0
    point: str = "."
    thousands: str = ","
    first: bool = False
    person: tuple[str, str] | None = None

    def written(self, amount: int | None) -> str:
        """``5,000.50 r``; no amount is a dash."""
        if amount is None:
            return NOTHING
        return f"{MINUS_SIGN if amount < 0 else ''}{self.with_symbol(self.figures(abs(amount)))}"

    def with_symbol(self, figures: str) -> str:
        """The number with the sign of the currency."""
        if not self.symbol:
            return figures
        if self.first:
            return f"{self.symbol}{NO_BREAK_SPACE if self.symbol[-1].isalpha() else ''}{figures}"
        return f"{figures}{NO_BREAK_SPACE}{self.symbol}"

    def figures(self, amount: int) -> str:
        """The number without the sign of the currency: ``5,000.50``."""
        sign = MINUS_SIGN if amount < 0 else ""
        coins = str(abs(amount)).rjust(self.digits + 1, "0")
        whole = coins[: len(coins) - self.digits]
        start = len(whole) % GROUP
        groups = [whole[at : at + GROUP] for at in range(start, len(whole), GROUP)]
        grouped = self.thousands.join([whole[:start], *groups] if start else groups)
        return f"{sign}{grouped}{self._decimals(coins)}"

    def short(self, amount: int) -> str:
        """The number without decimals where there are none to say: ``5``, ``0.50``."""
        figures = self.figures(amount)
        nothing = f"{self.point}{'0' * self.digits}"
        return figures.removesuffix(nothing) if self.digits else figures

    def typed(self, amount: int) -> str:
        """As a field of a form has it: ``5000.50``, without marks of thousands."""
        coins = str(abs(amount)).rjust(self.digits + 1, "0")
        whole = coins[: len(coins) - self.digits]
        return f"{'-' if amount < 0 else ''}{whole}{self._decimals(coins)}"

    def _decimals(self, coins: str) -> str:
        return f"{self.point}{coins[len(coins) - self.digits :]}" if self.digits else ""

    def read(self, text: str) -> int | None:
        """
        The amount that somebody typed; None if it is none, or could be two.

        The house's spelling counts, and the person's. ``5.000,50`` is clear in any house; ``5.000``
        is five thousand where thousands are written so, and nowhere else.
        """
        found = self.readings(text)
        return found[0] if len(found) == 1 else None

    def readings(self, text: str) -> list[int]:
        """The different amounts that what somebody typed may be; none if it is no amount."""
        plain = text.strip()
        for each in (self.symbol, *SPACES):
            plain = plain.replace(each, " ") if each else plain
        plain = plain.strip()
        below = plain[:1] in {"-", MINUS_SIGN}
        figures = plain[1:].strip() if below else plain
        return [-amount if below else amount for amount in self._amounts(figures)]

    def _amounts(self, figures: str) -> list[int]:
        """
        The amounts that figures may be to those who read them at the house.

        Whatever the house's own spelling does not say is read only if it is one amount in every
        spelling: it must not be one to one person and another to the next.
        """
        own = [(self.point, self.thousands), *([self.person] if self.person else [])]
        found = self._all(figures, own)
        if self._read_spelling(figures, self.point, self.thousands) is not None:
            return found
        return self._all(figures, [*own, *SPELLINGS]) if found or _is_clear(figures) else []

    def _all(self, figures: str, spellings: Iterable[tuple[str, str]]) -> list[int]:
        """The different amounts that the figures are, by any of the spellings."""
        found: list[int] = []
        for point, thousands in spellings:
            amount = self._read_spelling(figures, point, thousands)
            if amount is not None and amount not in found:
                found.append(amount)
        return found

    def _read_spelling(self, figures: str, point: str, thousands: str) -> int | None:
        parts = figures.split(point)
        if len(parts) > 2:  # noqa: PLR2004 - a number has one decimal mark
            return None
        whole = _digits_of(parts[0], thousands)
        decimals = parts[1] if len(parts) > 1 else ""
        if whole is None or len(decimals) > self.digits or (len(parts) > 1 and not decimals):
            return None
        if decimals and not _are_digits(decimals):
            return None
        coins = whole + decimals + "0" * (self.digits - len(decimals))
        return int(coins) if len(coins) <= FIGURES_MAX else None


def _is_clear(figures: str) -> bool:
    """Whether marks say themselves what they are: two kinds, one twice, or no group of three."""
    marks = [each for each in figures if not _are_digits(each)]
    if len(marks) != 1:
        return len(marks) > 1
    return len(figures.split(marks[0])[1]) != GROUP


def _digits_of(whole: str, thousands: str) -> str | None:
    """The digits of a whole number, its thousands marked or not; None if it is none."""
    if _are_digits(whole):
        return whole
    for mark in (thousands, " "):
        groups = whole.split(mark)
        first, others = groups[0], groups[1:]
        grouped = _are_digits(first) and len(first) <= GROUP and first[0] != "0" and bool(others)
        if grouped and all(_are_digits(each) and len(each) == GROUP for each in others):
            return "".join(groups)
    return None


def _are_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()
