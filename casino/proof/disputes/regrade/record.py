"""One game, read from its events for a regrade, and the findings about it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from casino.house.acts.game_streams import catalogue
from casino.proof.disputes.regrade.findings import Difference, Findings, Kind, What
from games import regrade
from ledger import wire

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from casino.play.settlement.models import Payout, PrizeIssued
    from casino.proof.disputes.regrade.reading import Cursors, GameRows, Row
    from games.game import Ruleset

NO_RULES = "No rules of this name and version are on offer here."


@dataclass(frozen=True, slots=True)
class Stored:
    """What the database has about the games of a slice, apart from their events."""

    establishment: UUID
    cursors: Cursors
    payouts: Mapping[str, Sequence[Payout]]
    prizes: Mapping[int, Sequence[PrizeIssued]]
    """By the position of the event whose points won them."""
    stop: int
    """The position after the last one of the run."""
    stops: Sequence[tuple[int, str]] = ()
    """Where the house's payouts were stopped and resumed, in order: position and event type."""


class GameRecord:
    """
    The events of one game, and the findings about them.

    :ivar bodies: of the game's own events, up to the first that is missing or unreadable.
    """

    def __init__(self, rows: GameRows, stored: Stored) -> None:
        self.rows, self.stored = rows, stored
        self.found = Findings(games=1, events=len(rows.played) + len(rows.booked))
        self.ruleset: Ruleset | None = None
        self.bodies: list[Mapping[str, Any]] = []
        self.result = regrade.Regraded()

    def record(self) -> list[regrade.Recorded]:
        """The events as the rules read them, up to the first that is missing or unreadable."""
        record = []
        for number, row in enumerate(self.rows.played, 1):
            if row.version != number:
                reason = f"Event {number} is missing from the ledger."
                self.differs("event", "missing", event=number, said=reason)
                break
            try:
                body = json.loads(row.body)
                data, _ = wire.lift(body["event_type"], body["schema_version"], body["data"])
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
                reason = "Settlement has booked for a game that there is not."
                self.differs("event", "missing", event=1, said=reason)
            return False
        row = self.rows.played[0]
        opening = wire.read_event(self.stored.establishment, row.position, row.body, b"")
        try:
            self.ruleset = catalogue.ruleset_of(opening)
        except LookupError as unknown:
            if catalogue.is_missing(opening):  # False for a version that an installed game lacks
                self.waits(row, "not_installed", package=catalogue.not_installed(opening).game)
                return False
            named = isinstance(unknown, catalogue.GameNotInstalled)
            self.differs(
                "event", "unreadable", event=1, position=row.position, found=opening.event_type,
                said=f"{NO_RULES} {unknown}" if named else NO_RULES,
            )  # fmt: skip
        return self.ruleset is not None

    def waits(self, row: Row, why: str, **more: str) -> None:
        """List the game as waiting: it cannot be graded (completely) yet. That is no difference."""
        day = row.day.isoformat()
        game = {"game": self.rows.game, "why": why, "position": row.position, "day": day, **more}
        self.found.waiting.append(game)

    def differs(self, kind: Kind, what: What, **more: Any) -> None:
        ruleset = self.ruleset.id if self.ruleset else None
        self.found.differences.append(
            Difference(kind=kind, what=what, game=self.rows.game, ruleset=ruleset, **more)
        )

    def unreadable(self, kind: Kind, row: Row, error: Exception, **more: Any) -> None:
        reason = f"{type(error).__name__}: {error}"
        self.differs(kind, "unreadable", position=row.position, said=reason, **more)
