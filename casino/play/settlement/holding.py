"""
The rules that say why a payout is held (A7, C3, E2, G4).

A held payout lies in its own account, ``held:<game>/<cause>.<seq>``, instead of the player's stake;
the booking says what it waits for. Nothing here reads the clock or the database: settlement books
by these rules, and a regrade compares the bookings with them. held_funds.py says where the money
lies.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from casino.house.acts.accounts import PayoutPlace
from games.messages import (
    DiceChanged,
    Disputed,
    Resolved,
    Voided,
    VoidRejected,
    VoidRequested,
    live,
)
from games.payments import POT, RESERVED, balance

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.messages import Fact
    from games.payments import Payment

LARGE_PRIZE = "large_prize"
"""Waits for a second witness (A7). Also the field of an opening that holds the threshold."""
STOPPED = "stopped"
"""Waits until the house's payouts are resumed (E2)."""
DISPUTE = "dispute"
VOID = "void"
"""Waits until a second person has answered a request to void (G4)."""


def dispute(number: int) -> str:
    """The reason for holding that a dispute gives."""
    return f"{DISPUTE}:{number}"


def void(number: int) -> str:
    """The reason for holding that a request to void gives."""
    return f"{VOID}:{number}"


def anchor(disputed: Disputed) -> int:
    """The event that a dispute depends on: if it is voided, the dispute is over."""
    return disputed.first if disputed.cause is None else disputed.cause


@dataclass(frozen=True)
class Record:
    """
    The facts of a game that decide which payouts are held.

    :param facts: event 1 first; None for an event of which nothing is known.
    :param large_prize: a payout above this many coins waits for a witness; None: none does.
    """

    facts: Sequence[Fact | None]
    large_prize: int | None = None

    def reasons(self, number: int, seq: int, payment: Payment, *, stopped: bool) -> tuple[str, ...]:
        """What a payment waits for when it is booked; empty if no player is paid."""
        if payment.payee in RESERVED:
            return ()
        return (
            *((LARGE_PRIZE,) if self.is_large(payment) else ()),
            *(
                dispute(each.dispute)
                for each in self.disputes(number)
                if self.concerns(each, number, seq, payment)
            ),
            *(void(each.request) for each in self.requests(number) if each.back_to <= number),
            *((STOPPED,) if stopped else ()),
        )

    def is_large(self, payment: Payment) -> bool:
        """
        Whether a payment is a large prize (A7).

        It is if it goes from pot, house or rollover to a player, and is above the threshold.
        """
        return (
            self.large_prize is not None
            and payment.payer in RESERVED
            and payment.payee not in RESERVED
            and payment.amount > self.large_prize
        )

    def large_prizes(self, dice_set: str) -> dict[str, list[str]]:
        """
        The large prizes that are not voided, as payouts, by the dice set they were won with.

        :param dice_set: the dice set on the table at the opening.
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
        """The disputes and the facts that may end them; empty if there is no dispute."""
        spoken = [
            (number, fact)
            for number, fact in enumerate(self.facts, 1)
            if isinstance(fact, Disputed | Resolved | Voided)
        ]
        return spoken if any(isinstance(fact, Disputed) for _, fact in spoken) else ()

    def disputes(self, number: int) -> list[Disputed]:
        """The disputes that are open when an event is booked; a voided round ends its dispute."""
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

    @cached_property
    def _requested(self) -> Sequence[tuple[int, Fact]]:
        """The requests to void and the facts that may end them; empty if there is no request."""
        spoken = [
            (number, fact)
            for number, fact in enumerate(self.facts, 1)
            if isinstance(fact, VoidRequested | VoidRejected | Voided)
        ]
        holding_any = any(isinstance(fact, VoidRequested) and fact.holds for _, fact in spoken)
        return spoken if holding_any else ()

    def requests(self, number: int) -> list[VoidRequested]:
        """
        The requests to void that wait for an answer when an event is booked, and hold what they
        question: all that is paid to players from the event on that they would go back to (G4).
        """
        open_: dict[int, VoidRequested] = {}
        for at, fact in self._requested:
            if at >= number:
                break
            if isinstance(fact, VoidRequested) and fact.holds:
                open_[fact.request] = fact
            elif isinstance(fact, VoidRejected):
                open_.pop(fact.request, None)
            elif isinstance(fact, Voided):
                open_ = {key: each for key, each in open_.items() if each.back_to < fact.back_to}
        return list(open_.values())

    def questioned_payouts(self, requested: VoidRequested) -> list[tuple[PayoutPlace, Payment]]:
        """The payouts decided before a request to void that it would take back, oldest first."""
        return [
            (PayoutPlace(number, seq), payment)
            for number, fact in self._live(requested.request)
            if number >= requested.back_to
            for seq, payment in enumerate(fact.payments)
            if payment.payee not in RESERVED
        ]

    def concerns(self, disputed: Disputed, number: int, seq: int, payment: Payment) -> bool:
        """
        Whether a dispute concerns a payment (C3).

        A dispute about a payout concerns that payout. A dispute about a round concerns everything
        that the round pays to players, and what the pot pays as long as it has coins of the round.
        """
        if number < disputed.first or payment.payee in RESERVED:
            return False
        if disputed.cause is not None:
            return (number, seq) == (disputed.cause, disputed.seq)
        if self.round_at(number) == disputed.round:
            return True
        return payment.payer == POT and self._pot_carries(disputed.first, number)

    def _pot_carries(self, first: int, number: int) -> bool:
        """
        Whether the pot has not been empty since the end of a disputed round.

        :param first: number of the first event of the round.
        """
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
        Whether an adjustment corrects what is disputed (C3).

        :param adjustment: data of its event: the dispute that it names, otherwise its payout or
            round.
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
        The disputes up to an event that an adjustment concerns, as reasons for holding.

        :returns: for each reason, whether the dispute is resolved and only the adjustment was
            missing to release what is held for it.
        """
        ended = {each.dispute for each in self.to_adjust(number)}
        return {
            dispute(each.dispute): each.dispute in ended
            for each in self._open_disputes(number)
            if self.adjusted_by(adjustment, each)
        }

    def to_adjust(self, number: int) -> list[Disputed]:
        """The disputes up to an event that were resolved with the outcome ``adjusted``."""
        ended = {
            fact.dispute
            for at, fact in self._spoken
            if at <= number and isinstance(fact, Resolved) and fact.outcome == "adjusted"
        }
        return [each for each in self._open_disputes(number) if each.dispute in ended]

    def _open_disputes(self, number: int) -> list[Disputed]:
        return [fact for at, fact in self._spoken if at <= number and isinstance(fact, Disputed)]

    def _live(self, number: int) -> list[tuple[int, Fact]]:
        """The events before an event that were not voided by then."""
        before = enumerate(self.facts[: number - 1], 1)
        return live((at, fact) for at, fact in before if fact is not None)

    def disputed_payouts(self, disputed: Disputed) -> list[tuple[PayoutPlace, Payment]]:
        """The payouts decided before a dispute that it concerns, the oldest first."""
        return [
            (PayoutPlace(number, seq), payment)
            for number, fact in self._live(disputed.dispute)
            if number >= disputed.first
            for seq, payment in enumerate(fact.payments)
            if self.concerns(disputed, number, seq, payment)
        ]
