"""Compare the payout rows of a game, which screens read, with what the rules decide."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from casino.play.settlement.models import Payout
from casino.play.settlement.settled import BOOKED, REVERSED
from games.messages import CashedOut
from ledger.accounts import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from casino.proof.regrade.bookings import Bookings, Written
    from casino.proof.regrade.findings import What
    from games.payments import Payment

State = Payout.State


@dataclass(frozen=True, slots=True)
class PaymentState:
    """The state of a payment that was booked."""

    state: Payout.State = State.BOOKED
    held: int = 0
    why: tuple[str, ...] = ()


class PaymentStates:
    """
    The states of a game's payments, followed event by event.

    :ivar states: by position of the booking and place of the payment in it.
    """

    def __init__(self, game: str) -> None:
        self.game = game
        self.states: dict[tuple[int, int], PaymentState] = {}
        self._payees: dict[tuple[int, int], str] = {}
        self._at: dict[int, int] = {}  # cause -> position of its booking
        self._accounts: Counter[str] = Counter()

    def moved(self, transfers: Iterable[Mapping[str, Any]]) -> None:
        for each in transfers:
            self._accounts[each["debit"]] -= each["amount"]
            self._accounts[each["credit"]] += each["amount"]

    def booked(self, booking: Written) -> None:
        if booking.event_type == BOOKED:
            self._at[booking.cause] = booking.row.position
            for seq, payment in enumerate(booking.data["payments"]):
                self.states[booking.row.position, seq] = PaymentState()
                self._payees[booking.row.position, seq] = payment["to"]
        for lot in booking.lots:
            cause, _, seq = lot["payout"].partition(".")
            self._held((self._at.get(int(cause), -1), int(seq)), lot["left"], tuple(lot["why"]))
        if booking.event_type == REVERSED:
            gone = {self._at[cause] for cause in booking.data["reverses"] if cause in self._at}
            for key in self.states:
                if key[0] in gone:
                    self.states[key] = PaymentState(State.REVERSED)

    def _held(self, key: tuple[int, int], left: int, why: tuple[str, ...]) -> None:
        known = self.states.get(key)
        if known is None or known.state == State.REVERSED:
            return
        if known.state == State.PAID and not left:
            return
        self.states[key] = PaymentState(State.HELD if why else State.RELEASED, left, why)

    def cashed_out(self, player: str) -> None:
        """Set the booked and released payouts of a player who took away all coins to paid."""
        if self._accounts[f"{Kind.STAKE}:{self.game}/{player}"]:
            return
        for key, known in self.states.items():
            if self._payees[key] == player and known.state in {State.BOOKED, State.RELEASED}:
                self.states[key] = PaymentState(State.PAID)


class ProjectedPayouts:
    """The payout rows of one game, compared as far as the projections have read."""

    def __init__(self, books: Bookings) -> None:
        self.books, self.game = books, books.game
        rows = self.game.stored.payouts.get(books.rows.game, ())
        self.rows = {(row.position, row.seq): row for row in rows}

    def compared(self, booking: Written, payments: Sequence[Payment]) -> None:
        """Check that each booked payment has exactly one row, in the right state."""
        if not self.reached(booking.row.position):
            return
        for seq, payment in enumerate(payments):
            current = self.states.get((booking.row.position, seq), PaymentState())
            expected = {
                "round": self.books.round_of(booking.cause), "cause": booking.cause,
                "payer": payment.payer, "payee": payment.payee, "amount": payment.amount,
                "rules": " ".join(payment.rules), "state": str(current.state), "held": current.held,
                "why": " ".join(current.why),
            }  # fmt: skip
            row = self.rows.pop((booking.row.position, seq), None)
            if row is None:
                self.differs("missing", expected, None, booking.row.position)
            elif (found := as_dict(row)) != expected:
                self.differs("altered", expected, found, row.position)

    @cached_property
    def states(self) -> dict[tuple[int, int], PaymentState]:
        """
        The state of each booked payment, as far as the projections have read, by the position of
        its booking and its place there.
        """
        payments = PaymentStates(self.books.rows.game)
        for position, happened, transfers in self.in_order():
            payments.moved(transfers)
            if isinstance(happened, CashedOut):
                if self.books.cursors.projections.reached(position, self.played):
                    payments.cashed_out(happened.player)
            elif happened is not None and self.reached(position):
                payments.booked(happened)
        return payments.states

    def in_order(self) -> list[tuple[int, CashedOut | Written | None, Sequence[Any]]]:
        """The bookings, and the events by which cash came or left, in the order of the ledger."""
        cash: list[tuple[int, CashedOut | Written | None, Sequence[Any]]] = [
            (row.position, fact if isinstance(fact, CashedOut) else None, body["transfers"])
            for row, fact, body in zip(
                self.books.rows.played, self.books.result.facts, self.game.bodies, strict=False
            )
            if body["transfers"]
        ]
        booked = [(each.row.position, each, each.transfers) for each in self.books.written]
        return sorted([*cash, *booked], key=itemgetter(0))

    @property
    def played(self) -> str:
        return f"game/{self.books.rows.game}"

    def nothing_else(self) -> None:
        """Report the remaining rows: they belong to no payment that the rules decide."""
        coming = {
            each.row.position
            for each in self.books.written
            if each.event_type == BOOKED and not self.reached(each.row.position)
        }
        for row in self.rows.values():
            if row.position not in coming:
                self.differs("unexpected", None, as_dict(row), row.position)

    def reached(self, position: int) -> bool:
        stream = f"settlement/{self.books.rows.game}"
        return self.books.cursors.projections.reached(position, stream)

    def differs(self, what: What, expected: Any, found: Any, position: int) -> None:
        payout = expected or found
        self.game.differs(
            "payout", what, expected=expected, found=found, position=position,
            event=payout["cause"], round=payout["round"],
        )  # fmt: skip


def as_dict(row: Payout) -> dict[str, Any]:
    names = ("round", "cause", "payer", "payee", "amount", "rules", "state", "held", "why")
    return {name: getattr(row, name) for name in names}
