"""When the device that records a game was last heard of: from its polls, at next to no cost."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from casino.devices.models import Heard

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

EVERY: Final = timedelta(seconds=10)  # between two signs of life that are written down
QUIET: Final = (30, 120, 600, 3600)  # seconds of silence at which those who watch are told


def polled(establishment: UUID, game: UUID, device: str, now: datetime) -> int:
    """
    A device looked at its game: where it records it, that is a sign of life.

    :return: for those who watch how long the other has been quiet, as a step of `QUIET`: what they
        are shown changes with it. 0 for who records, and where nobody does. One query.
    """
    rows = Heard.objects.filter(establishment=establishment, game=game)
    row = rows.first()
    if row is None:
        return 0
    # Heard later than now: before a clock was put back. What has to wait for that would wait long.
    silence = abs(now - row.heard_at)
    if row.device == device:
        if silence >= EVERY:
            rows.filter(device=device).update(heard_at=now)  # unless it was taken over just now
        return 0
    return sum(silence.total_seconds() >= each for each in QUIET)


def silent_for(establishment: UUID, game: UUID, now: datetime) -> int | None:
    """Seconds since the device that records was heard of; None: it never was."""
    rows = Heard.objects.filter(establishment=establishment, game=game)
    last = rows.values_list("heard_at", flat=True).first()
    return None if last is None else max(0, round((now - last).total_seconds()))
