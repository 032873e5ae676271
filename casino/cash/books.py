"""What the accounts' part of the house's cash brings along: what it reads, what may be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino import following
from casino.cash import bank, fees, marks, prizes, tips
from casino.cash.book_models import CageSlip, Tip

if TYPE_CHECKING:
    from uuid import UUID

    from ledger.wire import StoredEvent


def handle(event: StoredEvent) -> None:
    for each in (marks.handle, bank.handle, fees.handle, tips.handle):
        each(event)


def forget(establishment: UUID) -> None:
    marks.forget(establishment)
    fees.forget(establishment)
    for model in (CageSlip, Tip):
        model._default_manager.filter(establishment=establishment).delete()  # noqa: SLF001


def register() -> None:
    """From the app's ``ready()``."""
    following.register(following.Area("accounts", handle, forget))
    bank.register()
    prizes.register()
