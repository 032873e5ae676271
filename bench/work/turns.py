"""How long each of many houses waits for a worker, when one of them is far behind."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any
from uuid import UUID

from casino.engine.processes.queues import waking
from casino.house.acts.game_streams.loading import MEMORY
from casino.play.core.subscriptions import tasks
from casino.play.settlement.subscriber import SETTLEMENT
from ledger import subscriptions

if TYPE_CHECKING:
    from collections.abc import Sequence


def served(*, houses: Sequence[str], first: Sequence[str] = ()) -> dict[str, Any]:
    """
    Settle all houses in turns as a worker does, until none waits.

    :param first: houses that are woken before the others.
    :returns: seconds from the first turn until each of `houses`, and all of `first`, were caught
        up, and the seconds of the longest turn.
    """
    MEMORY.forget()
    level: dict[str, float] = {}
    turns: list[float] = []
    messages: list[None] = []
    began = time.monotonic()

    def settle(house: UUID) -> bool:
        at = time.monotonic()
        more = tasks.advance(SETTLEMENT, house)
        turns.append(time.monotonic() - at)
        if not more:
            level[str(house)] = time.monotonic() - began
        return more

    wakes = waking.Wakes("bench", {SETTLEMENT.name: settle}, lambda _queue: messages.append(None))
    for some in (first, houses):
        wakes.wake((SETTLEMENT.name, UUID(house)) for house in some)
    while messages:
        messages.pop()
        wakes.serve()
    behind = [
        house for house in level if subscriptions.lag(SETTLEMENT.name, establishment=UUID(house))
    ]
    assert not behind, behind
    return {
        "waited": [level[house] for house in houses],
        "first": max((level[house] for house in first), default=0.0),
        "turn": max(turns),
    }
