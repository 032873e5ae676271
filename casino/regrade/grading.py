"""
One game graded: its events decided again, then what settlement booked held against that, then
the payouts that screens read. Explanations are made for games that differ, and for no others.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from casino.game_streams import catalogue
from casino.regrade.books import Books
from casino.regrade.findings import Difference, Findings, Kind, What
from games import regrade
from ledger import wire

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from casino.regrade.reading import Cursors, GameRows, Row
    from casino.settlement.models import Payout, PrizeIssued
    from games.game import Ruleset
    from games.messages import Fact

NO_RULES = "No rules of this name and version are on offer here."


@dataclass(frozen=True, slots=True)
class Stored:
    """What the database keeps of the games of a slice beside their events."""

    establishment: UUID
    cursors: Cursors
    payouts: Mapping[str, Sequence[Payout]]
    prizes: Mapping[int, Sequence[PrizeIssued]]
    """By the position of the event on whose points they rest."""
    stop: int
    """The position behind the last one of the run."""
    stops: Sequence[tuple[int, str]] = ()
    """Where the house's payouts were stopped and resumed, in order: position and event type."""


def graded(rows: GameRows, stored: Stored, *, current: bool = False) -> Findings:
    """A game, whole; whatever is wrong with it is found and said, not raised."""
    game = Game(rows, stored)
    return game.by_current() if current else game.by_its_own()


class Game:
    """`bodies`: of the game's own events, those before the first that is missing or unreadable."""

    def __init__(self, rows: GameRows, stored: Stored) -> None:
        self.rows, self.stored = rows, stored
        self.found = Findings(games=1, events=len(rows.played) + len(rows.booked))
        self.ruleset: Ruleset | None = None
        self.bodies: list[Mapping[str, Any]] = []
        self.result = regrade.Regraded()

    def by_current(self) -> Findings:
        """What the rules of today would have paid; nothing else is looked at."""
        record = self.record()
        if self.pinned() and self.ruleset is not None:
            self.ruleset = catalogue.current(self.ruleset.id)
            self.result = regrade.by_current(self.ruleset, record)
            self.found.payouts = sum(len(fact.payments) for fact in self.result.found)
            self.told_of_events()
        return self.explained()

    def by_its_own(self) -> Findings:
        record = self.record()
        if self.pinned() and self.ruleset is not None:
            self.result = regrade.regrade(self.ruleset, record)
            self.told_of_events()
            try:
                Books(self).compared()
            except Exception as error:  # noqa: BLE001 - what was forged may break anything
                said = f"{type(error).__name__}: {error}"
                self.differs("booking", "unreadable", said=said)
        return self.explained()

    def record(self) -> list[regrade.Recorded]:
        """The events as the rules read them, up to the first that is missing or unreadable."""
        record = []
        for number, row in enumerate(self.rows.played, 1):
            if row.version != number:
                said = f"Event {number} is missing from the ledger."
                self.differs("event", "missing", event=number, said=said)
                break
            try:
                body = json.loads(row.body)
                data, _ = wire.lifted(body["event_type"], body["schema_version"], body["data"])
                at = int(datetime.fromisoformat(body["occurred_at"]).timestamp())
                record.append(regrade.Recorded(body["event_type"], data, at))
            except (ValueError, LookupError, TypeError) as error:
                self.unreadable("event", row, error, event=number)
                break
            self.bodies.append(body)
        return record

    def pinned(self) -> bool:
        """Find the rules that the game was opened under."""
        if not self.bodies:
            if not self.rows.played:
                said = "Settlement has booked for a game that there is not."
                self.differs("event", "missing", event=1, said=said)
            return False
        row = self.rows.played[0]
        opening = wire.read_event(self.stored.establishment, row.position, row.body, b"")
        try:
            self.ruleset = catalogue.pinned(opening)
        except LookupError:
            self.differs(
                "event", "unreadable", event=1, position=row.position, found=opening.event_type,
                said=NO_RULES,
            )  # fmt: skip
        return self.ruleset is not None

    def told_of_events(self) -> None:
        for each in self.result.differences:
            missing = each.what == "missing"
            self.differs(
                "event",
                each.what,
                round=each.round,
                event=each.number,
                position=None if missing else self.rows.played[each.number - 1].position,
                expected=self.shown(each.expected),
                found=self.shown(each.found) or self.raw(each.number, missing=missing),
                said=each.said,
            )

    def shown(self, fact: Fact | None) -> dict[str, Any] | None:
        if fact is None or self.ruleset is None:
            return None
        event_type, data = self.ruleset.encode(fact)
        return {"type": event_type, **data}

    def raw(self, number: int, *, missing: bool) -> dict[str, Any] | None:
        if missing:
            return None
        body = self.bodies[number - 1]
        return {"type": body["event_type"], "data": body["data"]}

    def differs(self, kind: Kind, what: What, **more: Any) -> None:
        ruleset = self.ruleset.id if self.ruleset else None
        self.found.differences.append(
            Difference(kind=kind, what=what, game=self.rows.game, ruleset=ruleset, **more)
        )

    def unreadable(self, kind: Kind, row: Row, error: Exception, **more: Any) -> None:
        said = f"{type(error).__name__}: {error}"
        self.differs(kind, "unreadable", position=row.position, said=said, **more)

    def explained(self) -> Findings:
        """Each difference with what both histories say of its round."""
        if self.found.differences and self.ruleset is not None:
            self.found.differences = [
                replace(each, because=self.because(each.round)) for each in self.found.differences
            ]
        return self.found

    def because(self, round_no: int | None) -> dict[str, Any]:
        told = {"expected": self.as_decided, "found": self.as_recorded}
        return {name: rounds[round_no] for name, rounds in told.items() if round_no in rounds}

    @cached_property
    def as_decided(self) -> Mapping[Any, Any]:
        return regrade.explanations(self.ruleset, self.result.decided) if self.ruleset else {}

    @cached_property
    def as_recorded(self) -> Mapping[Any, Any]:
        return regrade.explanations(self.ruleset, self.result.found) if self.ruleset else {}
