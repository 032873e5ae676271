"""
Copying checkpoints out of the machine: to each destination by itself, again and again until it has
the newest one.

A try is claimed in its row before it is made, so that workers who come at once make it once, and
one that was killed is followed by the next. Nothing is locked while a destination is waited for.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

import structlog
from django.db.models import Q

from casino.establishments import gaming_day
from casino.integrity import destinations, keys
from casino.integrity.destinations import LATEST, Destination, Folder, NotCopied
from casino.integrity.models import OutsideCopy
from ledger import checkpoints
from ledger.models import Event

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path
    from uuid import UUID

    from casino.establishments.models import Establishment
    from ledger.models import Checkpoint
    from ledger.verify import Checkpoint as Published

PAUSE: Final = timedelta(seconds=15)  # after a first failure; twice as long after each further one
PAUSE_MAX: Final = timedelta(hours=1)
REASON_MAX: Final = 200

log = structlog.get_logger(__name__)


def due(house: Establishment, now: datetime) -> list[Destination]:
    """The destinations that are to get the house's newest checkpoint now."""
    newest = checkpoints.latest(house.pk)
    wanted = destinations.configured()
    if newest is None or not wanted:
        return []
    rows = {row.destination: row for row in OutsideCopy.objects.filter(establishment=house)}
    closed = _closed(house.pk)
    return [each for each in wanted if _is_due(each, rows.get(each.text), newest, closed, now)]


def copy(house: Establishment, destination: Destination, now: datetime) -> bool:
    """
    Copy the newest checkpoint to a destination, if that is due; whether it has it now.

    A failure is kept in the row, with the sentence for people; it is tried again later.
    """
    newest = checkpoints.latest(house.pk)
    row, _ = OutsideCopy.objects.get_or_create(establishment=house, destination=destination.text)
    if newest is None or not _is_due(destination, row, newest, _closed(house.pk), now):
        return False
    mine = OutsideCopy.objects.filter(establishment=house, destination=destination.text)
    if not mine.filter(tried_at=row.tried_at).update(tried_at=now):
        return False  # another worker is at it
    try:
        _may_be_trusted(house, destination)
        destination.put(newest, house.name)
    except NotCopied as failure:
        _failed(row, str(failure), now)
        return False
    older = Q(epoch__lt=newest.epoch) | Q(epoch=newest.epoch, size__lte=newest.size)
    mine.filter(older).update(
        epoch=newest.epoch, size=newest.size, copied_at=now, error="", failed_at=None, failures=0
    )
    return True


def published(establishment: UUID) -> list[Published]:
    """What folders have of a house: see `in_folders`."""
    return [each for _, each in in_folders(establishment)]


def in_folders(establishment: UUID) -> list[tuple[Path, Published]]:
    """
    The newest that each folder has of a house, with its file, as far as the house has signed it.

    A folder that cannot be read says nothing, and delays nobody.
    """
    found = []
    for each in destinations.configured():
        if isinstance(each, Folder):
            try:
                newest = each.newest(establishment)
            except NotCopied:
                continue  # the next copy says so
            if newest is not None and keys.has_signed(establishment, newest):
                found.append((each.path / str(establishment) / LATEST, newest))
    return found


def _may_be_trusted(house: Establishment, destination: Destination) -> None:
    """:raises NotCopied: if a folder has as the newest what the house has not signed."""
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
    if row.tried_at is None or row.tried_at > now:  # by a clock that has been put back since
        return True
    if row.failures:
        return now - row.tried_at >= pause(row.failures)
    if row.size <= closed < newest.size:  # B4: the close of a day goes out at once
        return True
    return now - row.tried_at >= destination.every


def pause(failures: int) -> timedelta:
    """How long a destination is left alone after so many failures in a row."""
    doubled: timedelta = PAUSE * 2 ** min(failures - 1, 16)
    return min(doubled, PAUSE_MAX)


def _failed(row: OutsideCopy, reason: str, now: datetime) -> None:
    if not row.failures:  # once, and not each time that it is tried
        log.error("not_copied", establishment=str(row.establishment_id), why=reason)
    OutsideCopy.objects.filter(
        establishment=row.establishment_id, destination=row.destination
    ).update(error=reason[:REASON_MAX], failed_at=now, failures=row.failures + 1)


def _closed(establishment: UUID) -> int:
    """The position at which a gaming day was last closed; -1: none was."""
    rows = Event.objects.filter(
        establishment=establishment, stream=gaming_day.STREAM, event_type=gaming_day.CLOSED
    )
    position = rows.order_by("-stream_version").values_list("position", flat=True).first()
    return -1 if position is None else position
