"""
The rules of what is read where. Pure: positions arrive as data.

A page is read from a replica only if that has replayed all that the person has done or seen.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from casino.engine.scale.replicas.position import Position

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
