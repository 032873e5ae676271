"""
Money that waits: why a payout is held, and what of it is where (A7, C3, E2).

A payout that waits lies in an account of its own, ``held:<game>/<cause>.<seq>``, instead of the
player's stake; what it waits for stands with it. The rules moved the stake at once and play goes
on, so a player may owe more than lies free in their stake: then the rest is taken from what is
held for them, oldest first. Nothing here reads the clock or the database: settlement books by
these rules, and a regrade holds its bookings against them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from casino.play import accounts
from games.history import live
from games.messages import DiceChanged, Disputed, Resolved, Voided
from games.payments import HOUSE, POT, RESERVED, balance
from ledger.accounts import AccountRef, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from uuid import UUID

    from games.messages import Fact
    from games.payments import Payment

LARGE_PRIZE = "large_prize"
"""Waits for a second witness (A7). Also what an opening calls the threshold it pins."""
STOPPED = "stopped"
"""Waits until the house's payouts are resumed (E2)."""
DISPUTE = "dispute"

# Why settlement moves money within what belongs to one player.
HELD, RELEASED, DRAWN, ADVANCED = "held", "released", "held_drawn", "advanced"
ADJUSTED = "adjustment"


class Payout(NamedTuple):
    """A payment by its place: the event of the game that decided it, and its place in there."""

    cause: int
    seq: int

    def __str__(self) -> str:
        return f"{self.cause}.{self.seq}"

    @classmethod
    def parse(cls, text: str) -> Payout:
        cause, _, seq = text.partition(".")
        return cls(int(cause), int(seq))


def dispute(number: int) -> str:
    """The reason that a dispute gives."""
    return f"{DISPUTE}:{number}"


def anchor(disputed: Disputed) -> int:
    """The event that a dispute stands and falls with."""
    return disputed.first if disputed.cause is None else disputed.cause


@dataclass(frozen=True, slots=True)
class Lot:
    """One payout that waits, or waited: what is left in its account, and what it waits for."""

    payout: Payout
    player: str
    left: int = 0
    why: tuple[str, ...] = ()

    def told(self) -> dict[str, Any]:
        return {
            "payout": str(self.payout),
            "player": self.player,
            "left": self.left,
            "why": list(self.why),
        }


@dataclass(frozen=True, slots=True)
class Move:
    """A transfer to be booked."""

    debit: AccountRef
    credit: AccountRef
    amount: int
    reason: str
    reverses: UUID | None = None


@dataclass(frozen=True)
class Record:
    """
    A game's events as far as holds depend on them.

    :param facts: event 1 first; None where nothing is known.
    :param large_prize: a payout above so many coins waits for a witness; None: none does.
    """

    facts: Sequence[Fact | None]
    large_prize: int | None = None

    def reasons(self, number: int, seq: int, payment: Payment, *, stopped: bool) -> tuple[str, ...]:
        """What a payment waits for when it is booked; nothing, where no player is paid."""
        if payment.payee in RESERVED:
            return ()
        return (
            *((LARGE_PRIZE,) if self.is_large(payment) else ()),
            *(
                dispute(each.dispute)
                for each in self.disputes(number)
                if self.concerns(each, number, seq, payment)
            ),
            *((STOPPED,) if stopped else ()),
        )

    def is_large(self, payment: Payment) -> bool:
        """A7: from pot, house or rollover to one player, above the threshold."""
        return (
            self.large_prize is not None
            and payment.payer in RESERVED
            and payment.payee not in RESERVED
            and payment.amount > self.large_prize
        )

    def large_prizes(self, dice_set: str) -> dict[str, list[str]]:
        """
        The large prizes that stand, as payouts, by the dice they were won with.

        :param dice_set: what lay on the table at the opening.
        """
        won: dict[str, list[str]] = {}
        standing = {number for number, _ in self._live(len(self.facts) + 1)}
        for number, fact in enumerate(self.facts, 1):
            if isinstance(fact, DiceChanged):
                dice_set = fact.dice_set
            for seq, payment in enumerate(fact.payments if fact and number in standing else ()):
                if self.is_large(payment):
                    won.setdefault(dice_set, []).append(str(Payout(number, seq)))
        return won

    @cached_property
    def _spoken(self) -> Sequence[tuple[int, Fact]]:
        """Disputes and what ends them; nothing, where nobody disputes anything."""
        spoken = [
            (number, fact)
            for number, fact in enumerate(self.facts, 1)
            if isinstance(fact, Disputed | Resolved | Voided)
        ]
        return spoken if any(isinstance(fact, Disputed) for _, fact in spoken) else ()

    def disputes(self, number: int) -> list[Disputed]:
        """Those in force when an event is booked. One whose round was voided is over."""
        open_: dict[int, Disputed] = {}
        for at, fact in self._spoken:
            if at >= number:
                break
            if isinstance(fact, Disputed):
                open_[fact.dispute] = fact
            elif isinstance(fact, Resolved):
                open_.pop(fact.dispute, None)
            elif isinstance(fact, Voided):
                open_ = {key: each for key, each in open_.items() if anchor(each) < fact.back_to}
        return list(open_.values())

    def concerns(self, disputed: Disputed, number: int, seq: int, payment: Payment) -> bool:
        """
        C3: the payout that is disputed; or all that its round pays to players, and the pot as long
        as coins of that round lie in it.
        """
        if number < disputed.first or payment.payee in RESERVED:
            return False
        if disputed.cause is not None:
            return (number, seq) == (disputed.cause, disputed.seq)
        if self.round_at(number) == disputed.round:
            return True
        return payment.payer == POT and self._carried(disputed.first, number)

    def _carried(self, first: int, number: int) -> bool:
        """Whether the pot was never empty since the end of the round that began so."""
        pot, ended = 0, False
        for at, fact in self._live(number):
            pot += balance(POT, fact.payments)
            ended = ended or (at >= first and fact.ends_round)
            if ended and pot == 0:
                return False
        return ended

    def round_at(self, number: int) -> int:
        """The round that an event belongs to."""
        named: int | None = getattr(self.facts[number - 1], "round", None)
        if named is not None:
            return named
        return 1 + sum(fact.ends_round for _, fact in self._live(number))

    def _live(self, number: int) -> list[tuple[int, Fact]]:
        """The events that counted just before one."""
        before = enumerate(self.facts[: number - 1], 1)
        return live((at, fact) for at, fact in before if fact is not None)

    def disputed_payouts(self, disputed: Disputed) -> list[tuple[Payout, Payment]]:
        """What a dispute concerns of all that was decided before it, the oldest first."""
        return [
            (Payout(number, seq), payment)
            for number, fact in self._live(disputed.dispute)
            if number >= disputed.first
            for seq, payment in enumerate(fact.payments)
            if self.concerns(disputed, number, seq, payment)
        ]


@dataclass(slots=True)
class Hands:
    """
    What settlement has booked for the players of one game: free in their stakes, and held.

    Made by `fold` from what is booked; each of the other methods is one booking and leaves its
    transfers in `moves`, in the order in which they must be made.
    """

    game: UUID
    ruleset: str
    free: Counter[str] = field(default_factory=Counter)
    lots: dict[Payout, Lot] = field(default_factory=dict)
    moves: list[Move] = field(default_factory=list)
    touched: set[Payout] = field(default_factory=set)

    def copy(self) -> Hands:
        """The same money, nothing booked yet."""
        return Hands(self.game, self.ruleset, Counter(self.free), dict(self.lots))

    def told(self) -> list[dict[str, Any]]:
        """The lots that were touched, as they are now."""
        return [self.lots[payout].told() for payout in sorted(self.touched)]

    def held_for(self, player: str) -> int:
        return sum(lot.left for lot in self.lots.values() if lot.player == player)

    def fold(
        self,
        transfers: Iterable[tuple[AccountRef, AccountRef, int]],
        lots: Iterable[Mapping[str, Any]] = (),
    ) -> None:
        """Take in what was booked: debit, credit, amount, and what it said of lots."""
        for told in lots:
            payout = Payout.parse(told["payout"])
            left = self.lots[payout].left if payout in self.lots else 0
            self.lots[payout] = Lot(payout, told["player"], left, tuple(told["why"]))
        for debit, credit, amount in transfers:
            self._changed(debit, -amount)
            self._changed(credit, amount)
        self.touched.clear()

    def pay(
        self,
        cause: int,
        payments: Sequence[Payment],
        why: Sequence[tuple[str, ...]],
        beside: Callable[[Payment], Move | None],
    ) -> None:
        """
        The payments of an event, in order; what waits for something goes into its own account.

        :param beside: what moves in the hand with a payment (fee boxes).
        """
        for seq, (payment, reasons) in enumerate(zip(payments, why, strict=True)):
            payer, payee = accounts.payer_and_payee(self.game, self.ruleset, payment)
            if payment.payer not in RESERVED:
                self._cover(payment.payer, payment.amount)
            if reasons:
                payout = Payout(cause, seq)
                self._note(Lot(payout, payment.payee, 0, reasons))
                payee = accounts.held(self.game, payout)
            self._move(payer, payee, payment.amount, " ".join(payment.rules))
            if (moved := beside(payment)) is not None:
                self.moves.append(moved)

    def hold(self, payouts: Iterable[tuple[Payout, Payment]], reason: str) -> None:
        """What of these payouts lies free in the stakes of those who got them waits from now on."""
        for payout, payment in payouts:
            lot = self.lots.get(payout, Lot(payout, payment.payee))
            self._note(replace(lot, why=(*lot.why, reason)))
            amount = min(payment.amount - lot.left, self.free[payment.payee])
            if amount > 0:
                stake, held = self._ends(self.lots[payout])
                self._move(stake, held, amount, HELD)

    def lift(self, reason: str, payouts: Iterable[Payout] | None = None) -> None:
        """These payouts, or all, no longer wait for this; what waits for nothing is released."""
        concerned = self.lots if payouts is None else payouts
        for payout in sorted(concerned):
            lot = self.lots.get(payout)
            if lot is not None and reason in lot.why:
                self._note(replace(lot, why=tuple(each for each in lot.why if each != reason)))
        self._release()

    def take_back(self, back_to: int, mirrored: Iterable[Move]) -> None:
        """
        What a void takes back, newest first, wherever the money lies by now.

        What was held of it and released, or lost again, is fetched from where it went: first from
        the payouts that are void themselves, then from the player's stake and what else is held.
        """
        for move in mirrored:
            self._fetch(move.debit, move.amount, back_to)
            self._move(move.debit, move.credit, move.amount, move.reason, move.reverses)
        for lot in self._oldest_first():
            if lot.payout.cause >= back_to:
                self._note(replace(lot, why=()))
        self._release()

    def adjust(self, giver: str, taker: str, amount: int, payout: Payout | None) -> None:
        """
        An adjustment: what the house gives is its own, what a player gives is taken from what is
        held of the payout, then from their free stake; the rest they owe the house. What a player
        gets waits for them as prizes do.
        """
        into = accounts.bank() if taker == HOUSE else accounts.prizes_owed(taker)
        missing = amount
        lot = self.lots.get(payout) if payout is not None else None
        if lot is not None and lot.player == giver and (part := min(lot.left, missing)):
            self._note(lot)
            self._move(accounts.held(self.game, lot.payout), into, part, ADJUSTED)
            missing -= part
        if (part := min(self.free[giver], missing)) > 0:
            self._move(accounts.stake(self.game, giver), into, part, ADJUSTED)
            missing -= part
        if missing:
            owing = accounts.bank() if giver == HOUSE else accounts.receivable(giver)
            self._move(owing, into, missing, ADJUSTED)

    def _cover(self, player: str, amount: int, *, void_from: int | None = None) -> None:
        """
        Put as much into a player's stake as is to leave it: from what is held, oldest first.

        What is missing even then was taken by an adjustment: the house advances it, and the player
        owes it to the house.
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
        """Put as much into a player's account as a void is about to take from it."""
        if (payout := self._payout_of(account)) is not None:
            lot = self.lots[payout]
            if (missing := amount - lot.left) > 0:
                # What is in the lot itself is not to go round in a circle.
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
        return accounts.stake(self.game, lot.player), accounts.held(self.game, lot.payout)

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
        self._changed(debit, -amount)
        self._changed(credit, amount)
        self.moves.append(Move(debit, credit, amount, reason, reverses))

    def _changed(self, account: AccountRef, amount: int) -> None:
        if (payout := self._payout_of(account)) is not None:
            lot = self.lots[payout]
            self._note(replace(lot, left=lot.left + amount))
        elif (player := self._player_of(account)) is not None:
            self.free[player] += amount

    def _payout_of(self, account: AccountRef) -> Payout | None:
        if account.kind != Kind.HELD:
            return None
        game, _, payout = account.name.partition("/")
        return Payout.parse(payout) if game == str(self.game) else None

    def _player_of(self, account: AccountRef) -> str | None:
        if account.kind != Kind.STAKE:
            return None
        game, _, player = account.name.partition("/")
        return player if game == str(self.game) else None
