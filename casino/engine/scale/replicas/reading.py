"""
Reads a page, or a step of a job, from a replica where that may be, else from the primary.

While something is read from a replica, its connection stands in the place of the house's own in
this thread, within one read-only transaction with one snapshot: models, plain SQL and transactions
of the code below all see one moment of one server. What fails there is read once more from the
primary.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

import structlog
from django.core.exceptions import ObjectDoesNotExist
from django.db import DEFAULT_DB_ALIAS, Error, connections, transaction
from django.http import FileResponse, Http404

from casino.engine.scale.replicas import servers
from casino.engine.scale.replicas.place import Doubted, ReplicaInPlace, in_place
from casino.engine.scale.replicas.servers import GAP_MAX, Where, lacks_own, where
from ledger import journal, keyed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

    from django.db.backends.base.base import BaseDatabaseWrapper

    from casino.engine.scale.replicas.servers import Position

T = TypeVar("T")
PAUSE: Final = 0.005  # seconds between two questions to a replica that is near
PATIENCE: Final = 0.02  # seconds that a page waits for a replica
PATIENCE_OF_JOBS: Final = 0.5  # seconds; nobody sits before it
ONE_SNAPSHOT: Final = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
READ_ONLY: Final = "25006"  # SQLSTATE
MISSING: Final = (
    "SELECT actor FROM ledger_event WHERE establishment = %s AND position > %s"
    " ORDER BY position LIMIT %s"
)

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Seen:
    """
    What the sender of a request has seen, and what the answer shows.

    :param before: the position that the request brought; None: unknown.
    :param shown: the position of the replica from which the answer was read, asked afterwards;
        None: it was read from the primary.
    """

    before: Position | None = None
    shown: Position | None = None


SEEN: Final[ContextVar[Seen | None]] = ContextVar("SEEN", default=None)


class _NotThere(Exception):  # noqa: N818 - names the fact
    """The replica lacks something that the person has recorded."""


def page(read: Callable[[], T], *, house: UUID, person: UUID) -> T:
    """As `casino.engine.scale.replicas.place.page`, where there are replicas."""
    seen = SEEN.get()
    if seen is None:  # no request: nobody knows what was seen
        return read()

    def complete(replica: BaseDatabaseWrapper, own: BaseDatabaseWrapper) -> None:
        at = journal.head(establishment=house, using=replica.alias)
        values = keyed.adapt(own, house), at, GAP_MAX + 1
        missing = [actor for (actor,) in keyed.fetch(own.cursor(), MISSING, values)]
        if lacks_own(missing, str(person)):
            raise _NotThere

    found, alias = _read(read, seen.before, PATIENCE, complete)
    if alias is not None:
        seen.shown = _after(alias)
    return found


def step(read: Callable[[], T]) -> T:
    """As `casino.engine.scale.replicas.place.step`, where there are replicas."""
    found, _alias = _read(read, servers.primary().position, PATIENCE_OF_JOBS)
    return found


def _read(
    read: Callable[[], T],
    seen: Position | None,
    patience: float,
    complete: Callable[[BaseDatabaseWrapper, BaseDatabaseWrapper], None] | None = None,
) -> tuple[T, str | None]:
    """What was read, and the alias of the replica; None: from the primary."""
    house = connections[DEFAULT_DB_ALIAS]
    for alias in servers.in_turn():
        found = _where(alias, seen, patience, house)
        if found is not Where.REPLICA:
            servers.count(alias, found)
            if found is Where.UNKNOWN:
                break
            continue
        try:
            with _snapshot(alias, house):
                if complete is not None:
                    complete(connections[alias], house)
                answer = _whole(read())
        except (Error, Http404, ObjectDoesNotExist, Doubted, _NotThere) as error:
            _count_failure(alias, error)
            break
        servers.count(alias, found)
        return answer, alias
    return read(), None


def _where(alias: str, seen: Position | None, patience: float, house: BaseDatabaseWrapper) -> Where:
    until = time.monotonic() + patience
    while True:
        at = servers.of_replica(alias, house) if seen is not None else None
        found = where(seen, at, patient=time.monotonic() < until)
        if found is not Where.WAIT:
            return found
        time.sleep(PAUSE)


@contextmanager
def _snapshot(alias: str, house: BaseDatabaseWrapper) -> Iterator[None]:
    replica = connections[alias]
    with (
        in_place(replica, behind=house, standing=ReplicaInPlace(alias, house)),
        transaction.atomic(),
    ):
        with replica.cursor() as cursor:
            cursor.execute(ONE_SNAPSHOT)
        yield


def _whole(found: T) -> T:
    """The response itself; one that would go on to read after its end is refused."""
    if getattr(found, "streaming", False) and not isinstance(found, FileResponse):
        raise TypeError("A response that is read while it is sent cannot come from a replica.")
    return found


def _count_failure(alias: str, error: Exception) -> None:
    """Count why what was begun at a replica is read from the primary."""
    if isinstance(error, _NotThere):
        servers.count(alias, Where.OWN)
    elif isinstance(error, Doubted):
        servers.count(alias, Where.DOUBTED)
    elif isinstance(error, Error):
        state = getattr(error.__cause__, "sqlstate", None)
        wrote = state == READ_ONLY
        servers.count(alias, Where.WROTE if wrote else Where.FAILED)
        shout: Any = log.error if wrote else log.warning
        shout("replica_failed", replica=alias, reason=type(error).__name__, sqlstate=state)
        if state is None:  # not of a statement: the connection is lost
            servers.rest(alias, error)
    else:
        servers.count(alias, Where.ABSENT)


def _after(alias: str) -> Position | None:
    """
    How far the replica is after the page was read: no part of the page is newer.

    None if it does not say: then it counts as read from the primary, whose position is later.
    """
    try:
        return servers.ask(connections[alias]).position
    except Error as error:
        servers.rest(alias, error)
        return None
