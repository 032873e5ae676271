"""Registers the accounts' part of cash: its projections, and its kinds of requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.engine.processes.queues import house_subscriber
from casino.money.cash import balance_snapshots, bank, fees, owed, prizes, tips
from casino.money.cash.models import BalanceMark, CageSlip, FeeDay, Owed, Tip

if TYPE_CHECKING:
    from ledger.wire import StoredEvent

ROWS = (BalanceMark, CageSlip, FeeDay, Tip)


def handle(event: StoredEvent) -> None:
    for each in (balance_snapshots.handle, bank.handle, fees.handle, tips.handle):
        each(event)


def register() -> None:
    """Register the projections and the kinds of requests; called from the app's ``ready()``."""
    house_subscriber.register(house_subscriber.Area("accounts", handle, ROWS))
    house_subscriber.register(house_subscriber.Area("owed", owed.handle, (Owed,), batch=owed.batch))
    bank.register()
    prizes.register()
