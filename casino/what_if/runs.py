"""
What-ifs that are kept: asked for by somebody, brought on by workers, stopped when unwanted.

Nothing of a house changes by one: it reads, and writes down only what it came to.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

import structlog
from django.db import IntegrityError, transaction
from django.utils import timezone

from casino.attendants import permissions
from casino.platform.resumable_jobs import bring_on, rests
from casino.regrade import reading
from casino.regrade.reading import Period
from casino.what_if.changes import Change
from casino.what_if.games import Asked, Sums, slice_replayed
from casino.what_if.models import WhatIf, WhatIfGame
from casino.what_if.rolling import Rollovers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.attendants.models import Attendant
    from casino.establishments.models import Establishment
    from casino.what_if.games import Told

KEPT: Final = 1000  # games of a run; all are counted
RUNS_KEPT: Final = 50  # of a house
SLICE: Final = 2000  # positions: a second or so
RESTING: Final = timedelta(minutes=2)  # without progress: whoever worked on it is gone
State = WhatIf.State

log = structlog.get_logger(__name__)


class AlreadyRunning(Exception):  # noqa: N818 - names the fact
    """A house has one what-if on its way at a time."""


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
    :raises AlreadyRunning: if another one is on its way.
    """
    permissions.require(by, "audit", house)
    stretch = reading.stretch(house.pk, period)
    try:
        with transaction.atomic():
            run = WhatIf.objects.create(
                establishment=house, asked_by=by, asked_at=now, since=period.since,
                until=period.until, change=change.told(), start=stretch.start, stop=stretch.stop,
                reached=stretch.start, worked_at=now,
            )  # fmt: skip
    except IntegrityError:
        raise AlreadyRunning("Another one is on its way: wait for it, or stop it.") from None
    _forget_older(house)
    return run


def stop(*, by: Attendant, house: Establishment, run_id: UUID, now: datetime) -> bool:
    """
    Let go of one that is on its way; whether it was. What it came to so far stays.

    :raises NotYours: if the person may not audit the house.
    """
    permissions.require(by, "audit", house)
    mine = WhatIf.objects.filter(establishment=house, id=run_id, state=State.RUNNING)
    return bool(mine.update(state=State.STOPPED, finished_at=now))


def resting(now: datetime) -> QuerySet[WhatIf]:
    """Runs that nobody brings on."""
    return WhatIf.objects.filter(rests(now, RESTING), state=State.RUNNING)


def advance(establishment: UUID, run_id: UUID, *, seconds: float) -> bool:
    """
    Bring a run on for some time; whether there is more to do.

    :raises OperationalError: and what else passes by itself; what was recorded stays.
    """
    rows = WhatIf.objects.filter(establishment=establishment, id=run_id, state=State.RUNNING)
    return bring_on(rows.first, _came_on, _fail, seconds=seconds)


def _came_on(run: WhatIf) -> bool:
    """One slice more, or the end; False: it is the end, or somebody else was quicker."""
    if run.reached >= run.stop:
        _moved(run, (), state=State.DONE, finished_at=timezone.now())
        return False
    asked = Asked(
        establishment=run.establishment_id,
        period=Period(run.since, run.until),
        stretch=range(run.start, run.stop),
        change=Change.read(run.change),
    )
    span = range(run.reached, min(run.reached + SLICE, run.stop))
    rollovers, sums = Rollovers.read(run.rollovers), Sums.read(run.sums)
    told = slice_replayed(asked, span, rollovers)
    for each in told:
        sums.take(each)
    wanted = [each for each in told if tells(each)]
    return _moved(run, wanted, reached=span.stop, sums=sums.told(), rollovers=rollovers.told())


def tells(told: Told) -> bool:
    """Whether there is something to say about a game."""
    return told.replayed.differs or told.replayed.undecided is not None


def _fail(run: WhatIf, reason: str) -> None:
    _moved(run, (), state=State.FAILED, finished_at=timezone.now(), reason=reason)
    log.error(
        "what_if_failed", establishment=str(run.establishment_id), what_if=str(run.id),
        position=run.reached, reason=reason,
    )  # fmt: skip


def _moved(run: WhatIf, told: Sequence[Told], **changes: Any) -> bool:
    """The run's row and its games, in one step, unless somebody took that step before."""
    mine = WhatIf.objects.filter(
        establishment=run.establishment_id, id=run.id, reached=run.reached, state=State.RUNNING
    )
    with transaction.atomic():
        changes |= {"worked_at": timezone.now(), "told": run.told + len(told)}
        if not mine.update(**changes):
            return False
        WhatIfGame.objects.bulk_create(
            WhatIfGame(
                establishment_id=run.establishment_id, what_if=run.id, seq=seq, game=each.game,
                undecided=each.replayed.undecided is not None, told=each.as_json(),
            )
            for seq, each in enumerate(told, run.told)
            if seq < KEPT
        )  # fmt: skip
    return True


def _forget_older(house: Establishment) -> None:
    rows = WhatIf.objects.filter(establishment=house).order_by("-asked_at")
    older = list(rows.values_list("id", flat=True)[RUNS_KEPT : 2 * RUNS_KEPT])
    if older:
        WhatIfGame.objects.filter(establishment=house, what_if__in=older).delete()
        WhatIf.objects.filter(establishment=house, id__in=older).delete()
