"""
Compare what was held and released in a game with what had to be held (A7, C3, E2, G4).

Each booking is judged by what was booked before it, with the same rules that settlement uses. So a
wrong booking is reported, and the bookings after it are not.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any
from uuid import UUID

from casino.house.acts.accounts import PayoutPlace
from casino.play.settlement import holding, payout_holds
from casino.play.settlement.held_funds import HeldFunds, Move
from casino.play.settlement.holding import Record
from casino.play.settlement.settled import ADJUSTED, BOOKED, HELD, RELEASED, REVERSED
from casino.play.settlement.subscriber import fee_moves
from games.messages import Disputed, Resolved, VoidRejected, VoidRequested, Witnessed
from ledger.accounts import AccountRef

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence

    from casino.proof.disputes.regrade.bookings import Bookings, Due, Transfer, Written
    from games.messages import Fact
    from games.payments import Payment


class Holds:
    """The held payouts of one game, compared with what the rules decide."""

    def __init__(self, books: Bookings) -> None:
        self.books, self.game = books, books.game
        self._folded: HeldFunds | None = None  # of `_bodies` and `_written` entries
        self._bodies = self._written = 0
        self._booking: tuple[Due, HeldFunds] | None = None

    @cached_property
    def record(self) -> Record:
        """The decided facts, and the limit of a large prize that the game's opening pins."""
        opening = self.game.bodies[0]["data"] if self.game.bodies else {}
        limit = opening.get(holding.LARGE_PRIZE)
        return Record(self.books.result.facts, limit if isinstance(limit, int) else None)

    @cached_property
    def any(self) -> bool:
        """Whether any payout of the game was or had to be held; in most games none was."""
        return (
            bool(self.game.stored.stops)
            or any(each.lots or each.event_type == ADJUSTED for each in self.books.written)
            or any(
                isinstance(fact, Disputed)
                or (isinstance(fact, VoidRequested) and fact.holds)
                or any(map(self.record.is_large, fact.payments))
                for fact in self.books.result.facts
                if fact is not None
            )
        )

    def stopped_at(self, position: int) -> bool:
        """Whether the house's payouts were stopped at this position."""
        before = [kind for at, kind in self.game.stored.stops if at < position]
        return bool(before) and before[-1] == payout_holds.STOPPED

    def before(self, cause: int) -> HeldFunds:
        """The held funds before the booking of an event, folded from what is recorded."""
        if self._folded is None or cause < self._bodies:  # otherwise the fold continues
            self._folded = HeldFunds(UUID(self.books.rows.game), self.ruleset)
            self._bodies = self._written = 0
        for body in self.game.bodies[self._bodies : cause]:
            self._folded.fold(ends(body["transfers"]))
        self._bodies = max(self._bodies, cause)
        for each in self.books.written[self._written :]:
            if each.cause >= cause:
                break
            self._folded.fold(ends(each.transfers), each.lots)
            self._written += 1
        return self._folded.copy()

    def earlier(self, cause: int) -> Iterator[Written]:
        for each in self.books.written:
            if each.cause >= cause:
                return
            yield each

    @property
    def ruleset(self) -> str:
        return self.game.ruleset.id if self.game.ruleset else ""

    def booking(self, due: Due) -> HeldFunds:
        """The booking that is due: its transfers, and its lots of held payouts."""
        if self._booking is None or self._booking[0] is not due:
            self._booking = due, self._booked(due)
        return self._booking[1]

    def _booked(self, due: Due) -> HeldFunds:
        mine = self.before(due.cause)
        if due.event_type == REVERSED:
            mine.take_back(due.fact.back_to, self.mirror_moves(due))  # type: ignore[attr-defined]
        else:
            at = self.position(due.cause)
            mine.pay(
                due.cause,
                due.payments,
                [
                    self.record.reasons(due.cause, seq, payment, stopped=self.stopped_at(at))
                    for seq, payment in enumerate(due.payments)
                ],
                fee_moves(self.books.table),
            )
        return mine

    def position(self, cause: int) -> int:
        """The position at which an event was booked; if it was not, the end of the run."""
        booked = (each for each in self.books.written if each.event_type == BOOKED)
        found = (each.row.position for each in booked if each.cause == cause)
        return next(found, self.game.stored.stop)

    def mirror_moves(self, due: Due) -> Iterator[Move]:
        """The moves by which a void takes back all that it cancels, newest first."""
        causes = set(self.books.reverses(due))
        moved = self.books.buy_ins_by_cause(due)
        for each in self.books.written:
            if each.event_type == BOOKED and each.cause in causes:
                moved[each.cause] = [*moved.get(each.cause, ()), *each.transfers]
        for cause in sorted(moved, reverse=True):
            for transfer in reversed(moved[cause]):
                yield Move(
                    AccountRef.parse(transfer["credit"]),
                    AccountRef.parse(transfer["debit"]),
                    transfer["amount"],
                    "G4",
                    UUID(transfer["transfer_id"]),
                )

    def moves(self, due: Due) -> list[Transfer]:
        return as_transfers(self.booking(due).moves)

    def lots(self, due: Due) -> list[dict[str, Any]]:
        return self.booking(due).as_rows() if self.any else []

    def compare(
        self, cause: int, fact: Fact, booked: MutableMapping[tuple[str, int], list[Written]]
    ) -> None:
        """Compare what a witness, a dispute or its end did to payouts with what it had to do."""
        mine = self.before(cause)
        if isinstance(fact, Disputed):
            mine.hold(self.payouts_in_dispute(fact), holding.dispute(fact.dispute))
        elif isinstance(fact, VoidRequested):
            if fact.holds:
                mine.hold(self.payouts_questioned(fact), holding.void(fact.request))
        elif isinstance(fact, VoidRejected):
            mine.lift(holding.void(fact.request))
        elif isinstance(fact, Witnessed):
            mine.lift(holding.LARGE_PRIZE, [PayoutPlace(fact.cause, fact.seq)])
        elif isinstance(fact, Resolved) and not self.waits_on(cause, fact):
            mine.lift(holding.dispute(fact.dispute))
        found = [*booked.pop((HELD, cause), []), *booked.pop((RELEASED, cause), [])]
        self.is_so(cause, mine, found)

    def waits_on(self, cause: int, fact: Resolved) -> bool:
        """Whether an adjustment that the dispute calls for was still missing at its end (C3)."""
        at = self.books.rows.played[cause - 1].position
        made = [
            each.data
            for each in self.books.written
            if each.event_type == ADJUSTED and each.row.position < at
        ]
        return any(
            each.dispute == fact.dispute
            and not any(self.record.adjusted_by(data, each) for data in made)
            for each in self.record.to_adjust(cause)
        )

    def payouts_in_dispute(self, fact: Disputed) -> list[tuple[PayoutPlace, Payment]]:
        in_force = self.in_force(fact.dispute)
        payouts = self.record.disputed_payouts(fact)
        return [each for each in payouts if each[0].cause in in_force]

    def payouts_questioned(self, fact: VoidRequested) -> list[tuple[PayoutPlace, Payment]]:
        in_force = self.in_force(fact.request)
        payouts = self.record.questioned_payouts(fact)
        return [each for each in payouts if each[0].cause in in_force]

    def in_force(self, cause: int) -> set[int]:
        """The events that were booked, and not reversed, before the booking of an event."""
        in_force: set[int] = set()
        for each in self.earlier(cause):
            if each.event_type == BOOKED:
                in_force.add(each.cause)
            elif each.event_type == REVERSED:
                in_force -= set(each.data.get("reverses", ()))
        return in_force

    def is_so(self, cause: int, mine: HeldFunds, found: Sequence[Written]) -> None:
        """Compare the recorded bookings of a cause with the lots and moves that are due."""
        lots = mine.as_rows()
        expected = {"lots": lots} if lots else None
        if not found and lots:
            self.books.differs("missing", cause, expected=expected)
        for nth, each in enumerate(found):
            if not lots:
                self.books.differs("unexpected", cause, found=each)
            elif nth:
                self.books.differs("twice", cause, expected=expected, found=each)
            elif list(each.lots) != lots or each.event_type != kind_of(lots):
                self.books.differs("altered", cause, expected=expected, found=each)
            elif each.moved() != (moves := as_transfers(mine.moves)):
                self.game.differs(
                    "transfer", "altered", event=cause or None, round=self.books.round_of(cause),
                    position=each.row.position, expected=moves, found=each.moved(),
                )  # fmt: skip

    def resumed(self, booked: MutableMapping[tuple[str, int], list[Written]]) -> None:
        """
        Compare what was released when payouts were resumed, and adjustments. Check that no payout
        still waits for payouts to be resumed.
        """
        for each in [*booked.pop((HELD, 0), []), *booked.pop((RELEASED, 0), [])]:
            self.is_so(0, self.expected_release(each), [each])
        for each in booked.pop((ADJUSTED, 0), []):
            self.check_adjustment(each)
        if not self.any:
            return
        subscriber = self.books.cursors.settlement
        resumes = [
            at
            for at, kind in self.game.stored.stops
            if kind == payout_holds.RESUMED and subscriber.reached(at, payout_holds.STREAM)
        ]
        waiting: dict[str, int] = {}  # payout -> position where it was last recorded as waiting
        for each in self.books.written:
            for lot in each.lots:
                waiting.pop(lot["payout"], None)
                if holding.STOPPED in lot["why"]:
                    waiting[lot["payout"]] = each.row.position
        for payout, at in waiting.items():
            if any(resume > at for resume in resumes):
                self.books.differs(
                    "missing", PayoutPlace.parse(payout).cause, expected={"released": payout}
                )

    def check_adjustment(self, made: Written) -> None:
        """Check that an adjustment by two people moved what its data says, and lifted its holds."""
        mine, data = self.until(made), made.data
        payout = PayoutPlace.parse(data["payout"]) if data["payout"] else None
        through = sum(row.position < made.row.position for row in self.books.rows.played)
        disputes = self.record.adjusts(data, through)
        mine.adjust(data["from"], data["to"], data["amount"], payout, disputes)
        moves, lots = as_transfers(mine.moves), mine.as_rows()
        if made.moved() != moves or list(made.lots) != lots:
            self.game.differs(
                "transfer", "altered", position=made.row.position, round=data["round"],
                expected=moves, found=made.moved(),
            )  # fmt: skip

    def expected_release(self, written: Written) -> HeldFunds:
        """What had to be released by an event: all lots that waited, if payouts were resumed."""
        mine = self.until(written)
        if (written.data.get("because"), payout_holds.RESUMED) in self.game.stored.stops:
            mine.lift(holding.STOPPED)
        return mine

    def until(self, written: Written) -> HeldFunds:
        """The held funds just before a booking that no event of the game caused."""
        mine = HeldFunds(UUID(self.books.rows.game), self.ruleset)
        for row, body in zip(self.books.rows.played, self.game.bodies, strict=False):
            if row.position < written.row.position:
                mine.fold(ends(body["transfers"]))
        for each in self.books.written:
            if each is written:
                break
            mine.fold(ends(each.transfers), each.lots)
        return mine


def kind_of(lots: Iterable[Mapping[str, Any]]) -> str:
    return RELEASED if any(not lot["why"] for lot in lots) else HELD


def ends(transfers: Iterable[Mapping[str, Any]]) -> Iterator[tuple[AccountRef, AccountRef, int]]:
    for each in transfers:
        yield AccountRef.parse(each["debit"]), AccountRef.parse(each["credit"]), each["amount"]


def as_transfers(moves: Iterable[Move]) -> list[Transfer]:
    return sorted(
        (str(move.debit), str(move.credit), move.amount, str(move.reverses or "")) for move in moves
    )
