"""
Tips (P4): recorded if the house allows them, and kept apart from all other money.

A tip belongs neither to the house nor to the player any more. It lies in the table's tip box, and
the house holds it for the attendant until somebody else hands it over at the end of the shift.
docs/decisions/0021-held-money.md says why the account is of the kind `held`.
"""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from casino.house.acts import acts, custody
from casino.house.attendants.models import Employment
from casino.house.home_throws import house_rules
from casino.money.cash import moving
from casino.money.cash.models import Owed, Tip
from casino.money.cash.moving import move
from games.payments import COINS_MAX
from games.refusals import Refused
from ledger import journal, money
from ledger.accounts import AccountRef, Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.house.establishments.models import Establishment, Table
    from ledger.wire import StoredEvent

STREAM: Final = "tips"
TAKEN: Final = "tip.taken"
PAID: Final = "tip.paid_out"


RECORDS: Final = "Somebody of the house records tips, by name. P4"


class TipsNotAllowed(Refused):
    code = "tips_not_allowed"


class NoAmount(Refused):
    code = "no_amount"


class NotStaff(Refused):
    code = "not_staff"


class OwnTips(Refused):
    code = "own_tips"


class NoTips(Refused):
    code = "no_tips"


def box(table: uuid.UUID) -> AccountRef:
    """The account of the tip box of a table: cash, but no part of the table's float."""
    return AccountRef(Kind.FLOAT, f"{table}/tips")


def account_of_tips(table: uuid.UUID, attendant: uuid.UUID) -> AccountRef:
    """The account of the tips at a table that the house holds for an attendant."""
    return AccountRef(Kind.HELD, f"{custody.TIPS}{table}/{attendant}")


def take(act: acts.Act, *, table: Table, attendant: uuid.UUID, amount: int) -> journal.Receipt:
    """
    Record a tip that was given at a table.

    :raises NotYours: if the person may not record.
    :raises Refused: `TipsNotAllowed`, `NoAmount`; `NotStaff`, if the tip is not for an employee.
    """
    moving.person(act, RECORDS, table=table)

    def decide() -> acts.Done:
        if not act.house.tips_allowed:
            raise TipsNotAllowed(f"{act.house} allows no tips: give it back to the player. P4")
        if not 0 < amount <= COINS_MAX:
            raise NoAmount(f"{amount} is no amount: one coin or more, {COINS_MAX} at most. P4")
        house_rules.check_amount(act.house, amount, field="amount")
        _works_here(act.house, attendant)
        data = {"table": str(table.pk), "attendant": str(attendant), "amount": amount}
        return _end(act.house, TAKEN, data, move(
            account_of_tips(table.pk, attendant), box(table.pk), amount, "tip", 0
        ))  # fmt: skip

    request = {
        "do": "tip", "table": str(table.pk), "attendant": str(attendant), "amount": amount,
    }  # fmt: skip
    return acts.perform(replace(act, request=request), decide)


def pay_out(act: acts.Act, *, table: Table, attendant: uuid.UUID) -> journal.Receipt:
    """
    Hand an attendant all their tips of a table; somebody else must do this.

    :raises NotYours: if the person may not record.
    :raises Refused: `OwnTips`, if the person who acts is the attendant; `NoTips`, if there are
        none.
    """
    moving.person(act, RECORDS, table=table)

    def decide() -> acts.Done:
        if act.actor == str(attendant):
            raise OwnTips("Somebody else hands you your tips. P4")
        account = account_of_tips(table.pk, attendant)
        held = money.balance(account, establishment=act.house.pk)
        if not held:
            raise NoTips(f"No tips of theirs lie at {table}. P4")
        data = {"table": str(table.pk), "attendant": str(attendant), "amount": held}
        paid = move(box(table.pk), account, held, "tip_paid_out", 0)
        return replace(_end(act.house, PAID, data, paid), balances={account: held})

    request = {"do": "pay_tips", "table": str(table.pk), "attendant": str(attendant)}
    return acts.perform(replace(act, request=request), decide)


def waiting(house: Establishment) -> list[tuple[uuid.UUID, uuid.UUID, int]]:
    """Tips not handed over yet: table, attendant, coins; read from the rows of `Owed`."""
    rows = Owed.objects.filter(
        establishment=house, kind=Kind.HELD.value, name__startswith=custody.TIPS
    ).order_by("name")
    found = []
    for name, amount in rows.values_list("name", "amount"):
        table, attendant = name.removeprefix(custody.TIPS).split("/")
        found.append((uuid.UUID(table), uuid.UUID(attendant), amount))
    return found


def _works_here(house: Establishment, attendant: uuid.UUID) -> None:
    """:raises NotStaff: if the attendant does not work at this house."""
    here = Employment.objects.filter(establishment=house, attendant=attendant, until__isnull=True)
    if not here.exists():
        raise NotStaff("Tips are for who works here. P4")


def _end(
    house: Establishment,
    event_type: str,
    data: Mapping[str, Any],
    transfers: list[journal.NewTransfer],
) -> acts.Done:
    version = journal.versions(establishment=house.pk, streams=[STREAM])[STREAM]
    event = journal.NewEvent(stream=STREAM, event_type=event_type, schema_version=1, data=data)
    return acts.Done(guards={STREAM: version}, events=[event], transfers=transfers)


def handle(event: StoredEvent) -> None:
    """Write a row of the list of tips from an event."""
    if event.event_type not in {TAKEN, PAID}:
        return
    data, provenance = event.data, event.provenance
    Tip.objects.create(
        establishment_id=event.establishment,
        position=event.position,
        table=uuid.UUID(data["table"]),
        attendant=uuid.UUID(data["attendant"]),
        amount=data["amount"] if event.event_type == TAKEN else -data["amount"],
        at=provenance.recorded_at,
        gaming_day=provenance.gaming_day,
        by=provenance.actor,
    )
