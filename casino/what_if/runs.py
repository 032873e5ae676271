"""
What-ifs that are kept: asked for by somebody, brought on by workers, stopped when unwanted.

Nothing of a house changes by one: it reads, and writes down only what it came to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext_lazy, pgettext_lazy

from casino.attendants import permissions
from casino.jobs import running
from casino.jobs.kinds import Kind, StepResult
from casino.jobs.models import State
from casino.presenters import TITLES
from casino.regrade import reading
from casino.regrade.reading import Period
from casino.what_if.changes import Change
from casino.what_if.games import Asked, Sums, slice_replayed
from casino.what_if.models import WhatIf, WhatIfGame
from casino.what_if.rolling import Rollovers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from casino.attendants.models import Attendant
    from casino.establishments.models import Establishment
    from casino.jobs.models import Job
    from casino.what_if.games import Told

RUNS_KEPT: Final = 50  # of a house
SLICE: Final = 2000  # positions: a second or so


def whole(asked: Asked) -> Iterator[tuple[range, list[Told]]]:
    """All of a period in one go, slice by slice."""
    rollovers = Rollovers()
    for span in reading.spans(asked.stretch, SLICE):
        yield span, slice_replayed(asked, span, rollovers)


def ask(
    *, by: Attendant, house: Establishment, period: Period, change: Change, now: datetime
) -> WhatIf:
    """
    Begin one; tasks bring it on.

    :raises NotYours: if the person may not audit the house.
    :raises AlreadyBegun: if another one is on its way.
    """
    permissions.require(by, "audit", house)
    stretch = reading.stretch(house.pk, period)
    run = running.begin(
        WHAT_IF, house=house, now=now, start=stretch.start, stop=stretch.stop, asked_by=by,
        since=period.since, until=period.until, parameters={"change": change.told()},
    )  # fmt: skip
    mine = WhatIf.objects.filter(establishment=house)
    running.forget_older(house, mine, WhatIfGame, kept=RUNS_KEPT)
    return run


def step(run: WhatIf) -> StepResult:
    """One slice more, or the end."""
    if run.reached >= run.stop:
        return StepResult(state=State.DONE)
    asked = Asked(
        establishment=run.establishment_id,
        period=Period(run.since, run.until),
        stretch=range(run.start, run.stop),
        change=Change.read(run.change),
    )
    span = range(run.reached, min(run.reached + SLICE, run.stop))
    rollovers, sums = Rollovers.read(run.rollovers), Sums.read(run.figures)
    told = slice_replayed(asked, span, rollovers)
    for each in told:
        sums.take(each)
    return StepResult(
        reached=span.stop,
        cursor={"rollovers": rollovers.told()},
        figures=sums.told(),
        found=[kept(each) for each in told if tells(each)],
    )


def tells(told: Told) -> bool:
    """Whether there is something to say about a game."""
    return told.replayed.differs or told.replayed.undecided is not None


def kept(told: Told) -> WhatIfGame:
    undecided = told.replayed.undecided is not None
    return WhatIfGame(game=told.game, undecided=undecided, details=told.as_json())


def _game(job: Job) -> str:
    """The kind of game that it is about; "" where it is about all."""
    game = job.parameters["change"]["game"]
    return str(TITLES[game]) if game else ""


WHAT_IF: Final = Kind(
    model=WhatIf,
    title=gettext_lazy("What if"),
    about=_game,
    step=step,
    url=lambda job: reverse("what-if-one", args=[job.id]),
    busy=pgettext_lazy("sentence", "Another one is on its way: wait for it, or stop it."),
)
