"""
The subscriber ``house``: it writes the rows that lists and pages read from the house's own events.

Each area (cash, approvals, disputes, …) registers how it reads an event. The rows can be deleted
and rebuilt from nothing. Games have subscribers of their own in `casino.play.core`.
"""

from __future__ import annotations

import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.db import Error, connection

from casino.engine.processes import registrations
from ledger import subscriptions
from ledger.models import Subscription

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from uuid import UUID

    from django.db.models import Model

    from ledger.entries import Entry
    from ledger.subscriptions import Handle, StreamVersions
    from ledger.wire import StoredEvent

log = structlog.get_logger(__name__)

TRIES, PAUSE = 25, 0.02  # a worker that holds the subscription is doing the same work
BATCHES = 4  # of events to read while somebody waits; the worker does the rest


@dataclass(frozen=True, slots=True)
class Area:
    """
    How one area of the house reads events into its rows.

    :param handle: writes an event into the area's rows; ignores events of other areas.
    :param batch: for an area that writes its rows once for a batch: see `Subscriber.batch`. For one
        event it does what `handle` does.
    :param rows: the models that it writes: a house's rows are deleted before they are rebuilt.
    :param effects: other models that it changes; a rebuild does not delete their rows.
    """

    name: str
    handle: Callable[[StoredEvent], None]
    rows: tuple[type[Model], ...]
    effects: tuple[type[Model], ...] = ()
    batch: Callable[[UUID], AbstractContextManager[Callable[[StoredEvent], None]]] | None = None


_AREAS: dict[str, Area] = {}


def register(area: Area) -> None:
    """Register an area, from `config.parts`. Repeated calls change nothing."""
    _AREAS.setdefault(area.name, area)


def areas() -> Sequence[Area]:
    """All areas in the order of the apps; no area reads what another wrote."""
    registrations.everything()
    return tuple(_AREAS.values())


def handle(event: StoredEvent, _versions: StreamVersions) -> Sequence[Entry]:
    for area in areas():
        area.handle(event)
    return ()


@contextmanager
def batch(
    establishment: UUID,
    _events: Sequence[StoredEvent],
    of: Callable[[], Sequence[Area]] | None = None,
) -> Iterator[Handle]:
    """Yield a function that lets every area, or those of `of`, handle each event of a batch."""
    with ExitStack() as left:
        taken = [
            area.handle if area.batch is None else left.enter_context(area.batch(establishment))
            for area in (of or areas)()
        ]

        def handled(event: StoredEvent, _versions: StreamVersions) -> Sequence[Entry]:
            for take in taken:
                take(event)
            return ()

        yield handled


def forget(establishment: UUID) -> None:
    for area in areas():
        for model in area.rows:
            model._default_manager.filter(establishment=establishment).delete()  # noqa: SLF001


HOUSE = subscriptions.Subscriber(
    name="house", handle=handle, forget=forget, transient=(SoftTimeLimitExceeded,), batch=batch
)


def catch_up(*, establishment: UUID, position: int) -> None:
    """
    Read the house's events up to an act, so that the next page shows it without a worker.

    Nothing depends on this: if it fails, or too much is to be read, the worker does it a moment
    later.
    """
    try:
        _catch_up(establishment, position)
    except Error as error:
        if connection.in_atomic_block:
            raise  # the transaction is broken: its owner must know
        log.warning("house_not_caught_up", reason=type(error).__name__)


def _catch_up(establishment: UUID, position: int) -> None:
    batches = BATCHES
    for _ in range(TRIES):
        while batches:
            step = subscriptions.step(HOUSE, establishment=establishment)
            if step.lost_race:
                break
            if not step.full:  # it has read to the end, the act included
                return
            batches -= 1
        # Within a transaction others wait for its locks, so it must not wait for anybody.
        if not batches or connection.in_atomic_block or position_of(establishment) >= position:
            return
        time.sleep(PAUSE)


def position_of(establishment: UUID) -> int:
    """The position up to which the house's events are read; -1: none are."""
    rows = Subscription.objects.filter(establishment=establishment, name=HOUSE.name)
    position = rows.values_list("position", flat=True).first()
    return -1 if position is None else position
