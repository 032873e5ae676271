"""Books a game at once, beside the workers or in their place, while somebody waits for it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from casino.house.acts.game_streams.loading import load
from casino.play.settlement import settled
from casino.play.settlement.subscriber import SETTLEMENT
from ledger import subscriptions

if TYPE_CHECKING:
    from casino.house.acts.game_streams.loading import GameKey

PATIENCE: Final = 2.0  # seconds that somebody at a table waits; workers book a longer backlog
BATCH: Final = 50  # events; other processes can write between two batches
PAUSE: Final = 0.05  # seconds, while a worker is booking


def book(key: GameKey) -> None:
    """
    Book a game up to its last event, which usually takes a moment; give up after `PATIENCE`.

    Money leaves only when it is booked. Without this function, a device that sends a throw and the
    cash-out of its payout one right after the other would be told again and again to retry.

    :raises OperationalError: and other transient errors; nothing has been booked then.
    """
    until = time.monotonic() + PATIENCE
    loaded = load(key)
    while settled.last_event_handled(loaded) < loaded.version and time.monotonic() < until:
        advanced = subscriptions.advance(SETTLEMENT, establishment=key.establishment, batch=BATCH)
        if advanced.lost_race:
            time.sleep(PAUSE)
        elif not advanced.handled:
            return  # the remaining events are parked
