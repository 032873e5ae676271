"""
What-ifs as resumable jobs: games replayed slice by slice, and their results summed up.

A what-if changes nothing in a house: it reads, and writes only its own results.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.translation import gettext_lazy, pgettext_lazy

from casino.engine.processes.memory import without_collector
from casino.house.attendants import permissions
from casino.kit.web.jobs import running
from casino.kit.web.jobs.models import State
from casino.kit.web.jobs.running import Kind, StepResult
from casino.proof.disputes.regrade import reading
from casino.proof.disputes.regrade.findings import Stored
from casino.proof.disputes.regrade.grading import Game
from casino.proof.disputes.regrade.reading import Cursors, Period, Subscriber
from casino.reports.what_if.changes import Change
from casino.reports.what_if.models import WhatIf, WhatIfGame
from casino.reports.what_if.replaying import Figures, Replayed, Undecided, replay
from casino.words.presenters import TITLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date, datetime
    from uuid import UUID

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment
    from casino.kit.web.jobs.models import Job
    from casino.proof.disputes.regrade.reading import GameRows
    from casino.reports.what_if.replaying import Outcome
    from games.game import Ruleset
    from games.regrade import Recorded

RUNS_KEPT: Final = 50  # for each house
SLICE: Final = 2000  # positions: a second or so


def whole(query: Query) -> Iterator[tuple[range, list[GameResult]]]:
    """Replay a whole period at once, slice by slice."""
    rollovers = Rollovers()
    for span in reading.spans(query.stretch, SLICE):
        yield span, slice_replayed(query, span, rollovers)


def ask(
    *, by: Attendant, house: Establishment, period: Period, change: Change, now: datetime
) -> WhatIf:
    """
    Begin a what-if; tasks run it.

    :raises NotYours: if the person may not audit the house.
    :raises AlreadyBegun: if another one is running.
    """
    permissions.require(by, "audit", house)
    stretch = reading.stretch(house.pk, period)
    run = running.begin(
        WHAT_IF, house=house, now=now, start=stretch.start, stop=stretch.stop, asked_by=by,
        since=period.since, until=period.until, parameters={"change": change.as_json()},
    )  # fmt: skip
    mine = WhatIf.objects.filter(establishment=house)
    running.forget_older(house, mine, WhatIfGame, kept=RUNS_KEPT)
    return run


def step(run: WhatIf) -> StepResult:
    """Replay one slice, or end."""
    if run.reached >= run.stop:
        return StepResult(state=State.DONE)
    query = Query(
        establishment=run.establishment_id,
        period=Period(run.since, run.until),
        stretch=range(run.start, run.stop),
        change=Change.from_json(run.change),
    )
    span = range(run.reached, min(run.reached + SLICE, run.stop))
    rollovers, sums = Rollovers.from_json(run.rollovers), Sums.from_json(run.figures)
    games = slice_replayed(query, span, rollovers)
    for each in games:
        sums.add(each)
    return StepResult(
        reached=span.stop,
        cursor={"rollovers": rollovers.as_json()},
        figures=sums.as_json(),
        found=[_finding(each) for each in games if is_finding(each)],
    )


def is_finding(game: GameResult) -> bool:
    """Whether the result of a game differs, or the game cannot be decided again."""
    return game.replayed.differs or game.replayed.undecided is not None


def _finding(game: GameResult) -> WhatIfGame:
    undecided = game.replayed.undecided is not None
    return WhatIfGame(game=game.game, undecided=undecided, details=game.as_json())


def _game(job: Job) -> str:
    """The title of the game that a what-if is about; "" if it is about all games."""
    game = job.parameters["change"]["game"]
    return str(TITLES[game]) if game else ""


WHAT_IF: Final = Kind(
    model=WhatIf,
    title=gettext_lazy("What if"),
    about=_game,
    step=step,
    from_replica=True,
    url=lambda job: reverse("what-if-one", args=[job.id]),
    busy=pgettext_lazy("sentence", "Another one is on its way: wait for it, or stop it."),
)


# Replay the games that opened in a slice of a house's ledger, and sum up the results.


NOWHERE = Cursors(Subscriber(-1, {}), Subscriber(-1, {}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """
    What is to be replayed, with which change.

    :param stretch: the positions of the period when the run began.
    """

    establishment: UUID
    period: Period
    stretch: range
    change: Change


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """The replay of one game, as it was and under the change; players are tokens."""

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
            "was": _outcome_json(result.was),
            "now": _outcome_json(result.now),
            "whole": _outcome_json(result.whole),
            "ended": result.ended,
            "undecided": undecided
            and {"event": undecided.event, "why": undecided.why, "message": undecided.message},
        }


def _outcome_json(outcome: Outcome) -> dict[str, Any]:
    return {
        **outcome.figures.as_json(),
        "players": dict(outcome.players),
        "points": {name: str(points) for name, points in outcome.points.items()},
    }


@dataclass(slots=True)
class Sums:
    """
    Sums over games, as they were and under the change. Games that could be decided completely, and
    the decided parts of the others, have separate sums.

    :param others: the complete records of those others, as they were.
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

    def add(self, game: GameResult) -> None:
        result = game.replayed
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

    def as_json(self) -> dict[str, Any]:
        return {
            **{name: getattr(self, name) for name in COUNTED},
            **{name: getattr(self, name).as_json() for name in SUMMED},
            "why": dict(self.why),
        }

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Sums:
        if not values:
            return cls()
        counted: dict[str, Any] = {name: values[name] for name in COUNTED}
        summed: dict[str, Any] = {name: Figures.from_json(values[name]) for name in SUMMED}
        return cls(**counted, **summed, why=dict(values["why"]))


COUNTED = ("games", "changed", "differing", "undecided")
SUMMED = ("whole_was", "whole_now", "until_was", "until_now", "others")


def slice_replayed(query: Query, span: range, rollovers: Rollovers) -> list[GameResult]:
    """
    Replay the games that opened in a range of the ledger, in order. `rollovers` is updated.

    The games are read within a snapshot in which nothing can be written.
    """
    with reading.snapshot(), without_collector():
        piece = reading.slice_of(query.establishment, span, query.period)
        stored = Stored(query.establishment, NOWHERE, {}, {}, query.stretch.stop)
        return list(_replay(query, span, piece.games, stored, rollovers))


def _replay(
    query: Query, span: range, games: Any, stored: Stored, rollovers: Rollovers
) -> Iterator[GameResult]:
    opening = [rows for rows in games if _opens_in(rows, span, query.period)]
    for rows in sorted(opening, key=lambda each: each.played[0].position):
        game = Game(rows, stored)
        record = game.record()
        if not game.pinned() or game.ruleset is None or not query.change.of(game.ruleset.id):
            continue
        first = rows.played[0]
        yield GameResult(
            game=rows.game,
            ruleset=game.ruleset.id,
            day=first.day,
            position=first.position,
            replayed=_one(query.change, game.ruleset, rows, record, rollovers),
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
    """Replay one game, including what it takes from the rollover and leaves there."""
    rolls = "rollover" in record[0].data
    more, source = rollovers.taken(ruleset.id, rows.played[0].position) if rolls else (0, "")

    def opening(command: Any) -> Any:
        changed = change.opening(command)
        if rolls and more:
            changed = replace(changed, rollover=changed.rollover + more)
        return changed

    enough = more is None or record[0].data["rollover"] + more >= 0 if rolls else True
    result = replay(ruleset, record, opening)
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


# The house's rollover as it would have been, from the pots of games into those of later games.
# Pure.
#
# A game that opens takes all coins that wait for its kind (TA10). If an earlier game would have
# left or taken another amount, the difference is carried to the next game that opens.


@dataclass(frozen=True, slots=True)
class Left:
    """
    The difference that one game would have made to the rollover.

    :param kind: the ruleset of the game.
    :param position: the ledger position from which on the difference counts.
    :param coins: how many more coins than in fact; None: not known.
    :param game: the game that left them.
    """

    kind: str
    position: int
    coins: int | None
    game: str


@dataclass(slots=True)
class Rollovers:
    waiting: list[Left] = field(default_factory=list)

    def leave(self, left: Left) -> None:
        if left.coins != 0:
            self.waiting.append(left)

    def taken(self, kind: str, position: int) -> tuple[int | None, str]:
        """
        The coins that a game which opens at this position takes in addition to what it took in
        fact (None: not known), and the last game that left such a difference ("" if none).
        """
        mine = [each for each in self.waiting if each.kind == kind and each.position < position]
        self.waiting = [each for each in self.waiting if each not in mine]
        if not mine:
            return 0, ""
        coins = [each.coins for each in mine if each.coins is not None]
        return sum(coins) if len(coins) == len(mine) else None, mine[-1].game

    def as_json(self) -> list[list[Any]]:
        return [[each.kind, each.position, each.coins, each.game] for each in self.waiting]

    @classmethod
    def from_json(cls, values: Iterable[Iterable[Any]]) -> Rollovers:
        return cls([Left(*each) for each in values])
