"""The subscriber that monitors throws, run as the Celery task runs it; its computation alone."""

from __future__ import annotations

import time
from random import Random
from typing import Any
from uuid import UUID

from casino.house.acts.game_streams.loading import MEMORY
from casino.play.dice.surveillance.models import DiceStream, Kind
from casino.play.dice.surveillance.stream_monitor import StreamKey, StreamMonitor
from casino.play.dice.surveillance.subscriber import SURVEILLANCE
from ledger import subscriptions
from ledger.models import ParkedEvent

DICE, SIDES = 3, 8
THROWS = 3000
MICRO = 1e6


def watch(*, house: str) -> dict[str, Any]:
    """
    Let the subscriber catch up at full batches, without the pauses that it makes for SQLite's
    writers.
    """
    establishment = UUID(house)
    MEMORY.forget()
    behind = subscriptions.lag(SURVEILLANCE.name, establishment=establishment)
    began, used = time.perf_counter(), time.process_time()
    while subscriptions.advance(SURVEILLANCE, establishment=establishment).lag:
        pass
    took, processor = time.perf_counter() - began, time.process_time() - used
    assert not ParkedEvent.objects.filter(establishment=establishment).exists()
    row = DiceStream.objects.get(establishment=establishment, kind=Kind.HOUSE, sides=SIDES)
    throw = computed()
    return {
        "throws": row.throws // DICE,
        "throw": throw,
        "die": throw / DICE,
        "event": processor / behind * MICRO,
        "throw, whole": processor / (row.throws / DICE) * MICRO,
        "events/s": behind / took,
    }


def computed() -> float:
    """Microseconds for a throw in the five streams that it belongs to, without rows and ledger."""
    chance = Random(1)  # noqa: S311 - dice of a bench
    monitors = [
        StreamMonitor.new(UUID(int=0), StreamKey("house", str(each), SIDES)) for each in range(5)
    ]
    thrown = [[chance.randint(1, SIDES) for _ in range(DICE)] for _ in range(THROWS)]
    began = time.process_time()
    for position, faces in enumerate(thrown):
        for each in monitors:
            each.update(faces, position)
    return (time.process_time() - began) / THROWS * MICRO
