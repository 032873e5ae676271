"""What the accounts' part of the house's cash brings along: what it reads, what may be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino import following
from casino.cash import bank, fees, marks, prizes, tips
from casino.cash.book_models import BalanceMark, CageSlip, FeeDay, Tip

if TYPE_CHECKING:
    from ledger.wire import StoredEvent

ROWS = (BalanceMark, CageSlip, FeeDay, Tip)


def handle(event: StoredEvent) -> None:
    for each in (marks.handle, bank.handle, fees.handle, tips.handle):
        each(event)


def register() -> None:
    """From the app's ``ready()``."""
    following.register(following.Area("accounts", handle, ROWS))
    bank.register()
    prizes.register()
