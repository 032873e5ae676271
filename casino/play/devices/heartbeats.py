"""Heartbeats: when the device that records a game was last heard of, taken from its polls."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from casino.play.devices.models import Heard

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

EVERY: Final = timedelta(seconds=10)  # the least time between two heartbeats that are written
QUIET: Final = (30, 120, 600, 3600)  # seconds of silence at which other devices are told


def note_poll(establishment: UUID, game: UUID, device: str, now: datetime) -> int:
    """
    Handle a device's poll of its game: if the device records the game, the poll is a heartbeat.

    :return: for another device, how long the recording device has been quiet, in steps of `QUIET`
        (what is shown changes with the step). 0 for the recording device, and if nobody records.
        One query.
    """
    rows = Heard.objects.filter(establishment=establishment, game=game)
    row = rows.first()
    if row is None:
        return 0
    # heard_at may be in the future, if the clock was set back since: hence the absolute value.
    silence = abs(now - row.heard_at)
    if row.device == device:
        if silence >= EVERY:
            rows.filter(device=device).update(heard_at=now)  # no row if just taken over
        return 0
    return sum(silence.total_seconds() >= each for each in QUIET)


def silent_for(establishment: UUID, game: UUID, now: datetime) -> int | None:
    """Seconds since the recording device was last heard of; None if it never was."""
    rows = Heard.objects.filter(establishment=establishment, game=game)
    last = rows.values_list("heard_at", flat=True).first()
    return None if last is None else max(0, round((now - last).total_seconds()))
