"""What a regrade reads of one game, and what it finds: counts, games that wait, differences."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal
from uuid import UUID

from casino.house.acts.game_streams import catalogue
from games import regrade
from ledger import wire

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from casino.play.settlement.models import Payout, PrizeIssued
    from casino.proof.disputes.regrade.reading import Cursors, GameRows, Row
    from games.game import Ruleset

Kind = Literal["event", "booking", "transfer", "payout", "prize", "points"]
What = Literal["altered", "missing", "unexpected", "twice", "refused", "unreadable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """
    One difference between what is recorded and what the rules decide.

    :param kind: what differs: an event of the game, a booking, the row of a transfer, the row of a
        payout that screens read, a prize, the points on the scoreboard.
    :param event: the number of the event in the game; for a booking that of its cause.
    :param position: the ledger position of what differs; None if it is missing.
    :param expected: what the rules decide; None: nothing.
    :param found: what is recorded; None: nothing.
    :param said: why the rules refuse it, or why it cannot be read.
    :param because: the explanation of the round by each side: ``expected`` and ``found``.
    """

    kind: Kind
    what: What
    game: str | None = None
    ruleset: str | None = None
    round: int | None = None
    event: int | None = None
    position: int | None = None
    expected: Any = None
    found: Any = None
    said: str = ""
    because: Mapping[str, Any] = field(default_factory=dict)

    @property
    def game_id(self) -> UUID | None:
        """The id of the game; None also if the stream was forged and names no game."""
        try:
            return UUID(self.game) if self.game else None
        except ValueError:
            return None

    def as_dict(self) -> dict[str, Any]:
        """The difference as JSON, without empty fields."""
        return {name: value for name, value in asdict(self).items() if value not in (None, "", {})}


@dataclass(slots=True)
class Findings:
    """
    What a regrade, or a part of it, has found.

    :param bookings: the number of events of settlement that were compared.
    :param payouts: the number of payments in them.
    :param points: by ruleset, season and player, as the scoreboard has to have them.
    :param waiting: the games that are not settled yet, each with the reason and the first day.
    """

    games: int = 0
    events: int = 0
    bookings: int = 0
    payouts: int = 0
    differences: list[Difference] = field(default_factory=list)
    waiting: list[dict[str, Any]] = field(default_factory=list)
    points: dict[tuple[str, int, str], Fraction] = field(default_factory=dict)

    def counted(self, other: Findings) -> None:
        """Add the counts and points of other findings, but not what they list."""
        self.games += other.games
        self.events += other.events
        self.bookings += other.bookings
        self.payouts += other.payouts
        for (ruleset, season, player), points in other.points.items():
            self.scored(ruleset, season, player, points)

    def take(self, other: Findings) -> None:
        """Add all of other findings: counts, points, differences and waiting games."""
        self.counted(other)
        self.differences += other.differences
        self.waiting += other.waiting

    def scored(self, ruleset: str, season: int, player: str, points: Fraction) -> None:
        key = ruleset, season, player
        self.points[key] = self.points.get(key, Fraction()) + points

    def figures(self) -> dict[str, int]:
        names: Iterable[str] = ("games", "events", "bookings", "payouts")
        return {name: getattr(self, name) for name in names}


# One game, read from its events for a regrade, and the findings about it.


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
