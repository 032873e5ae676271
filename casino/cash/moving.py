"""Money from one place of the house to another, and what the cage has to hold before it gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.custody import boxes
from games.refusals import Refused
from ledger import journal, money

if TYPE_CHECKING:
    from uuid import UUID

    from ledger.accounts import AccountRef


class CageTooSmall(Refused):
    code = "cage_too_small"


def moved(
    giver: AccountRef, taker: AccountRef, amount: int, reason: str, event: int
) -> list[journal.NewTransfer]:
    """
    Money from one place to another, back where the amount is below nought; nothing for nought.

    Cash is more by debits, so it is the taker that is debited, whatever the other account is.
    """
    if not amount:
        return []
    if amount < 0:
        giver, taker, amount = taker, giver, -amount
    return [
        journal.NewTransfer(debit=taker, credit=giver, amount=amount, reason=reason, event=event)
    ]


def cage_gives(establishment: UUID, amount: int, *, otherwise: str) -> dict[AccountRef, int]:
    """
    What the append rests on that takes cash from the cage: what it held; nothing for nought.

    :param otherwise: what to do where it holds less, with the control that asks for it.
    :raises CageTooSmall: if it does.
    """
    if not amount:
        return {}
    held = money.balance(boxes.cage(), establishment=establishment)
    if held < amount:
        raise CageTooSmall(f"The cage holds {held}, not {amount}: {otherwise}")
    return {boxes.cage(): held}
