"""
How long the attendant alone may undo the last throw (G4): the house's `undo_seconds`, by the clock
of the house and by that of the device. docs/decisions/0077 says why by both.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import datetime

    from casino.house.game_streams.loading import Loaded
    from ledger.wire import StoredEvent

ON_ITS_WAY: Final = 2
"""
By how many times the house's seconds an undo may reach the house later than the throw did, if the
device says that it was made in time. A device whose clock lies gains no more than that.
"""


def last_command(loaded: Loaded) -> StoredEvent | None:
    """The first event of the last command of play that stands; None before the opening."""
    live = loaded.state.live
    return None if live is None else loaded.events[live.value.first - 1]


def is_open(loaded: Loaded, seconds: int, now: datetime) -> bool:
    """Whether an undo that is made now, on any device, comes in time for the last command."""
    last = last_command(loaded)
    if last is None or not seconds:
        return False
    return now - last.provenance.recorded_at <= timedelta(seconds=seconds)


def in_time(
    loaded: Loaded, seconds: int, *, device: str, made_at: datetime, received_at: datetime
) -> bool:
    """
    Whether an undo comes in time for the last command of play.

    :param device: the device that sends the undo; `made_at`: when it was made, by the clock of that
        device; `received_at`: now, by the house's clock.
    """
    last = last_command(loaded)
    if last is None or not seconds:
        return False
    given = timedelta(seconds=seconds)
    by_house = received_at - last.provenance.recorded_at
    by_device = made_at - last.provenance.occurred_at
    if last.provenance.device != device or by_device < timedelta(0):
        return by_house <= given  # two clocks, or one that was set back, tell nothing
    return by_device <= given and by_house <= ON_ITS_WAY * given


def seconds_left(loaded: Loaded, seconds: int, now: datetime) -> int:
    """The whole seconds in which the last command may still be undone; 0 if none are left."""
    last = last_command(loaded)
    if last is None or not is_open(loaded, seconds, now):
        return 0
    return seconds - int((now - last.provenance.recorded_at).total_seconds())
