"""The projections of accounts: snapshots of balances, the cage, fees and tips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.money.cash import balance_snapshots, bank, fees, tips
from casino.money.cash.models import BalanceMark, CageSlip, FeeDay, Tip

if TYPE_CHECKING:
    from ledger.wire import StoredEvent

ROWS = (BalanceMark, CageSlip, FeeDay, Tip)


def handle(event: StoredEvent) -> None:
    for each in (balance_snapshots.handle, bank.handle, fees.handle, tips.handle):
        each(event)
