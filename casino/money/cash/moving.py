"""Transfers of cash between places of the house, and the check that the cage holds enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.house.acts import custody
from casino.house.attendants import permissions
from casino.kit.approvals import requests as approval_requests
from games.refusals import Refused
from ledger import journal, money

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from casino.house.acts.acts import Act
    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Table
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
    held = money.balance(custody.cage(), establishment=requests[0].house.pk)
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
    held = money.balance(custody.cage(), establishment=establishment)
    _check_cage(held, amount, otherwise)
    return {custody.cage(): held}


# Checks who acts on the house's cash: a named person who may record at the house.


class OwnPrize(Refused):
    code = "own_prize"


def person(act: Act, says: str, *, table: Table | None = None) -> Attendant:
    """
    The person whose act this is, if they may record at the house.

    :param says: that only a person does it, with its control, as a whole sentence.
    :param table: the table of the act, which must be one of the house.
    :raises NotYours: if no person acts, the table is another house's, or the person may not record.
    """
    if act.by is None or (table is not None and table.establishment_id != act.house.pk):
        raise permissions.NotYours(says)
    permissions.require(act.by, "record", act.house)
    return act.by


def not_ones_own(act: Act, player: str) -> dict[str, int]:
    """
    Check that nobody hands out what they have won themselves (C1, D1b).

    :param player: token of the player who has won it.
    :returns: a guard: the append fails if a record of employment, which may name a person as that
        player, changes meanwhile.
    :raises OwnPrize: if the person who acts is that player.
    """
    seen = approval_requests.employment_guard(act.house.pk)
    if act.actor in approval_requests.who_play(act.house.pk, [player]):
        raise OwnPrize("You have won this yourself: somebody else hands it out. C1, D1b")
    return seen
