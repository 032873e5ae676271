"""Payments: coins that move between players, pot and house, each as one debit and one credit."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

POT: Final = "pot"
HOUSE: Final = "house"
ROLLOVER: Final = "rollover"
RESERVED: Final = frozenset({POT, HOUSE, ROLLOVER})  # no player may bear one of these names

COINS_MAX: Final = 2**53 - 1  # the greatest integer that every JSON reader reads exactly


@dataclass(frozen=True, slots=True)
class Payment:
    payer: str
    payee: str
    amount: int
    rules: tuple[str, ...]


def move(stakes: Mapping[str, int], payments: Iterable[Payment]) -> dict[str, int]:
    """The stakes after `payments`; pot and house are not among them."""
    after = dict(stakes)
    for payment in payments:
        if payment.payer in after:
            after[payment.payer] -= payment.amount
        if payment.payee in after:
            after[payment.payee] += payment.amount
    return after


def balance(account: str, payments: Iterable[Payment]) -> int:
    """The coins that `payments` add to one account."""
    return sum(
        payment.amount * ((payment.payee == account) - (payment.payer == account))
        for payment in payments
    )


def cap(
    payer: str, payee: str, coins: int, stake: int, rules: tuple[str, ...]
) -> tuple[Payment, ...]:
    """A payment of at most what the payer has left (G2); none if that is nothing."""
    amount = min(coins, stake)
    if amount == 0:
        return ()
    return (Payment(payer, payee, amount, rules if amount == coins else (*rules, "G2")),)


def share(
    amount: int, among: tuple[str, ...], rules: tuple[str, ...], *, unit: int, payer: str = POT
) -> tuple[Payment, ...]:
    """
    Payments of an amount in equal parts (G5) of whole units (G11); odd units go one each, in the
    order of `among`. What is left under a unit, from somebody's last coins, is dealt likewise by
    the coin.
    """
    if not among:
        return ()
    units, coins = dealt(amount // unit, len(among)), dealt(amount % unit, len(among))
    parts = [whole * unit + rest for whole, rest in zip(units, coins, strict=True)]
    return tuple(
        Payment(payer, player, part, rules)
        for player, part in zip(among, parts, strict=True)
        if part
    )


def dealt(amount: int, players: int) -> tuple[int, ...]:
    """So many equal parts of an amount; what is odd goes one each, to the first (G5)."""
    part, odd = divmod(amount, players)
    return tuple(part + 1 if place < odd else part for place in range(players))
