"""The payouts of a game as screens read them, held against what the rules decide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from casino.play.models import Payout
from casino.play.settled import BOOKED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from casino.regrade.books import Books, Written
    from casino.regrade.findings import What
    from games.payments import Payment


class Shown:
    """The payouts of one game, as far as the projections have come."""

    def __init__(self, books: Books) -> None:
        self.books, self.game = books, books.game
        rows = self.game.stored.payouts.get(books.rows.game, ())
        self.rows = {(row.position, row.seq): row for row in rows}

    def compared(self, booking: Written, payments: Sequence[Payment]) -> None:
        """Each payment that was booked stands there, once, in its state."""
        if not self.reached(booking.row.position):
            return
        gone = self.books.reversed_at.get(booking.cause)
        taken_back = gone is not None and self.reached(gone)
        state = Payout.State.REVERSED if taken_back else Payout.State.BOOKED
        for seq, payment in enumerate(payments):
            expected = {
                "round": self.books.round_of(booking.cause), "cause": booking.cause,
                "payer": payment.payer, "payee": payment.payee, "amount": payment.amount,
                "rules": " ".join(payment.rules), "state": str(state),
            }  # fmt: skip
            row = self.rows.pop((booking.row.position, seq), None)
            if row is None:
                self.differs("missing", expected, None, booking.row.position)
            elif (found := as_shown(row)) != expected:
                self.differs("altered", expected, found, row.position)

    def nothing_else(self) -> None:
        """What is left belongs to no payment that the rules decide."""
        coming = {
            each.row.position
            for each in self.books.written
            if each.event_type == BOOKED and not self.reached(each.row.position)
        }
        for row in self.rows.values():
            if row.position not in coming:
                self.differs("unexpected", None, as_shown(row), row.position)

    def reached(self, position: int) -> bool:
        stream = f"settlement/{self.books.rows.game}"
        return self.books.cursors.projections.reached(position, stream)

    def differs(self, what: What, expected: Any, found: Any, position: int) -> None:
        told = expected or found
        self.game.differs(
            "payout", what, expected=expected, found=found, position=position,
            event=told["cause"], round=told["round"],
        )  # fmt: skip


def as_shown(row: Payout) -> dict[str, Any]:
    names = ("round", "cause", "payer", "payee", "amount", "rules", "state")
    return {name: getattr(row, name) for name in names}
