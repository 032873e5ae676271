"""
Held funds: where the money lies that settlement booked for players, free in stakes or held.

For the rules, held money counts in a player's stake at once, and play goes on. So a player may have
to pay more than lies free in their stake: the rest is taken from what is held for them, oldest
first. Like holding.py, this module reads neither the clock nor the database: settlement books with
it, and a regrade checks the bookings with it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from casino.house.acts import accounts
from casino.house.acts.accounts import PayoutPlace
from games.payments import HOUSE, RESERVED
from ledger.accounts import AccountRef, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from uuid import UUID

    from games.payments import Payment

# Reasons for transfers between the accounts of one player.
HELD, RELEASED, DRAWN, ADVANCED = "held", "released", "held_drawn", "advanced"
ADJUSTED = "adjustment"


@dataclass(frozen=True, slots=True)
class Lot:
    """A payout that is or was held: what is left in its account, and what it waits for."""

    payout: PayoutPlace
    player: str
    left: int = 0
    why: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {
            "payout": str(self.payout),
            "player": self.player,
            "left": self.left,
            "why": list(self.why),
        }


@dataclass(frozen=True, slots=True)
class Move:
    """A transfer that is to be booked."""

    debit: AccountRef
    credit: AccountRef
    amount: int
    reason: str
    reverses: UUID | None = None


@dataclass(slots=True)
class HeldFunds:
    """
    The money that settlement has booked for the players of one game: free in their stakes, or held.

    `fold` reads what is booked. Each of the other methods makes one new booking and leaves its
    transfers in `moves`, in the order in which they must be made.
    """

    game: UUID
    ruleset: str
    free: Counter[str] = field(default_factory=Counter)
    lots: dict[PayoutPlace, Lot] = field(default_factory=dict)
    moves: list[Move] = field(default_factory=list)
    touched: set[PayoutPlace] = field(default_factory=set)

    def copy(self) -> HeldFunds:
        """A copy with the same money and no new bookings."""
        return HeldFunds(self.game, self.ruleset, Counter(self.free), dict(self.lots))

    def as_rows(self) -> list[dict[str, Any]]:
        """The lots that new bookings touched, as they are now."""
        return [self.lots[payout].as_dict() for payout in sorted(self.touched)]

    def held_for(self, player: str) -> int:
        return sum(lot.left for lot in self.lots.values() if lot.player == player)

    def fold(
        self,
        transfers: Iterable[tuple[AccountRef, AccountRef, int]],
        lots: Iterable[Mapping[str, Any]] = (),
    ) -> None:
        """Read one booking: its transfers (debit, credit, amount) and its rows about lots."""
        for row in lots:
            payout = PayoutPlace.parse(row["payout"])
            left = self.lots[payout].left if payout in self.lots else 0
            self.lots[payout] = Lot(payout, row["player"], left, tuple(row["why"]))
        for debit, credit, amount in transfers:
            self._change(debit, -amount)
            self._change(credit, amount)
        self.touched.clear()

    def pay(
        self,
        cause: int,
        payments: Sequence[Payment],
        why: Sequence[tuple[str, ...]],
        fee_move: Callable[[Payment], Move | None],
    ) -> None:
        """
        Book the payments of an event, in order. A payment that is held goes to its own account.

        :param why: what each payment waits for; empty for nothing.
        :param fee_move: the transfer of chips that goes with a payment (fee boxes), if any.
        """
        for seq, (payment, reasons) in enumerate(zip(payments, why, strict=True)):
            payer, payee = accounts.payer_and_payee(self.game, self.ruleset, payment)
            if payment.payer not in RESERVED:
                self._cover(payment.payer, payment.amount)
            if reasons:
                payout = PayoutPlace(cause, seq)
                self._note(Lot(payout, payment.payee, 0, reasons))
                payee = accounts.account_of_held_payout(self.game, payout)
            self._move(payer, payee, payment.amount, " ".join(payment.rules))
            if (moved := fee_move(payment)) is not None:
                self.moves.append(moved)

    def hold(self, payouts: Iterable[tuple[PayoutPlace, Payment]], reason: str) -> None:
        """Hold booked payouts, as far as their coins still lie free in the payees' stakes."""
        for payout, payment in payouts:
            lot = self.lots.get(payout, Lot(payout, payment.payee))
            self._note(replace(lot, why=(*lot.why, reason)))
            amount = min(payment.amount - lot.left, self.free[payment.payee])
            if amount > 0:
                stake, held = self._ends(self.lots[payout])
                self._move(stake, held, amount, HELD)

    def lift(self, reason: str, payouts: Iterable[PayoutPlace] | None = None) -> None:
        """Remove a reason from payouts, or from all; release those that wait for nothing more."""
        concerned = self.lots if payouts is None else payouts
        for payout in sorted(concerned):
            lot = self.lots.get(payout)
            if lot is not None and reason in lot.why:
                self._note(replace(lot, why=tuple(each for each in lot.why if each != reason)))
        self._release()

    def take_back(self, back_to: int, mirrored: Iterable[Move]) -> None:
        """
        Book what a void takes back, newest first, wherever the money lies by now.

        Money that was held and has been released or lost again is taken from where it went: first
        from the payouts that are void themselves, then from the player's stake and other held
        payouts.
        """
        for move in mirrored:
            self._fetch(move.debit, move.amount, back_to)
            self._move(move.debit, move.credit, move.amount, move.reason, move.reverses)
        for lot in self._oldest_first():
            if lot.payout.cause >= back_to:
                self._note(replace(lot, why=()))
        self._release()

    def adjust(
        self,
        giver: str,
        taker: str,
        amount: int,
        payout: PayoutPlace | None,
        disputes: Mapping[str, bool],
    ) -> None:
        """
        Book an adjustment.

        The house gives its own money. What a player gives is taken from what is held of the payout
        or for the dispute, then from their free stake; the rest they owe to the house. What a
        player gets waits for them at the cage, as prizes do.

        :param disputes: for each dispute about the same payments, the reason it gives for holding;
            True if the adjustment ends it.
        """
        into = accounts.bank() if taker == HOUSE else accounts.prizes_owed(taker)
        missing = amount
        for lot in sorted(self._oldest_first(), key=lambda lot: lot.payout != payout):
            about = lot.payout == payout or any(reason in disputes for reason in lot.why)
            if about and lot.player == giver and (part := min(lot.left, missing)):
                self._note(lot)
                self._move(
                    accounts.account_of_held_payout(self.game, lot.payout), into, part, ADJUSTED
                )
                missing -= part
        if (part := min(self.free[giver], missing)) > 0:
            self._move(accounts.stake(self.game, giver), into, part, ADJUSTED)
            missing -= part
        if missing:
            owing = accounts.bank() if giver == HOUSE else accounts.receivable(giver)
            self._move(owing, into, missing, ADJUSTED)
        for reason, ended in disputes.items():
            if ended:
                self.lift(reason)

    def _cover(self, player: str, amount: int, *, void_from: int | None = None) -> None:
        """
        Move held money into a player's stake, oldest first, until an amount can leave the stake.

        If coins are still missing, an adjustment took them: the house advances them, and the player
        owes them to the house.

        :param void_from: number of an event; payouts of this event or later are used first.
        """
        missing = amount - self.free[player]
        lots = [lot for lot in self._oldest_first() if lot.player == player]
        if void_from is not None:
            lots.sort(key=lambda lot: (lot.payout.cause < void_from, lot.payout))
        for lot in lots:
            if missing <= 0:
                return
            if part := min(lot.left, missing):
                self._note(lot)
                stake, held = self._ends(lot)
                self._move(held, stake, part, DRAWN)
                missing -= part
        if missing > 0:
            stake = accounts.stake(self.game, player)
            self._move(accounts.receivable(player), stake, missing, ADVANCED)

    def _fetch(self, account: AccountRef, amount: int, back_to: int) -> None:
        """Fill a player's account with as much as a void is about to take from it."""
        if (payout := self._payout_of(account)) is not None:
            lot = self.lots[payout]
            if (missing := amount - lot.left) > 0:
                # The lot's own money must not be moved to the stake and back.
                self.lots[payout] = replace(lot, left=0)
                self._cover(lot.player, missing, void_from=back_to)
                self.lots[payout] = lot
                self._note(lot)
                stake, held = self._ends(lot)
                self._move(stake, held, missing, HELD)
        elif (player := self._player_of(account)) is not None:
            self._cover(player, amount, void_from=back_to)

    def _release(self) -> None:
        for lot in self._oldest_first():
            if lot.left and not lot.why:
                self._note(lot)
                stake, held = self._ends(lot)
                self._move(held, stake, lot.left, RELEASED)

    def _oldest_first(self) -> list[Lot]:
        return [self.lots[payout] for payout in sorted(self.lots)]

    def _ends(self, lot: Lot) -> tuple[AccountRef, AccountRef]:
        return accounts.stake(self.game, lot.player), accounts.account_of_held_payout(
            self.game, lot.payout
        )

    def _note(self, lot: Lot) -> None:
        self.lots[lot.payout] = lot
        self.touched.add(lot.payout)

    def _move(
        self,
        debit: AccountRef,
        credit: AccountRef,
        amount: int,
        reason: str,
        reverses: UUID | None = None,
    ) -> None:
        self._change(debit, -amount)
        self._change(credit, amount)
        self.moves.append(Move(debit, credit, amount, reason, reverses))

    def _change(self, account: AccountRef, amount: int) -> None:
        if (payout := self._payout_of(account)) is not None:
            lot = self.lots[payout]
            self._note(replace(lot, left=lot.left + amount))
        elif (player := self._player_of(account)) is not None:
            self.free[player] += amount

    def _payout_of(self, account: AccountRef) -> PayoutPlace | None:
        if account.kind != Kind.HELD:
            return None
        game, _, payout = account.name.partition("/")
        return PayoutPlace.parse(payout) if game == str(self.game) else None

    def _player_of(self, account: AccountRef) -> str | None:
        if account.kind != Kind.STAKE:
            return None
        game, _, player = account.name.partition("/")
        return player if game == str(self.game) else None
