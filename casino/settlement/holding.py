"""
Money that waits: why a payout is held (A7, C3, E2).

A payout that waits lies in an account of its own, ``held:<game>/<cause>.<seq>``, instead of the
player's stake; what it waits for stands with it. Nothing here reads the clock or the database:
settlement books by these rules, and a regrade holds its bookings against them. Where the money
lies by then is told by held_funds.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from casino.operations.accounts import PayoutPlace
from games.history import live
from games.messages import DiceChanged, Disputed, Resolved, Voided
from games.payments import POT, RESERVED, balance

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.messages import Fact
    from games.payments import Payment

LARGE_PRIZE = "large_prize"
"""Waits for a second witness (A7). Also what an opening calls the threshold it pins."""
STOPPED = "stopped"
"""Waits until the house's payouts are resumed (E2)."""
DISPUTE = "dispute"


def dispute(number: int) -> str:
    """The reason that a dispute gives."""
    return f"{DISPUTE}:{number}"


def anchor(disputed: Disputed) -> int:
    """The event that a dispute stands and falls with."""
    return disputed.first if disputed.cause is None else disputed.cause


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
                    won.setdefault(dice_set, []).append(str(PayoutPlace(number, seq)))
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

    def adjusted_by(self, adjustment: Mapping[str, Any], disputed: Disputed) -> bool:
        """
        C3: whether an adjustment sets right what is disputed.

        :param adjustment: what it says of itself: the dispute it names; else its round, or payout.
        """
        if adjustment["dispute"] is not None:
            return bool(adjustment["dispute"] == disputed.dispute)
        payout = adjustment["payout"]
        at = (
            adjustment["round"]
            if payout is None
            else self.round_at(PayoutPlace.parse(payout).cause)
        )
        return bool(at == disputed.round)

    def adjusts(self, adjustment: Mapping[str, Any], number: int) -> dict[str, bool]:
        """
        The reasons that disputes about what an adjustment sets right give, up to an event; and
        whether the adjustment was all that what is held for them still waited for.
        """
        ended = {each.dispute for each in self.to_adjust(number)}
        return {
            dispute(each.dispute): each.dispute in ended
            for each in self._disputed(number)
            if self.adjusted_by(adjustment, each)
        }

    def to_adjust(self, number: int) -> list[Disputed]:
        """The disputes that ended with that an adjustment is to be made, up to an event."""
        ended = {
            fact.dispute
            for at, fact in self._spoken
            if at <= number and isinstance(fact, Resolved) and fact.outcome == "adjusted"
        }
        return [each for each in self._disputed(number) if each.dispute in ended]

    def _disputed(self, number: int) -> list[Disputed]:
        return [fact for at, fact in self._spoken if at <= number and isinstance(fact, Disputed)]

    def _live(self, number: int) -> list[tuple[int, Fact]]:
        """The events that counted just before one."""
        before = enumerate(self.facts[: number - 1], 1)
        return live((at, fact) for at, fact in before if fact is not None)

    def disputed_payouts(self, disputed: Disputed) -> list[tuple[PayoutPlace, Payment]]:
        """What a dispute concerns of all that was decided before it, the oldest first."""
        return [
            (PayoutPlace(number, seq), payment)
            for number, fact in self._live(disputed.dispute)
            if number >= disputed.first
            for seq, payment in enumerate(fact.payments)
            if self.concerns(disputed, number, seq, payment)
        ]
