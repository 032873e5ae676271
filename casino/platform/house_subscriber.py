"""
What the house's own events say, as lists and pages read it: the subscriber ``house``.

Each area (cash, approvals, disputes, …) brings how it reads an event; rows are disposable and
rebuilt from nothing. Games have subscribers of their own in `casino.play`.
"""

from __future__ import annotations

import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.db import Error, connection

from casino.platform import registrations
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

TRIES, PAUSE = 25, 0.02  # a worker that has the subscription is doing what we came for
BATCHES = 4  # of events that somebody who acted waits for; the worker does the rest


@dataclass(frozen=True, slots=True)
class Area:
    """
    :param handle: takes an event into the area's rows; an event of others is none of its business.
    :param batch: for who writes its rows once a batch: see `Subscriber.batch`. To one event it does
        what `handle` does.
    :param rows: what it writes: of these a house's rows go before they are read anew.
    :param effects: what it changes beside, and what is no row of its own: it stays.
    """

    name: str
    handle: Callable[[StoredEvent], None]
    rows: tuple[type[Model], ...]
    effects: tuple[type[Model], ...] = ()
    batch: Callable[[UUID], AbstractContextManager[Callable[[StoredEvent], None]]] | None = None


_AREAS: dict[str, Area] = {}


def register(area: Area) -> None:
    """From an app's ``brings()``: once, however often that is called."""
    _AREAS.setdefault(area.name, area)


def areas() -> Sequence[Area]:
    """In the order of the apps; none reads what another wrote."""
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
    """What handles the events of a batch, each by all areas, or by some of them."""
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
    Show an act on the page that follows it, without waiting for a worker.

    Nothing depends on it: what fails here, or is too far behind, the worker does in a moment.
    """
    try:
        _catch_up(establishment, position)
    except Error as error:
        if connection.in_atomic_block:
            raise  # the transaction is broken: whoever began it must know
        log.warning("house_not_caught_up", reason=type(error).__name__)


def _catch_up(establishment: UUID, position: int) -> None:
    batches = BATCHES
    for _ in range(TRIES):
        while batches:
            step = subscriptions.step(HOUSE, establishment=establishment)
            if step.lost_race:
                break
            if not step.full:  # it has read what was there, the act with it
                return
            batches -= 1
        # Within a transaction others wait for what it has locked: it waits for nobody.
        if not batches or connection.in_atomic_block or _reached(establishment) >= position:
            return
        time.sleep(PAUSE)


def _reached(establishment: UUID) -> int:
    rows = Subscription.objects.filter(establishment=establishment, name=HOUSE.name)
    position = rows.values_list("position", flat=True).first()
    return -1 if position is None else position
