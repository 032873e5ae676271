"""Transfers of cash between places of the house, and the check that the cage holds enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.house.custody import boxes
from games.refusals import Refused
from ledger import journal, money

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from casino.kit.approvals.requests import Request
    from ledger.accounts import AccountRef


class CageTooSmall(Refused):
    code = "cage_too_small"


def move(
    giver: AccountRef, taker: AccountRef, amount: int, reason: str, event: int
) -> list[journal.NewTransfer]:
    """
    The transfer of an amount from `giver` to `taker`.

    A negative amount goes the other way; for 0 there is no transfer. Debits increase cash, so the
    taker is debited, whatever the other account is.
    """
    if not amount:
        return []
    if amount < 0:
        giver, taker, amount = taker, giver, -amount
    return [
        journal.NewTransfer(debit=taker, credit=giver, amount=amount, reason=reason, event=event)
    ]


def beyond_the_cage(requests: Sequence[Request], otherwise: str) -> list[str]:
    """For each request to take cash from the cage, why it is too small for it now; or ""."""
    held = money.balance(boxes.cage(), establishment=requests[0].house.pk)
    amounts = [request.amount or 0 for request in requests]
    return [_why_not(held, amount, otherwise) for amount in amounts]


def _why_not(held: int, amount: int, otherwise: str) -> str:
    try:
        _check_cage(held, amount, otherwise)
    except CageTooSmall as short:
        return str(short)
    return ""


def _check_cage(held: int, amount: int, otherwise: str) -> None:
    if amount > held:
        raise CageTooSmall(f"The cage holds {held}, not {amount}: {otherwise}")


def cage_gives(establishment: UUID, amount: int, *, otherwise: str) -> dict[AccountRef, int]:
    """
    Check that the cage holds an amount that is to be taken from it.

    :param otherwise: what to do if the cage holds less, with the control that asks for it.
    :returns: the balance of the cage that the append depends on; empty for an amount of 0.
    :raises CageTooSmall: if the cage holds less.
    """
    if not amount:
        return {}
    held = money.balance(boxes.cage(), establishment=establishment)
    _check_cage(held, amount, otherwise)
    return {boxes.cage(): held}
