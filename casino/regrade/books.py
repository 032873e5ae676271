"""What settlement booked of a game, held against what the rules decide."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any
from uuid import UUID

from casino.operations import accounts
from casino.regrade.comparisons import Shown
from casino.regrade.holds import Holds
from casino.regrade.prizes import Prizes
from casino.settlement.settled import BOOKED, HELD, PRIZE_ISSUED, RELEASED, REVERSED
from games.messages import Disputed, Resolved, Voided, Witnessed
from games.wire import written
from ledger import wire

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from casino.regrade.findings import What
    from casino.regrade.grading import Game
    from casino.regrade.reading import Row
    from games.messages import Fact
    from games.payments import Payment

Transfer = tuple[str, str, int, str]
"""Debit, credit, amount, and the id of the transfer that it takes back."""


@dataclass(frozen=True, slots=True)
class Written:
    """An event of settlement, as its body has it."""

    row: Row
    event_type: str
    data: Mapping[str, Any]
    transfers: Sequence[Mapping[str, Any]]

    @property
    def cause(self) -> int:
        """The number of the event of the game that brought it about; 0: it names none."""
        cause = self.data.get("cause")
        return cause if isinstance(cause, int) else 0

    @property
    def lots(self) -> Sequence[Mapping[str, Any]]:
        """What it says of payouts that are or were held."""
        lots = self.data.get("lots", ())
        return lots if isinstance(lots, list) else ()

    def moved(self) -> list[Transfer]:
        return sorted(
            (each["debit"], each["credit"], each["amount"], each["reverses"] or "")
            for each in self.transfers
        )


@dataclass(frozen=True, slots=True)
class Due:
    """
    What the rules lead to at one event of a game, as settlement is to book it.

    :param cancelled: by a void: the events with money or points that it takes back, in order.
    """

    event_type: str
    cause: int
    fact: Fact
    cancelled: tuple[int, ...] = ()

    @property
    def payments(self) -> tuple[Payment, ...]:
        return self.fact.payments if self.event_type == BOOKED else ()


class Books:
    """
    The bookings of one game.

    :ivar reversed_at: cause -> where in the ledger its booking was taken back.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.rows, self.result = game, game.rows, game.result
        self.cursors = game.stored.cursors
        self.written = [each for row in self.rows.booked if (each := self.read(row))]
        self.reversed_at: dict[int, int] = {}
        self.holds = Holds(self)
        game.found.bookings = len(self.written)

    def read(self, row: Row) -> Written | None:
        try:
            body = json.loads(row.body)
            data, _ = wire.lifted(body["event_type"], body["schema_version"], body["data"])
            return Written(row, body["event_type"], data, body["transfers"])
        except (ValueError, LookupError, TypeError) as error:
            self.game.unreadable("booking", row, error)
            return None

    def compared(self) -> None:
        booked: dict[tuple[str, int], list[Written]] = defaultdict(list)
        for each in self.written:
            booked[each.event_type, each.cause].append(each)
            self.scored(each)
            if each.event_type == REVERSED:
                for cause in each.data.get("reverses", ()):
                    self.reversed_at.setdefault(cause, each.row.position)
        shown = Shown(self)
        for due in self.due():
            if due.event_type in {BOOKED, REVERSED}:
                self.is_booked(due, booked.pop((due.event_type, due.cause), []), shown)
            else:
                self.holds.compared(due.cause, due.fact, booked)
        self.holds.resumed(booked)
        for (event_type, cause), surplus in booked.items():
            for each in surplus if event_type in {BOOKED, REVERSED, HELD, RELEASED} else ():
                self.differs("unexpected", cause, found=each)
        Prizes(self).compared([each for each in self.written if each.event_type == PRIZE_ISSUED])
        shown.nothing_else()

    def scored(self, booking: Written) -> None:
        """Count what a booking did to the scoreboard; of one behind the run's end it is not."""
        if self.game.ruleset and booking.row.position < self.game.stored.stop:
            for player, points in said(booking)["points"].items():
                self.game.found.scored(self.game.ruleset.id, player, Fraction(points))

    def due(self) -> Iterator[Due]:
        """What is to be booked by now, event by event; the game waits if that is not all."""
        standing: list[int] = []
        for number, fact in enumerate(self.result.facts, 1):
            if fact is None or (due := self.due_at(number, fact, standing)) is None:
                continue
            row = self.rows.played[number - 1]
            if not self.cursors.settlement.reached(row.position, row.stream):
                self.waits(row)
                return
            yield due

    def due_at(self, number: int, fact: Fact, standing: list[int]) -> Due | None:
        if isinstance(fact, Voided):
            cancelled = tuple(each for each in standing if each >= fact.back_to)
            del standing[len(standing) - len(cancelled) :]
            back = Due(REVERSED, number, fact, cancelled)
            return back if self.reverses(back) or self.brought(back) else None
        if isinstance(fact, Disputed | Witnessed | Resolved):
            return Due(HELD, number, fact) if self.holds.any else None
        pays = bool(fact.payments or fact.points)
        if pays or fact.buy_ins:
            standing.append(number)
        return Due(BOOKED, number, fact) if pays else None

    def reverses(self, due: Due) -> list[int]:
        """The causes whose bookings a void takes back."""
        facts = ((each, self.result.facts[each - 1]) for each in due.cancelled)
        return [each for each, fact in facts if fact and (fact.payments or fact.points)]

    def brought(self, due: Due) -> list[Mapping[str, Any]]:
        """The money that came to the table with what a void cancels, as it was moved."""
        return [transfer for moved in self.brought_by(due).values() for transfer in moved]

    def brought_by(self, due: Due) -> dict[int, list[Mapping[str, Any]]]:
        """The same, by the number of the event that it came with."""
        facts = ((each, self.result.facts[each - 1]) for each in due.cancelled)
        return {
            each: list(self.game.bodies[each - 1]["transfers"])
            for each, fact in facts
            if fact and fact.buy_ins
        }

    def waits(self, row: Row) -> None:
        parked = row.stream in self.cursors.settlement.parked
        self.game.found.waiting.append(
            {
                "game": self.rows.game,
                "why": "parked" if parked else "not_settled",
                "position": row.position,
                "day": row.day.isoformat(),
            }
        )

    def points(self, due: Due) -> dict[str, Fraction]:
        """What a booking adds to the scoreboard; what a void takes from it."""
        sign = -1 if due.event_type == REVERSED else 1
        scored: dict[str, Fraction] = defaultdict(Fraction)
        for cause in due.cancelled or (due.cause,):
            fact = self.result.facts[cause - 1]
            for player, points in fact.points if fact else ():
                scored[player] += sign * points
        return {player: points for player, points in scored.items() if points}

    def is_booked(self, due: Due, found: Sequence[Written], shown: Shown) -> None:
        self.game.found.payouts += len(due.payments)
        expected = self.expected(due)
        if not found:
            self.differs("missing", due.cause, expected=expected)
            return
        first, *again = found
        for each in again:
            self.differs("twice", due.cause, expected=expected, found=each)
        if said(first) != expected:
            self.differs("altered", due.cause, expected=expected, found=first)
        elif first.moved() not in ((moves := self.moves(due)), self.before_boxes(due)):
            self.game.differs(
                "transfer", "altered", event=due.cause, round=self.round_of(due.cause),
                position=first.row.position, expected=moves, found=first.moved(),
            )  # fmt: skip
        shown.compared(first, due.payments)

    def expected(self, due: Due) -> dict[str, Any]:
        points = {player: str(points) for player, points in self.points(due).items()}
        what: dict[str, Any] = (
            {"reverses": self.reverses(due)}
            if due.event_type == REVERSED
            else {"payments": [written(payment) for payment in due.payments]}
        )
        lots = self.holds.lots(due)
        return {"cause": due.cause, **what, "points": points, **({"lots": lots} if lots else {})}

    def moves(self, due: Due) -> list[Transfer]:
        """The transfers that are to be booked."""
        if self.holds.any:
            return self.holds.moves(due)
        if due.event_type == REVERSED:
            causes = set(self.reverses(due))
            booked = [
                transfer
                for each in self.written
                if each.event_type == BOOKED and each.cause in causes
                for transfer in each.transfers
            ]
            return sorted(map(_mirrored, [*booked, *self.brought(due)]))
        return sorted(each for payment in due.payments for each in self.transfers(payment))

    def before_boxes(self, due: Due) -> list[Transfer]:
        """As it was booked where fees did not lie in boxes yet; what is booked stays so."""
        booked = due.event_type == BOOKED and not self.holds.any
        return sorted(map(self.transfer, due.payments)) if booked else self.moves(due)

    def transfers(self, payment: Payment) -> Iterator[Transfer]:
        """What a payment moves: a fee also from the table's float into its box (A5)."""
        yield self.transfer(payment)
        if (boxed := accounts.boxed(self.table, payment)) is not None:
            yield str(boxed[0]), str(boxed[1]), payment.amount, ""

    @cached_property
    def table(self) -> str:
        """Where the game was opened, as its first event says."""
        opening = self.game.bodies[0]["data"] if self.game.bodies else {}
        table = opening.get("table")
        return table if isinstance(table, str) else ""

    def transfer(self, payment: Payment) -> Transfer:
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


def said(booking: Written) -> dict[str, Any]:
    """The data of a booking as far as the rules decide it, points as exact fractions."""
    name = "reverses" if booking.event_type == REVERSED else "payments"
    points = booking.data.get("points") or {}
    try:
        scored = {player: Fraction(value) for player, value in points.items()}
        points = {player: str(value) for player, value in scored.items() if value}
    except (ValueError, TypeError, AttributeError):
        points = {}  # no points at all
    lots = {"lots": list(booking.lots)} if booking.lots else {}
    return {"cause": booking.cause, name: booking.data.get(name), "points": points, **lots}


def _mirrored(transfer: Mapping[str, Any]) -> Transfer:
    return transfer["credit"], transfer["debit"], transfer["amount"], transfer["transfer_id"]
