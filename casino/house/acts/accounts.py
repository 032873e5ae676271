"""The accounts that games move money between, and the accounts of a payment by the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from games.payments import HOUSE, POT, ROLLOVER
from ledger.journal import AccountRef, Kind

if TYPE_CHECKING:
    from uuid import UUID

    from games.payments import Payment

THE_HOUSE = "house"


class PayoutPlace(NamedTuple):
    """The place of a payment in its game: the number of the event, and its place in the event."""

    cause: int
    seq: int

    def __str__(self) -> str:
        return f"{self.cause}.{self.seq}"

    @classmethod
    def parse(cls, text: str) -> PayoutPlace:
        cause, _, seq = text.partition(".")
        return cls(int(cause), int(seq))


def stake(game: UUID, player: str) -> AccountRef:
    """The account of a player's stake in a game: the player's money."""
    return AccountRef(Kind.STAKE, f"{game}/{player}")


def account_of_held_payout(game: UUID, payout: PayoutPlace) -> AccountRef:
    """The account of a held payout: the player's money, which they cannot use (A7, C3, E2)."""
    return AccountRef(Kind.HELD, f"{game}/{payout}")


def pot(game: UUID) -> AccountRef:
    """The account of a game's pot: the players' money."""
    return AccountRef(Kind.POT, str(game))


def table_float(table: str) -> AccountRef:
    """The account of a table's float, where buy-ins come in and cash-outs leave."""
    return AccountRef(Kind.FLOAT, table)


def fee_box(table: str) -> AccountRef:
    """The account of a table's fee box, apart from its float, until two people count it."""
    return AccountRef(Kind.FLOAT, f"{table}/fees")


def accounts_of_fee(table: str, payment: Payment) -> tuple[AccountRef, AccountRef] | None:
    """
    The accounts, debit and credit, between which the chips of a fee move at a table (A5).

    They go from the table's float into its fee box, or back. None if the payment is no fee.
    """
    if payment.payee == HOUSE:
        return fee_box(table), table_float(table)
    return (table_float(table), fee_box(table)) if payment.payer == HOUSE else None


def rollover(ruleset: str) -> AccountRef:
    """The account of what pots leave for the next game of their kind: players' money (TA10)."""
    return AccountRef(Kind.ROLLOVER, ruleset)


def fees() -> AccountRef:
    return AccountRef(Kind.FEES, THE_HOUSE)


def bank() -> AccountRef:
    """The account of the house's own money, from which its seats and its prizes are paid (G8)."""
    return AccountRef(Kind.BANK, THE_HOUSE)


def prizes_owed(player: str) -> AccountRef:
    return AccountRef(Kind.PRIZES_OWED, player)


def receivable(player: str) -> AccountRef:
    """The account of what a player owes the house after an adjustment; its balance is negative."""
    return AccountRef(Kind.RECEIVABLE, player)


def payer_and_payee(game: UUID, ruleset: str, payment: Payment) -> tuple[AccountRef, AccountRef]:
    """The accounts of payer and payee of a payment; a payment to the house is a fee (A3)."""
    return _account(game, ruleset, payment.payer), _account(game, ruleset, payment.payee)


def _account(game: UUID, ruleset: str, name: str) -> AccountRef:
    shared = {POT: pot(game), HOUSE: fees(), ROLLOVER: rollover(ruleset)}
    return shared.get(name) or stake(game, name)
