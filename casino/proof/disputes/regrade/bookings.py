"""
What settlement booked for a game, and whether it holds: payouts, holds and releases, prizes.

The bookings are read from the bodies of their events (A7, C3, E2, G4).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from uuid import UUID

from casino.house.acts import accounts
from casino.house.acts.accounts import PayoutPlace
from casino.play.settlement import holding, payout_holds
from casino.play.settlement.held_funds import HeldFunds, Move
from casino.play.settlement.holding import Record
from casino.play.settlement.scoreboard import FIRST
from casino.play.settlement.settled import ADJUSTED, BOOKED, HELD, RELEASED, REVERSED
from casino.play.settlement.subscriber import fee_moves
from games.messages import Disputed, Resolved, VoidRejected, VoidRequested, Witnessed
from ledger import wire
from ledger.accounts import AccountRef

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence

    from casino.play.settlement.models import PrizeIssued
    from casino.proof.disputes.regrade.findings import GameRecord, What
    from casino.proof.disputes.regrade.reading import Row
    from games.messages import Fact
    from games.payments import Payment

TransferFields = tuple[str, str, int, str]
"""Debit, credit, amount, and the id of the transfer that it takes back."""


@dataclass(frozen=True, slots=True)
class Written:
    """An event of settlement, read from its body."""

    row: Row
    event_type: str
    data: Mapping[str, Any]
    transfers: Sequence[Mapping[str, Any]]

    @property
    def cause(self) -> int:
        """The number of the game's event that caused this one; 0: none is named."""
        cause = self.data.get("cause")
        return cause if isinstance(cause, int) else 0

    @property
    def lots(self) -> Sequence[Mapping[str, Any]]:
        """The lots of the event: the payouts that are or were held."""
        lots = self.data.get("lots", ())
        return lots if isinstance(lots, list) else ()

    def moved(self) -> list[TransferFields]:
        return sorted(
            (each["debit"], each["credit"], each["amount"], each["reverses"] or "")
            for each in self.transfers
        )


@dataclass(frozen=True, slots=True)
class Due:
    """
    What settlement has to book for one event of a game, as the rules decided it.

    :param cancelled: for a void: the events with money or points that it takes back, in order.
    """

    event_type: str
    cause: int
    fact: Fact
    cancelled: tuple[int, ...] = ()

    @property
    def payments(self) -> tuple[Payment, ...]:
        return self.fact.payments if self.event_type == BOOKED else ()


class Bookings:
    """The recorded bookings of one game."""

    def __init__(self, game: GameRecord) -> None:
        self.game, self.rows, self.result = game, game.rows, game.result
        self.cursors = game.stored.cursors
        self.written = [each for row in self.rows.booked if (each := self.read(row))]

    def read(self, row: Row) -> Written | None:
        try:
            body = json.loads(row.body)
            data, _ = wire.lift(body["event_type"], body["schema_version"], body["data"])
            return Written(row, body["event_type"], data, body["transfers"])
        except (ValueError, LookupError, TypeError) as error:
            self.game.unreadable("booking", row, error)
            return None

    def reverses(self, due: Due) -> list[int]:
        """The causes whose bookings a void takes back."""
        facts = ((each, self.result.facts[each - 1]) for each in due.cancelled)
        return [each for each, fact in facts if fact and (fact.payments or fact.points)]

    def buy_ins(self, due: Due) -> list[Mapping[str, Any]]:
        """The transfers of the buy-ins that a void cancels."""
        return [transfer for moved in self.buy_ins_by_cause(due).values() for transfer in moved]

    def buy_ins_by_cause(self, due: Due) -> dict[int, list[Mapping[str, Any]]]:
        """The transfers of the buy-ins that a void cancels, by the number of their event."""
        facts = ((each, self.result.facts[each - 1]) for each in due.cancelled)
        return {
            each: list(self.game.bodies[each - 1]["transfers"])
            for each, fact in facts
            if fact and fact.buy_ins
        }

    def transfers(self, payment: Payment) -> Iterator[TransferFields]:
        """The transfers of a payment; a fee also moves from the table's float into its box (A5)."""
        yield self.transfer(payment)
        if (boxed := accounts.accounts_of_fee(self.table, payment)) is not None:
            yield str(boxed[0]), str(boxed[1]), payment.amount, ""

    @cached_property
    def table(self) -> str:
        """The table at which the game was opened, from its first event."""
        opening = self.game.bodies[0]["data"] if self.game.bodies else {}
        table = opening.get("table")
        return table if isinstance(table, str) else ""

    def transfer(self, payment: Payment) -> TransferFields:
        ruleset = self.game.ruleset.id if self.game.ruleset else ""
        ends = accounts.payer_and_payee(UUID(self.rows.game), ruleset, payment)
        return str(ends[0]), str(ends[1]), payment.amount, ""

    def differs(
        self, what: What, cause: int, *, expected: Any = None, found: Written | None = None
    ) -> None:
        self.game.differs(
            "booking",
            what,
            event=cause or None,
            round=self.round_of(cause),
            position=found.row.position if found else None,
            expected=expected,
            found=dict(found.data) if found else None,
        )

    def round_of(self, cause: int) -> int | None:
        rounds = self.result.rounds
        return rounds[cause - 1] if 0 < cause <= len(rounds) else None


#
# Compare what was held and released in a game with what had to be held (A7, C3, E2, G4).
#
# Each booking is judged by what was booked before it, with the same rules that settlement uses. So
# a wrong booking is reported, and the bookings after it are not.


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

    def moves(self, due: Due) -> list[TransferFields]:
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


def as_transfers(moves: Iterable[Move]) -> list[TransferFields]:
    return sorted(
        (str(move.debit), str(move.credit), move.amount, str(move.reverses or "")) for move in moves
    )


# Check the prizes that points of a game have won: issued once, kept, with the right transfer.


class Prizes:
    """The prizes won by points of one game. Which points win a prize is not graded."""

    def __init__(self, books: Bookings) -> None:
        self.books, self.game = books, books.game

    def compare(self, issued: Sequence[Written]) -> None:
        for each in issued:
            if wrong := list(self.wrong(each)):
                self.game.differs(
                    "prize", "altered", event=each.cause or None, position=each.row.position,
                    round=self.books.round_of(each.cause), found=dict(each.data),
                    said=f"{'; '.join(wrong)}.",
                )  # fmt: skip
        winners = [key_of(each.data) for each in issued]
        for row in self.kept():
            if (str(row.rule), row.season, row.player) not in winners:
                found = {"rule": str(row.rule), "player": row.player}
                self.game.differs("prize", "unexpected", position=row.position, found=found)

    def wrong(self, issued: Written) -> Iterator[str]:
        data, player = issued.data, issued.data.get("player")
        if player not in self.scorers(issued.cause):
            yield "The player scored nothing there"
        if not any((str(row.rule), row.season, row.player) == key_of(data) for row in self.kept()):
            yield "It is not kept as issued"
        if issued.moved() != worth(data.get("amount"), player):
            yield "Another amount was moved"

    def scorers(self, cause: int) -> set[str]:
        facts = self.game.result.facts
        fact = facts[cause - 1] if 0 < cause <= len(facts) else None
        return {player for player, _ in fact.points} if fact else set()

    def kept(self) -> Iterator[PrizeIssued]:
        """The stored prizes won by points of this game, as far as settlement has read."""
        subscriber = self.books.cursors.settlement
        for row, fact in zip(self.books.rows.played, self.game.result.facts, strict=False):
            if fact is not None and fact.points and subscriber.reached(row.position, row.stream):
                yield from self.game.stored.prizes.get(row.position, ())


def key_of(data: Mapping[str, Any]) -> tuple[Any, Any, Any]:
    return data.get("rule"), data.get("season", FIRST), data.get("player")


def worth(amount: Any, player: Any) -> list[tuple[str, str, int, str]]:
    """The transfer of a prize: the house's own money becomes the player's."""
    if not amount:
        return []
    return [(str(accounts.bank()), str(accounts.prizes_owed(str(player))), amount, "")]
