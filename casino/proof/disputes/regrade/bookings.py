"""The bookings of a game: what settlement booked, read from the bodies of its events."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from uuid import UUID

from casino.house.acts import accounts
from casino.play.settlement.settled import BOOKED
from ledger import wire

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from casino.proof.disputes.regrade.findings import What
    from casino.proof.disputes.regrade.reading import Row
    from casino.proof.disputes.regrade.record import GameRecord
    from games.messages import Fact
    from games.payments import Payment

Transfer = tuple[str, str, int, str]
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

    def moved(self) -> list[Transfer]:
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

    def transfers(self, payment: Payment) -> Iterator[Transfer]:
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
