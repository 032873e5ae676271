"""
What-ifs as resumable jobs: requested by a person, run by workers, stopped on request.

A what-if changes nothing in a house: it reads, and writes only its own results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext_lazy, pgettext_lazy

from casino.house.attendants import permissions
from casino.kit.web.jobs import running
from casino.kit.web.jobs.kinds import Kind, StepResult
from casino.kit.web.jobs.models import State
from casino.proof.disputes.regrade import reading
from casino.proof.disputes.regrade.reading import Period
from casino.reports.what_if.changes import Change
from casino.reports.what_if.games import Query, Rollovers, Sums, slice_replayed
from casino.reports.what_if.models import WhatIf, WhatIfGame
from casino.words.presenters import TITLES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment
    from casino.kit.web.jobs.models import Job
    from casino.reports.what_if.games import GameResult

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
