"""
Copies checkpoints to places outside the machine, to each destination independently, and retries
until it has the newest one.

A worker claims an attempt in its row before making it, so that concurrent workers make it once, and
another attempt follows if a worker is killed. Nothing is locked while waiting for a destination.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import structlog
from django.db.models import Q

from casino.house.establishments import gaming_day
from casino.proof.integrity import destinations, keys
from casino.proof.integrity.destinations import LATEST, Destination, Folder, NotCopied
from casino.proof.integrity.models import OutsideCopy
from ledger import checkpoints
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from pathlib import Path
    from uuid import UUID

    from casino.house.establishments.models import Establishment
    from ledger.models import Checkpoint
    from ledger.verify import Checkpoint as Published

PAUSE: Final = timedelta(seconds=15)  # after the first failure; doubled after each further one
PAUSE_MAX: Final = timedelta(hours=1)
REASON_MAX: Final = 200

log = structlog.get_logger(__name__)


def due(house: Establishment, now: datetime) -> list[Destination]:
    """The destinations to which the house's newest checkpoint must be copied now."""
    newest = checkpoints.latest(house.pk)
    wanted = destinations.from_settings()
    if newest is None or not wanted:
        return []
    rows = {row.destination: row for row in OutsideCopy.objects.filter(establishment=house)}
    closed = _position_of_close(house.pk)
    return [each for each in wanted if _is_due(each, rows.get(each.text), newest, closed, now)]


def behind(heads: Mapping[UUID, int]) -> set[UUID]:
    """
    The houses of which some destination does not have the newest checkpoint yet. One query.

    :param heads: houses that are signed up to their heads.
    """
    wanted = [each.text for each in destinations.from_settings()]
    if not wanted or not heads:
        return set()
    rows = OutsideCopy.objects.filter(destination__in=wanted)
    there = Counter(
        house for house, size in rows.values_list("establishment_id", "size")
        if house in heads and size > heads[house]
    )  # fmt: skip
    return {house for house in heads if there[house] < len(wanted)}


def copy(house: Establishment, destination: Destination, now: datetime) -> bool:
    """
    Copy the newest checkpoint to a destination, if that is due; whether it was copied.

    A failure is stored in the row with a sentence for people, and tried again later.
    """
    newest = checkpoints.latest(house.pk)
    row, _ = OutsideCopy.objects.get_or_create(establishment=house, destination=destination.text)
    if newest is None or not _is_due(destination, row, newest, _position_of_close(house.pk), now):
        return False
    mine = OutsideCopy.objects.filter(establishment=house, destination=destination.text)
    if not mine.filter(tried_at=row.tried_at).update(tried_at=now):
        return False  # another worker has claimed this attempt
    try:
        _may_be_trusted(house, destination)
        destination.put(newest, house.name)
    except NotCopied as failure:
        _note_failure(row, str(failure), now)
        return False
    older = Q(epoch__lt=newest.epoch) | Q(epoch=newest.epoch, size__lte=newest.size)
    mine.filter(older).update(
        epoch=newest.epoch, size=newest.size, copied_at=now, error="", failed_at=None, failures=0
    )
    return True


def checkpoints_in_folders(establishment: UUID) -> list[Published]:
    """The newest checkpoints of a house that folders hold: see `in_folders`."""
    return [each for _, each in in_folders(establishment)]


def in_folders(establishment: UUID) -> list[tuple[Path, Published]]:
    """
    The newest checkpoint of a house in each folder, with its file, if the house has signed it.

    A folder that cannot be read is skipped.
    """
    found = []
    for each in destinations.from_settings():
        if isinstance(each, Folder):
            try:
                newest = each.newest(establishment)
            except NotCopied:
                continue  # the next attempt to copy reports it
            if newest is not None and keys.has_signed(establishment, newest):
                found.append((each.path / str(establishment) / LATEST, newest))
    return found


def _may_be_trusted(house: Establishment, destination: Destination) -> None:
    """:raises NotCopied: if the newest checkpoint in a folder was not signed by the house."""
    if not isinstance(destination, Folder):
        return
    newest = destination.newest(house.pk)
    if newest is not None and not keys.has_signed(house.pk, newest):
        raise NotCopied(
            f"{LATEST} of this house in {destination.path} was not signed by it: somebody else put"
            " it there. Take it away."
        )


def _is_due(
    destination: Destination,
    row: OutsideCopy | None,
    newest: Checkpoint,
    closed: int,
    now: datetime,
) -> bool:
    if row is None:
        return True
    if (row.epoch, row.size) >= (newest.epoch, newest.size):
        return False
    if row.tried_at is None or row.tried_at > now:  # the clock was set back since
        return True
    if row.failures:
        return now - row.tried_at >= pause(row.failures)
    if row.size <= closed < newest.size:  # B4: the close of a day is copied at once
        return True
    return now - row.tried_at >= destination.every


def pause(failures: int) -> timedelta:
    """The pause before the next attempt, after a number of failures in a row."""
    doubled: timedelta = PAUSE * 2 ** min(failures - 1, 16)
    return min(doubled, PAUSE_MAX)


def _note_failure(row: OutsideCopy, reason: str, now: datetime) -> None:
    if not row.failures:  # log the first failure, not each attempt
        log.error("not_copied", establishment=str(row.establishment_id), why=reason)
    OutsideCopy.objects.filter(
        establishment=row.establishment_id, destination=row.destination
    ).update(error=reason[:REASON_MAX], failed_at=now, failures=row.failures + 1)


def _position_of_close(establishment: UUID) -> int:
    """The position at which the last gaming day was closed; -1: none was."""
    rows = Event.objects.filter(
        establishment=establishment, stream=gaming_day.STREAM, event_type=gaming_day.CLOSED
    )
    position = rows.order_by("-stream_version").values_list("position", flat=True).first()
    return -1 if position is None else position
