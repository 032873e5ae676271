"""Asks servers how far they are. A replica that does not answer is left alone for a while."""

from __future__ import annotations

import threading
import time
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import structlog
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, Error, connections

from casino.engine.scale.replicas.position import Position

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.backends.base.base import BaseDatabaseWrapper

    from casino.engine.scale.replicas.choice import Where

REST: Final = 15.0  # seconds for which a replica that did not answer is not asked
ASK: Final = """
    SELECT pg_is_in_recovery(), pg_postmaster_start_time(), system_identifier,
        (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
            ELSE pg_current_wal_insert_lsn() END - '0/0'::pg_lsn)::bigint
    FROM pg_control_system()"""
"""
Asked before a snapshot, all up to the position is in it: a standby counts a commit as replayed
after it is visible, and a primary has inserted its record before.
"""

log = structlog.get_logger(__name__)


class Answer(NamedTuple):
    """What a server says of itself. `started` tells two servers of a cluster apart."""

    standby: bool
    started: datetime
    position: Position


_lock: Final = threading.Lock()
_resting: Final[dict[str, float]] = {}
COUNTED: Final[Counter[tuple[str, Where]]] = Counter()
"""How often this process has read what where: alias of the replica, and where or why not."""


def ask(connection: BaseDatabaseWrapper) -> Answer:
    """
    How far a server of PostgreSQL is.

    :raises django.db.Error: if it does not answer.
    """
    with connection.cursor() as cursor:
        cursor.execute(ASK)
        standby, started, system, lsn = cursor.fetchone()
    # A standby that has replayed nothing since its start has no position.
    return Answer(standby, started, Position(system, lsn or 0))


def primary() -> Answer:
    return ask(connections[DEFAULT_DB_ALIAS])


def of_replica(alias: str, house: BaseDatabaseWrapper) -> Position | None:
    """
    How far a replica is; None if it does not answer or is not what it should be.

    A server that is not a standby may have been one, and have gone its own way since. Only the
    primary itself is let pass: a proxy in front of standbys may send us there.

    :param house: the connection to the primary.
    """
    if _resting.get(alias, 0.0) > time.monotonic():
        return None
    try:
        answer = ask(connections[alias])
    except Error as error:
        rest(alias, error)
        return None
    if answer.standby or answer.started == ask(house).started:
        return answer.position
    log.warning("replica_is_no_standby", replica=alias)
    _resting[alias] = time.monotonic() + REST
    return None


def rest(alias: str, error: BaseException) -> None:
    """Leave a replica alone for a while."""
    log.warning("replica_away", replica=alias, reason=type(error).__name__)
    _resting[alias] = time.monotonic() + REST
    connections[alias].close()


def forget_rests() -> None:
    """Ask all replicas again."""
    _resting.clear()


def in_turn() -> Sequence[str]:
    """All replicas; another one is the first each time."""
    aliases: tuple[str, ...] = settings.REPLICAS
    with _lock:
        _turn[0] = (_turn[0] + 1) % max(1, len(aliases))
        return aliases[_turn[0] :] + aliases[: _turn[0]]


_turn: Final = [0]


def count(alias: str, found: Where) -> None:
    with _lock:
        COUNTED[alias, found] += 1


def reading_counts(alias: str) -> dict[str, int]:
    """How often this process read from a replica, and why not; by `Where`."""
    with _lock:
        return {str(what): often for (of, what), often in COUNTED.items() if of == alias}


def states() -> list[dict[str, Any]]:
    """
    How far each replica is: ``{"replica", "position", "behind", "says", "counted"}``.

    `behind` is in bytes of log, by the primary's position asked afterwards; position and bytes are
    None if the replica does not say.

    :raises django.db.Error: if the primary does not answer.
    """
    return [_state(alias) for alias in settings.REPLICAS]


def _state(alias: str) -> dict[str, Any]:
    found: dict[str, Any] = {"replica": alias, "position": None, "behind": None}
    try:
        answer = ask(connections[alias])
    except Error as error:
        connections[alias].close()
        says = f"It does not answer ({type(error).__name__})."
        return found | {"says": says, "counted": reading_counts(alias)}
    of_primary = primary()
    behind = of_primary.position.lsn - answer.position.lsn
    if answer.position.system != of_primary.position.system:
        says = "It is of another cluster."
    elif not answer.standby and answer.started != of_primary.started:
        says = "It is no standby."
    else:
        says = ""
    found |= {"position": str(answer.position), "behind": max(0, behind), "says": says}
    return found | {"counted": reading_counts(alias)}
