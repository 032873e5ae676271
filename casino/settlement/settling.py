"""Booking what was played while somebody at a table waits for it, with the workers or for them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from casino.game_streams.loading import load
from casino.settlement import settled
from casino.settlement.subscriber import SETTLEMENT
from ledger import subscriptions

if TYPE_CHECKING:
    from casino.game_streams.loading import GameKey

PATIENCE: Final = 2.0  # seconds that somebody at a table waits; a backlog is the workers' to book
BATCH: Final = 50  # events: others write between two of them
PAUSE: Final = 0.05  # seconds, where a worker is at it


def book(key: GameKey) -> None:
    """
    Have a game booked as far as it was played: at once as a rule, and after `PATIENCE` perhaps not.

    Money leaves when it is booked, not a moment before; but who was told to ask again in a moment
    would be told so again and again by a queue that sends a throw and what it pays in one go.

    :raises OperationalError: and what else passes by itself; nothing has happened then.
    """
    until = time.monotonic() + PATIENCE
    loaded = load(key)
    while settled.settled_through(loaded) < loaded.version and time.monotonic() < until:
        advanced = subscriptions.advance(SETTLEMENT, establishment=key.establishment, batch=BATCH)
        if advanced.lost_race:
            time.sleep(PAUSE)
        elif not advanced.handled:
            return  # what is left waits for somebody: it is parked
