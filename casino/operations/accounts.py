"""The accounts that games move money between, and how a rule's payment names them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from games.payments import HOUSE, POT, ROLLOVER
from ledger.journal import AccountRef, Kind

if TYPE_CHECKING:
    from uuid import UUID

    from games.payments import Payment

THE_HOUSE = "house"


class PayoutPlace(NamedTuple):
    """A payment by its place: the event of the game that decided it, and its place in there."""

    cause: int
    seq: int

    def __str__(self) -> str:
        return f"{self.cause}.{self.seq}"

    @classmethod
    def parse(cls, text: str) -> PayoutPlace:
        cause, _, seq = text.partition(".")
        return cls(int(cause), int(seq))


def stake(game: UUID, player: str) -> AccountRef:
    """What a player has in a game: the player's money."""
    return AccountRef(Kind.STAKE, f"{game}/{player}")


def held(game: UUID, payout: PayoutPlace) -> AccountRef:
    """A payout that waits for something: the player's money, out of their hands (A7, C3, E2)."""
    return AccountRef(Kind.HELD, f"{game}/{payout}")


def pot(game: UUID) -> AccountRef:
    """What lies in the middle: the players' money."""
    return AccountRef(Kind.POT, str(game))


def table_float(table: str) -> AccountRef:
    """Chips and coins at a table: where buy-ins come in and cash goes out."""
    return AccountRef(Kind.FLOAT, table)


def fee_box(table: str) -> AccountRef:
    """The box at a table that fees lie in until two people count it: cash apart from its float."""
    return AccountRef(Kind.FLOAT, f"{table}/fees")


def boxed(table: str, payment: Payment) -> tuple[AccountRef, AccountRef] | None:
    """
    What moves in the hand when a fee is paid: chips from the table's float into its box, or back
    (A5); debit and credit. None: the payment is no fee.
    """
    if payment.payee == HOUSE:
        return fee_box(table), table_float(table)
    return (table_float(table), fee_box(table)) if payment.payer == HOUSE else None


def rollover(ruleset: str) -> AccountRef:
    """What pots of a game left for the next one of its kind: the players' money (TA10)."""
    return AccountRef(Kind.ROLLOVER, ruleset)


def fees() -> AccountRef:
    return AccountRef(Kind.FEES, THE_HOUSE)


def bank() -> AccountRef:
    """The house's own money: what its own seat stakes and its prizes cost (G8)."""
    return AccountRef(Kind.BANK, THE_HOUSE)


def prizes_owed(player: str) -> AccountRef:
    return AccountRef(Kind.PRIZES_OWED, player)


def receivable(player: str) -> AccountRef:
    """What a player owes the house after an adjustment, as less than nothing."""
    return AccountRef(Kind.RECEIVABLE, player)


def payer_and_payee(game: UUID, ruleset: str, payment: Payment) -> tuple[AccountRef, AccountRef]:
    """A payment by the rules as accounts: what goes to the house is a fee (A3)."""
    return _account(game, ruleset, payment.payer), _account(game, ruleset, payment.payee)


def _account(game: UUID, ruleset: str, name: str) -> AccountRef:
    shared = {POT: pot(game), HOUSE: fees(), ROLLOVER: rollover(ruleset)}
    return shared.get(name) or stake(game, name)
