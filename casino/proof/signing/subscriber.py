"""
Wakes a worker to sign at once when a game or a gaming day ends (B4: a checkpoint covers the close).

This area of the subscriber `house` has no rows. When events are replayed, those that are signed
already wake nobody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.engine.processes.queues import house_subscriber
from casino.house.establishments import gaming_day
from casino.proof.signing import tasks
from ledger.checkpoints import INTEGRITY
from ledger.models import Subscription

if TYPE_CHECKING:
    from ledger.wire import StoredEvent

ENDS: Final = frozenset({"table.game_closed", gaming_day.CLOSED})


def handle(event: StoredEvent) -> None:
    if event.event_type not in ENDS:
        return
    rows = Subscription.objects.filter(establishment=event.establishment, name=INTEGRITY.name)
    signed = rows.values_list("position", flat=True).first()
    if signed is None or signed < event.position:
        tasks.wake(establishment=event.establishment)


SIGNED: Final = house_subscriber.Area("integrity", handle, rows=())
