"""
How far servers are: positions in their logs, asking for them, and the rules of what is read where.
A replica that does not answer is left alone for a while.
"""

from __future__ import annotations

import re
import threading
import time
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import structlog
from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import DEFAULT_DB_ALIAS, Error, connections

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.backends.base.base import BaseDatabaseWrapper

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


# The rules of what is read where. Pure: positions arrive as data.
#
# A page is read from a replica only if that has replayed all that the person has done or seen.


NEAR: Final = 1 << 20
"""Bytes of log that a replica replays in a moment, for which it is worth to wait."""


class Where(StrEnum):
    """Where to read, and if from the primary, why."""

    REPLICA = "replica"
    WAIT = "wait"
    """Ask the replica again in some milliseconds."""
    UNKNOWN = "unknown"
    """Nobody knows what the person has seen: a first request, or a program that does not say."""
    DOWN = "down"
    """The replica does not answer, or is not a standby any more."""
    FOREIGN = "foreign"
    """The replica is of another cluster than what the person has seen."""
    BEHIND = "behind"
    OWN = "own"
    """What the person has recorded, perhaps at another device, is not at the replica."""
    FAILED = "failed"
    """The replica ended the reading: it went down, or the log was in conflict with the reading."""
    WROTE = "wrote"
    """The page tried to write: it is declared wrongly."""
    DOUBTED = "doubted"
    """What was found is grave: it counts only if the primary says it, too."""
    ABSENT = "absent"
    """The replica has no such page; it may be newer."""


def where(seen: Position | None, at: Position | None, *, patient: bool) -> Where:
    """
    Where to read a page.

    :param seen: the position that it must not be behind.
    :param at: how far the replica is; None if it does not say.
    :param patient: whether there is time left to wait for the replica.
    """
    if seen is None:
        return Where.UNKNOWN
    if at is None:
        return Where.DOWN
    if at.system != seen.system:
        return Where.FOREIGN
    if at.lsn >= seen.lsn:
        return Where.REPLICA
    return Where.WAIT if patient and seen.lsn - at.lsn <= NEAR else Where.BEHIND


GAP_MAX: Final = 2_000
"""Events of a house: if a replica lacks more, nobody looks for the person's own among them."""


def lacks_own(missing: list[str], person: str) -> bool:
    """
    Whether a replica lacks something that the person recorded in the house's ledger.

    :param missing: who recorded the events that the replica lacks, up to one more than `GAP_MAX`.
    """
    return len(missing) > GAP_MAX or person in missing


# Positions: how far a server's write-ahead log had come, as browsers and programs hold them.


SIGNER: Final = Signer(salt="casino.engine.scale.replicas.position")
WRITTEN: Final = re.compile(r"(?P<system>[0-9]{1,20})-(?P<lsn>[0-9A-F]{1,16})")


@dataclass(frozen=True, slots=True)
class Position:
    """
    A position in the log of a cluster.

    :param system: the cluster's identifier, equal at a primary and its standbys
        (``pg_control_system``).
    :param lsn: bytes of log since the cluster was made (``pg_lsn``).
    """

    system: int
    lsn: int

    def __str__(self) -> str:
        """As PostgreSQL writes it: ``0/16B3748``."""
        return f"{self.lsn >> 32:X}/{self.lsn & 0xFFFFFFFF:X}"


def sign(position: Position) -> str:
    """A position for whoever holds it; they cannot make one themselves."""
    return SIGNER.sign(f"{position.system}-{position.lsn:X}")


def read_signed(text: str) -> Position | None:
    """The position in such a text; None if it is not one of ours."""
    try:
        found = WRITTEN.fullmatch(SIGNER.unsign(text))
    except BadSignature:
        return None
    return Position(int(found["system"]), int(found["lsn"], 16)) if found else None
