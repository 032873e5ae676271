"""A slice of a house's ledger: each game that opened in it, as it was and would have been."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from casino.platform.memory import uncollected
from casino.regrade import reading
from casino.regrade.grading import Game
from casino.regrade.reading import Cursors, Subscriber
from casino.regrade.record import Stored
from casino.what_if.figures import Figures
from casino.what_if.replaying import Replayed, Undecided, replayed
from casino.what_if.rolling import Left, Rollovers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date
    from uuid import UUID

    from casino.regrade.reading import GameRows, Period
    from casino.what_if.changes import Change
    from casino.what_if.figures import Outcome
    from games.game import Ruleset
    from games.regrade import Recorded

NOWHERE = Cursors(Subscriber(-1, {}), Subscriber(-1, {}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """:param stretch: the positions of the period, as they were when it was asked for."""

    establishment: UUID
    period: Period
    stretch: range
    change: Change


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A game under the change; players are tokens."""

    game: str
    ruleset: str
    day: date
    position: int
    replayed: Replayed

    def as_json(self) -> dict[str, Any]:
        result, undecided = self.replayed, self.replayed.undecided
        return {
            "game": self.game,
            "ruleset": self.ruleset,
            "day": self.day.isoformat(),
            "position": self.position,
            "was": _shown(result.was),
            "now": _shown(result.now),
            "whole": _shown(result.whole),
            "ended": result.ended,
            "undecided": undecided
            and {"event": undecided.event, "why": undecided.why, "said": undecided.said},
        }


def _shown(outcome: Outcome) -> dict[str, Any]:
    return {
        **outcome.figures.told(),
        "players": dict(outcome.players),
        "points": {name: str(points) for name, points in outcome.points.items()},
    }


@dataclass(slots=True)
class Sums:
    """
    What games come to, side by side. Those decided whole, and what was decided of the others
    until they no longer could be, are never added up together.

    :param left: what the others came to behind that, as it was: it has no other side.
    """

    games: int = 0
    changed: int = 0
    differing: int = 0
    undecided: int = 0
    whole_was: Figures = field(default_factory=Figures)
    whole_now: Figures = field(default_factory=Figures)
    until_was: Figures = field(default_factory=Figures)
    until_now: Figures = field(default_factory=Figures)
    others: Figures = field(default_factory=Figures)
    why: dict[str, int] = field(default_factory=dict)

    def take(self, told: Told) -> None:
        result = told.replayed
        self.games += 1
        self.changed += result.changed
        if result.undecided is None:
            self.differing += result.differs
            self.whole_was += result.was.figures
            self.whole_now += result.now.figures
            return
        self.undecided += 1
        self.until_was += result.was.figures
        self.until_now += result.now.figures
        self.others += result.whole.figures
        self.why[result.undecided.why] = self.why.get(result.undecided.why, 0) + 1

    def told(self) -> dict[str, Any]:
        """As JSON."""
        return {
            **{name: getattr(self, name) for name in COUNTED},
            **{name: getattr(self, name).told() for name in SUMMED},
            "why": dict(self.why),
        }

    @classmethod
    def read(cls, told: dict[str, Any]) -> Sums:
        if not told:
            return cls()
        counted: dict[str, Any] = {name: told[name] for name in COUNTED}
        summed: dict[str, Any] = {name: Figures.read(told[name]) for name in SUMMED}
        return cls(**counted, **summed, why=dict(told["why"]))


COUNTED = ("games", "changed", "differing", "undecided")
SUMMED = ("whole_was", "whole_now", "until_was", "until_now", "others")


def slice_replayed(asked: Asked, span: range, rollovers: Rollovers) -> list[Told]:
    """
    The games that opened in a stretch of the ledger, in order; `rollovers` go on from there.

    Read within a snapshot in which nothing can be written.
    """
    with reading.snapshot(), uncollected():
        piece = reading.slice_of(asked.establishment, span, asked.period)
        stored = Stored(asked.establishment, NOWHERE, {}, {}, asked.stretch.stop)
        return list(_replayed(asked, span, piece.games, stored, rollovers))


def _replayed(
    asked: Asked, span: range, games: Any, stored: Stored, rollovers: Rollovers
) -> Iterator[Told]:
    opening = [rows for rows in games if _opens_in(rows, span, asked.period)]
    for rows in sorted(opening, key=lambda each: each.played[0].position):
        game = Game(rows, stored)
        record = game.record()
        if not game.pinned() or game.ruleset is None or not asked.change.of(game.ruleset.id):
            continue
        first = rows.played[0]
        yield Told(
            game=rows.game,
            ruleset=game.ruleset.id,
            day=first.day,
            position=first.position,
            replayed=_one(asked.change, game.ruleset, rows, record, rollovers),
        )


def _opens_in(rows: GameRows, span: range, period: Period) -> bool:
    first = rows.played[0] if rows.played else None
    return (
        first is not None
        and first.version == 1
        and first.position in span
        and period.holds(first.day)
    )


def _one(
    change: Change, ruleset: Ruleset, rows: GameRows, record: list[Recorded], rollovers: Rollovers
) -> Replayed:
    """A game, with what it takes of the rollover and leaves there."""
    rolls = "rollover" in record[0].data
    more, source = rollovers.taken(ruleset.id, rows.played[0].position) if rolls else (0, "")

    def opening(command: Any) -> Any:
        changed = change.opening(command)
        if rolls and more:
            changed = replace(changed, rollover=changed.rollover + more)
        return changed

    enough = more is None or record[0].data["rollover"] + more >= 0 if rolls else True
    result = replayed(ruleset, record, opening)
    last = rows.played[-1].position
    left: int | None = result.now.figures.rolled - result.was.figures.rolled
    if result.undecided is not None or (more is None and result.whole.figures.rolled):
        left = None
    if (more is None or not enough) and result.undecided is None:
        result.undecided = Undecided(1, "rollover", source)
        result.was = result.now = type(result.was)()
    if rolls:
        rollovers.leave(Left(ruleset.id, last, left, rows.game))
    return result
