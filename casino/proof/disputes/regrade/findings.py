"""The findings of a regrade: how much was compared, which games wait, and every difference."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal
from uuid import UUID

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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
