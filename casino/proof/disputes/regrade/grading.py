"""
Grades a slice of a house's ledger, game by game, and the rows of transfers and payouts.

The events of a game are decided again, then the result is compared with what settlement booked and
with the payouts that screens read. Explanations are made only for games that differ.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from casino.engine.processes.memory import without_collector
from casino.house.acts.game_streams import catalogue
from casino.play.settlement import payout_holds, scoreboard
from casino.play.settlement.models import Payout, PrizeIssued
from casino.play.settlement.settled import BOOKED, HELD, PRIZE_ISSUED, RELEASED, REVERSED
from casino.proof.disputes.regrade import reading
from casino.proof.disputes.regrade.bookings import (
    Bookings,
    Due,
    Holds,
    Prizes,
    TransferFields,
    Written,
)
from casino.proof.disputes.regrade.findings import Difference, Findings, GameRecord, Stored
from games import regrade
from games.messages import (
    CashedOut,
    Disputed,
    Resolved,
    Voided,
    VoidRejected,
    VoidRequested,
    Witnessed,
)
from games.wire import write
from ledger.accounts import Kind
from ledger.models import Event, Transfer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from uuid import UUID

    from casino.proof.disputes.regrade.findings import What
    from casino.proof.disputes.regrade.reading import GameRows, Period, Row, Slice
    from games.messages import Fact
    from games.payments import Payment


def grade_game(rows: GameRows, stored: Stored, *, current: bool = False) -> Findings:
    """Grade a whole game. What is wrong with it is a finding, not an exception."""
    game = Game(rows, stored)
    return game.by_current() if current else game.by_its_own()


class Game(GameRecord):
    """A game record that is graded: by the rules it was opened under, or by today's rules."""

    def by_current(self) -> Findings:
        """Grade by today's rules: what they would have paid. Nothing else is compared."""
        record = self.record()
        if self.pinned() and self.ruleset is not None:
            self.ruleset = catalogue.current(self.ruleset.id)
            self.result = regrade.by_current(self.ruleset, record)
            self.found.payouts = sum(len(fact.payments) for fact in self.result.found)
            self.report_events()
        return self.with_explanations()

    def by_its_own(self) -> Findings:
        record = self.record()
        if self.pinned() and self.ruleset is not None:
            self.result = regrade.regrade(self.ruleset, record)
            self.report_events()
            try:
                Books(self).compare()
            except Exception as error:  # noqa: BLE001 - what was forged may break anything
                reason = f"{type(error).__name__}: {error}"
                self.differs("booking", "unreadable", said=reason)
        return self.with_explanations()

    def report_events(self) -> None:
        for each in self.result.differences:
            missing = each.what == "missing"
            self.differs(
                "event",
                each.what,
                round=each.round,
                event=each.number,
                position=None if missing else self.rows.played[each.number - 1].position,
                expected=self.encode(each.expected),
                found=self.encode(each.found) or self.raw(each.number, missing=missing),
                said=each.detail,
            )

    def encode(self, fact: Fact | None) -> dict[str, Any] | None:
        if fact is None or self.ruleset is None:
            return None
        event_type, data = self.ruleset.encode(fact)
        return {"type": event_type, **data}

    def raw(self, number: int, *, missing: bool) -> dict[str, Any] | None:
        if missing:
            return None
        body = self.bodies[number - 1]
        return {"type": body["event_type"], "data": body["data"]}

    def with_explanations(self) -> Findings:
        """The findings, each difference with the explanations of its round by both histories."""
        if self.found.differences and self.ruleset is not None:
            self.found.differences = [
                replace(each, because=self.because(each.round)) for each in self.found.differences
            ]
        return self.found

    def because(self, round_no: int | None) -> dict[str, Any]:
        sides = {"expected": self.as_decided, "found": self.as_recorded}
        return {name: rounds[round_no] for name, rounds in sides.items() if round_no in rounds}

    @cached_property
    def as_decided(self) -> Mapping[Any, Any]:
        return regrade.explanations(self.ruleset, self.result.decided) if self.ruleset else {}

    @cached_property
    def as_recorded(self) -> Mapping[Any, Any]:
        return regrade.explanations(self.ruleset, self.result.found) if self.ruleset else {}


# Compare what settlement booked for a game with what the rules decide.


class Books(Bookings):
    """
    The bookings of a game, compared with what the rules decide.

    :ivar reversed_at: cause -> the ledger position at which its booking was taken back.
    """

    def __init__(self, game: GameRecord) -> None:
        super().__init__(game)
        self.reversed_at: dict[int, int] = {}
        self.holds = Holds(self)
        game.found.bookings = len(self.written)

    def compare(self) -> None:
        booked: dict[tuple[str, int], list[Written]] = defaultdict(list)
        for each in self.written:
            booked[each.event_type, each.cause].append(each)
            self.scored(each)
            if each.event_type == REVERSED:
                for cause in each.data.get("reverses", ()):
                    self.reversed_at.setdefault(cause, each.row.position)
        projected = ProjectedPayouts(self)
        for due in self.due():
            if due.event_type in {BOOKED, REVERSED}:
                self.is_booked(due, booked.pop((due.event_type, due.cause), []), projected)
            else:
                self.holds.compare(due.cause, due.fact, booked)
        self.holds.resumed(booked)
        for (event_type, cause), surplus in booked.items():
            for each in surplus if event_type in {BOOKED, REVERSED, HELD, RELEASED} else ():
                self.differs("unexpected", cause, found=each)
        Prizes(self).compare([each for each in self.written if each.event_type == PRIZE_ISSUED])
        projected.nothing_else()

    def scored(self, booking: Written) -> None:
        """Count the points of a booking, unless it comes after the end of the run."""
        if self.game.ruleset and booking.row.position < self.game.stored.stop:
            try:
                changes = list(scoreboard.changes_of(booking.data))
            except (ValueError, TypeError, AttributeError, LookupError):
                return  # unreadable points count as none; the booking differs
            for each in changes:
                self.game.found.scored(self.game.ruleset.id, each.season, each.player, each.points)

    def due(self) -> Iterator[Due]:
        """
        What settlement has to have booked, event by event, as far as it has read the game. If it
        has not read all of the game, the game is listed as waiting.
        """
        in_force: list[int] = []
        for number, fact in enumerate(self.result.facts, 1):
            if fact is None or (due := self.due_at(number, fact, in_force)) is None:
                continue
            row = self.rows.played[number - 1]
            if not self.cursors.settlement.reached(row.position, row.stream):
                self.waits(row)
                return
            yield due

    def due_at(self, number: int, fact: Fact, in_force: list[int]) -> Due | None:
        if isinstance(fact, Voided):
            cancelled = tuple(each for each in in_force if each >= fact.back_to)
            del in_force[len(in_force) - len(cancelled) :]
            back = Due(REVERSED, number, fact, cancelled)
            return back if self.reverses(back) or self.buy_ins(back) else None
        if isinstance(fact, Disputed | Witnessed | Resolved | VoidRequested | VoidRejected):
            return Due(HELD, number, fact) if self.holds.any else None
        pays = bool(fact.payments or fact.points)
        if pays or fact.buy_ins:
            in_force.append(number)
        return Due(BOOKED, number, fact) if pays else None

    def waits(self, row: Row) -> None:
        parked = row.stream in self.cursors.settlement.parked
        self.game.waits(row, "parked" if parked else "not_settled")

    def points(self, due: Due) -> dict[str, Fraction]:
        """The points that a booking adds to the scoreboard; negative for a void."""
        sign = -1 if due.event_type == REVERSED else 1
        scored: dict[str, Fraction] = defaultdict(Fraction)
        for cause in due.cancelled or (due.cause,):
            fact = self.result.facts[cause - 1]
            for player, points in fact.points if fact else ():
                scored[player] += sign * points
        return {player: points for player, points in scored.items() if points}

    def is_booked(self, due: Due, found: Sequence[Written], projected: ProjectedPayouts) -> None:
        self.game.found.payouts += len(due.payments)
        expected = self.expected(due)
        if not found:
            self.differs("missing", due.cause, expected=expected)
            return
        first, *again = found
        for each in again:
            self.differs("twice", due.cause, expected=expected, found=each)
        if comparable(first) != expected:
            self.differs("altered", due.cause, expected=expected, found=first)
        elif first.moved() not in ((moves := self.moves(due)), self.before_boxes(due)):
            self.game.differs(
                "transfer", "altered", event=due.cause, round=self.round_of(due.cause),
                position=first.row.position, expected=moves, found=first.moved(),
            )  # fmt: skip
        projected.compare(first, due.payments)

    def expected(self, due: Due) -> dict[str, Any]:
        points = {player: str(points) for player, points in self.points(due).items()}
        decided: dict[str, Any] = (
            {"reverses": self.reverses(due)}
            if due.event_type == REVERSED
            else {"payments": [write(payment) for payment in due.payments]}
        )
        lots = self.holds.lots(due)
        return {"cause": due.cause, **decided, "points": points, **({"lots": lots} if lots else {})}

    def moves(self, due: Due) -> list[TransferFields]:
        """The transfers that settlement has to book."""
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
            return sorted(map(_mirror, [*booked, *self.buy_ins(due)]))
        return sorted(each for payment in due.payments for each in self.transfers(payment))

    def before_boxes(self, due: Due) -> list[TransferFields]:
        """The transfers as they were booked before there were fee boxes: these remain valid."""
        booked = due.event_type == BOOKED and not self.holds.any
        return sorted(map(self.transfer, due.payments)) if booked else self.moves(due)


def comparable(booking: Written) -> dict[str, Any]:
    """The data of a booking that the rules decide, with points as exact fractions."""
    name = "reverses" if booking.event_type == REVERSED else "payments"
    points = booking.data.get("points") or {}
    try:
        scored = {player: Fraction(value) for player, value in points.items()}
        points = {player: str(value) for player, value in scored.items() if value}
    except (ValueError, TypeError, AttributeError):
        points = {}  # unreadable points count as none
    lots = {"lots": list(booking.lots)} if booking.lots else {}
    return {"cause": booking.cause, name: booking.data.get(name), "points": points, **lots}


def _mirror(transfer: Mapping[str, Any]) -> TransferFields:
    return transfer["credit"], transfer["debit"], transfer["amount"], transfer["transfer_id"]


# Compare the payout rows of a game, which screens read, with what the rules decide.


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

    def note_booked(self, booking: Written) -> None:
        if booking.event_type == BOOKED:
            self._at[booking.cause] = booking.row.position
            for seq, payment in enumerate(booking.data["payments"]):
                self.states[booking.row.position, seq] = PaymentState()
                self._payees[booking.row.position, seq] = payment["to"]
        for lot in booking.lots:
            cause, _, seq = lot["payout"].partition(".")
            self._set_held((self._at.get(int(cause), -1), int(seq)), lot["left"], tuple(lot["why"]))
        if booking.event_type == REVERSED:
            gone = {self._at[cause] for cause in booking.data["reverses"] if cause in self._at}
            for key in self.states:
                if key[0] in gone:
                    self.states[key] = PaymentState(State.REVERSED)

    def _set_held(self, key: tuple[int, int], left: int, why: tuple[str, ...]) -> None:
        known = self.states.get(key)
        if known is None or known.state == State.REVERSED:
            return
        if known.state == State.PAID and not left:
            return
        self.states[key] = PaymentState(State.HELD if why else State.RELEASED, left, why)

    def note_cash_out(self, player: str) -> None:
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

    def compare(self, booking: Written, payments: Sequence[Payment]) -> None:
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
                    payments.note_cash_out(happened.player)
            elif happened is not None and self.reached(position):
                payments.note_booked(happened)
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


# Grades a slice of a house's ledger: its games, and its rows of transfers and payouts.


NO_TRANSFERS = b'"transfers":[]}'  # the end of a canonical body without transfers


@dataclass(frozen=True, slots=True)
class Scope:
    """
    What is regraded.

    :param stretch: the positions of the period when the run began.
    :param current: whether to grade by today's rules: only payments, and for information.
    """

    establishment: UUID
    period: Period
    stretch: range
    current: bool = False


def grade(scope: Scope, span: range) -> Findings:
    """Grade a slice of the ledger. Games that continue after the slice are graded whole."""
    house, found = scope.establishment, Findings()
    with reading.snapshot(), without_collector():
        at = reading.cursors(house)
        piece = reading.slice_of(house, span, scope.period)
        payouts = {} if scope.current else _payouts(house, [game.game for game in piece.games])
        prizes = {} if scope.current else _prizes(house, piece)
        stopped = () if scope.current else _stops(house)
        stored = Stored(house, at, payouts, prizes, scope.stretch.stop, stopped)
        for game in piece.games:
            found.take(grade_game(game, stored, current=scope.current))
        if not scope.current:
            found.differences += _transfers_differ(house, piece, scope.period)
            found.differences += _payouts_of_nothing(house, piece, scope.period)
    return found


def _stops(establishment: UUID) -> list[tuple[int, str]]:
    rows = Event.objects.filter(establishment=establishment, stream=payout_holds.STREAM)
    return list(rows.order_by("stream_version").values_list("position", "event_type"))


def _payouts(establishment: UUID, games: Sequence[str]) -> dict[str, list[Payout]]:
    rows: dict[str, list[Payout]] = defaultdict(list)
    for row in Payout.objects.filter(establishment=establishment, game__in=games).order_by():
        rows[str(row.game)].append(row)
    return rows


def _prizes(establishment: UUID, piece: Slice) -> dict[int, list[PrizeIssued]]:
    """The prizes issued for these games, by the position of the event that caused each."""
    ends = [row.position for game in piece.games for row in (*game.played[:1], *game.played[-1:])]
    if not ends:
        return {}
    rows: dict[int, list[PrizeIssued]] = defaultdict(list)
    issued = PrizeIssued.objects.filter(
        establishment=establishment, position__range=(min(ends), max(ends))
    )
    for row in issued:
        rows[row.position].append(row)
    return rows


def _transfers_differ(establishment: UUID, piece: Slice, period: Period) -> Iterator[Difference]:
    """The differences between the rows of transfers and the bodies of their events."""
    rows: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    columns = (
        "position", "transfer_id", "debit_kind", "debit_name", "credit_kind", "credit_name",
        "amount", "reason", "reverses",
    )  # fmt: skip
    span = piece.span
    found = Transfer.objects.filter(
        establishment=establishment, position__gte=span.start, position__lt=span.stop
    ).order_by("position", "seq")
    for position, *values in found.values_list(*columns):
        rows[position].append(_as_in_body(*values))
    for row in piece.rows:
        kept = rows.pop(row.position, [])
        if (kept or not row.body.endswith(NO_TRANSFERS)) and period.holds(row.day):
            yield from _unlike(row, kept)
    for position, kept in rows.items():
        yield Difference(
            kind="transfer", what="unexpected", position=position, found=kept,
            said="There is no event at this position.",
        )  # fmt: skip


def _unlike(row: Row, kept: Sequence[tuple[Any, ...]]) -> Iterator[Difference]:
    try:
        body: Mapping[str, Any] = json.loads(row.body)
        in_body = [
            (each["transfer_id"], each["debit"], each["credit"], each["amount"], each["reason"],
             each["reverses"])
            for each in body["transfers"]
        ]  # fmt: skip
    except (ValueError, LookupError, TypeError):
        return  # grading its game reports the unreadable event
    if in_body == list(kept):
        return
    less, more = len(kept) < len(in_body), len(kept) > len(in_body)
    kind, _, game = row.stream.partition("/")
    yield Difference(
        kind="transfer",
        what="missing" if less else "unexpected" if more else "altered",
        game=game if kind in {reading.GAME, reading.BOOKS} else None,
        event=body["data"].get("cause") if kind == reading.BOOKS else None,
        position=row.position,
        expected=[each for each in in_body if each not in kept],
        found=[each for each in kept if each not in in_body],
        said="The rows of this event's transfers are not what its body says.",
    )


def _as_in_body(  # noqa: PLR0913, PLR0917 - a row
    transfer_id: UUID, debit: str, debit_name: str, credit: str, credit_name: str, amount: int,
    reason: str, reverses: UUID | None,
) -> tuple[Any, ...]:  # fmt: skip
    """The row of a transfer in the form of an event's body."""
    mirrored = None if reverses is None else str(reverses)
    ends = f"{debit}:{debit_name}", f"{credit}:{credit_name}"
    return (str(transfer_id), *ends, amount, reason, mirrored)


def _payouts_of_nothing(establishment: UUID, piece: Slice, period: Period) -> Iterator[Difference]:
    """Payout rows of the slice that nothing booked, of games that this run does not grade."""
    streams = {row.position: row.stream for row in piece.rows}
    span = piece.span
    rows = Payout.objects.filter(
        establishment=establishment, position__gte=span.start, position__lt=span.stop
    )
    found = [
        (position, seq, str(game))
        for position, seq, game in rows.order_by().values_list("position", "seq", "game")
        if streams.get(position) != f"{reading.BOOKS}/{game}"
    ]
    graded = reading.met(establishment, {game for _, _, game in found}, period)
    for position, seq, game in found:
        if game not in graded:
            yield Difference(
                kind="payout", what="unexpected", game=game, position=position,
                found={"position": position, "seq": seq},
                said="Nothing was booked for this game at this position.",
            )  # fmt: skip
