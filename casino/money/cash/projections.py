"""The projections of cash: shifts, counts, slips, inventories and accounts, made from events."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from casino.engine.processes.queues import house_subscriber
from casino.house.acts import custody
from casino.house.acts.custody import total_of_sheet
from casino.money.cash import balance_snapshots, bank, fees, slips, tips
from casino.money.cash.models import (
    BalanceMark,
    CageSlip,
    CountRow,
    FeeDay,
    ShiftRow,
    SlipRow,
    TableDay,
    Tip,
)
from ledger import keyed
from ledger.accounts import AccountRef, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ledger.wire import StoredEvent

AREA = "cash"
ROWS = (CountRow, ShiftRow, SlipRow, TableDay)


def handle(event: StoredEvent) -> None:
    """Update the rows from an event: from its data, and from the cash that it moves at tables."""
    for table, changes in _inventory_changes(event).items():
        _count_in(event, table, changes)
    handler = HANDLERS.get(event.event_type)
    if handler and event.stream.startswith(("custody/", "slips")):
        handler(event)


CASH = house_subscriber.Area(AREA, handle, ROWS)


# --- What moves --------------------------------------------------------------------------------


def _inventory_changes(event: StoredEvent) -> dict[UUID, dict[str, int]]:
    """The columns of inventories that an event's transfers change, table by table."""
    changed: dict[UUID, dict[str, int]] = {}
    for table, column, amount in _columns(event):
        columns = changed.setdefault(table, {})
        columns[column] = columns.get(column, 0) + amount
    return changed


def _columns(event: StoredEvent) -> Iterator[tuple[UUID, str, int]]:
    """For each end of a transfer that is a table's float: the table, the column, the amount."""
    for transfer in event.transfers:
        debit, credit = AccountRef.parse(transfer["debit"]), AccountRef.parse(transfer["credit"])
        undone = transfer["reverses"] is not None
        for place, other, came in (
            (debit, credit, transfer["amount"]),
            (credit, debit, -transfer["amount"]),
        ):
            if custody.is_float(place):
                column, sign = meaning(transfer["reason"], other, came=came > 0, undone=undone)
                yield UUID(place.name), column, sign * came


def meaning(reason: str, other: AccountRef, *, came: bool, undone: bool) -> tuple[str, int]:
    """
    The column of the inventory that a movement of a float belongs to, and its sign there.

    A void counts in the column of the movement that it undoes: an undone buy-in reduces the
    buy-ins, it is not a cash-out.

    :param other: the account at the other end of the transfer.
    :param came: whether the money came into the float.
    :param undone: whether the transfer reverses another one.
    """
    if reason in {"opener", "left_over"}:
        return "opener", 1
    if reason in {"fill", "over_short"}:
        return f"{reason}s" if reason == "fill" else reason, 1
    if reason == "closer":
        return "taken", -1
    if reason == "credit":
        return "credits", -1
    if other.kind == Kind.STAKE:
        return ("bought_in", 1) if came != undone else ("cashed_out", -1)
    return ("boxed", -1) if other.kind == Kind.FLOAT else ("other", 1)


def _count_in(event: StoredEvent, table: UUID, changes: Mapping[str, int]) -> None:
    changed = {name: amount for name, amount in changes.items() if amount}
    if not changed:
        return
    _of_day(event, table, changed)
    if shift := {name: amount for name, amount in changed.items() if name in OF_SHIFT}:
        _add(shift, RUNNING, event.establishment, table, ShiftRow.Ended.RUNNING.value)


OF_SHIFT = frozenset(
    {"fills", "credits", "bought_in", "cashed_out", "boxed", "other", "over_short"}
)  # not the opener, which the event that opens the shift has; nor what a close takes away


def _of_day(event: StoredEvent, table: UUID, changes: Mapping[str, int]) -> None:
    """
    Change a table's inventory of the event's gaming day.

    A new row begins with what lay at the table at the end of its last day.
    """
    house, day = event.establishment, event.provenance.gaming_day
    if not _add(changes, OF_THAT_DAY, house, table, day):
        rows = TableDay.objects.filter(establishment=house, table=table, gaming_day__lt=day)
        before = rows.order_by("-gaming_day").first()
        TableDay.objects.create(
            establishment_id=house,
            table_id=table,
            gaming_day=day,
            opener=before.standing if before else 0,
        )
        _add(changes, OF_THAT_DAY, house, table, day)
    if standing := sum(sign * changes.get(name, 0) for name, sign in SIGNS.items()):
        # A void may belong to an earlier day than the last: it changes the openers of later days.
        _add({"opener": standing}, OF_LATER_DAYS, house, table, day)


SIGNS = {"opener": 1, "fills": 1, "bought_in": 1, "other": 1, "over_short": 1,
         "cashed_out": -1, "credits": -1, "boxed": -1, "taken": -1}  # fmt: skip


OF_THAT_DAY, OF_LATER_DAYS = (
    f"UPDATE {TableDay._meta.db_table} SET {{added}}"  # noqa: S608, SLF001 - names of our own
    f" WHERE establishment_id = %s AND table_id = %s AND gaming_day {which} %s"
    for which in ("=", ">")
)
RUNNING = (
    f"UPDATE {ShiftRow._meta.db_table} SET {{added}}"  # noqa: S608, SLF001 - names of our own
    " WHERE establishment_id = %s AND table_id = %s AND ended = %s"
)


def _add(changes: Mapping[str, int], to: str, *which: keyed.Value) -> int:
    """
    Add amounts to columns of the rows that a statement selects; runs for each float movement.

    :returns: how many rows were changed.
    """
    added = ", ".join(f"{name} = {name} + %s" for name in changes)
    return keyed.change(to.format(added=added), *changes.values(), *which)


# --- What happened -----------------------------------------------------------------------------


def _table(event: StoredEvent) -> UUID:
    return UUID(event.data["table"])


def _count(event: StoredEvent) -> Any:
    return CountRow.objects.filter(
        establishment=event.establishment, count=UUID(event.data["count"])
    )


def _count_entered(event: StoredEvent) -> None:
    data, provenance = event.data, event.provenance
    CountRow.objects.get_or_create(
        establishment_id=event.establishment,
        count=UUID(data["count"]),
        defaults={
            "table_id": _table(event),
            "purpose": data["purpose"],
            "begun_at": provenance.recorded_at,
            "gaming_day": provenance.gaming_day,
            "position": event.position,
        },
    )
    _count(event).update(attempts=data["attempt"], position=event.position)


def _count_differed(event: StoredEvent) -> None:
    for row in _count(event):
        pair = [{"by": each["by"], "sheet": each["sheet"]} for each in event.data["opened"]]
        _count(event).update(differed=[*row.differed, pair], position=event.position)


def _count_agreed(event: StoredEvent) -> None:
    data = event.data
    _count(event).update(
        state=CountRow.State.AGREED,
        **_end_fields(event),
        counters=list(data["counters"]),
        sheet=data["sheet"],
        counted=data["counted"],
        expected=data["expected"],
        over_short=data["difference"],
    )


def _call_off(event: StoredEvent) -> None:
    """Mark a running count as called off; a count that was agreed on before stays agreed."""
    running = _count(event).filter(state=CountRow.State.RUNNING)
    running.update(state=CountRow.State.CALLED_OFF, **_end_fields(event))


def _end_fields(event: StoredEvent) -> dict[str, Any]:
    provenance = event.provenance
    return {
        "ended_at": provenance.recorded_at,
        "gaming_day": provenance.gaming_day,
        "position": event.position,
    }


def _shift_opened(event: StoredEvent) -> None:
    data, provenance = event.data, event.provenance
    ShiftRow.objects.create(
        establishment_id=event.establishment,
        shift=UUID(data["shift"]),
        table_id=_table(event),
        holder=UUID(data["holder"]),
        opened_at=provenance.recorded_at,
        opened_day=provenance.gaming_day,
        opener=total_of_sheet(data["sheet"]),
        opened=event.position,
    )


def _shift_closed(event: StoredEvent) -> None:
    ended = ShiftRow.Ended.CLOSED if event.data["to"] == "cage" else ShiftRow.Ended.HANDED_OVER
    ShiftRow.objects.filter(
        establishment=event.establishment, shift=UUID(event.data["shift"])
    ).update(
        ended=ended,
        closed_at=event.provenance.recorded_at,
        closed_day=event.provenance.gaming_day,
    )


def _slip(event: StoredEvent) -> None:
    data, provenance = event.data, event.provenance
    approved = data.get("approved_by")
    SlipRow.objects.create(
        establishment_id=event.establishment,
        number=data["number"],
        kind=data["kind"],
        table_id=_table(event),
        amount=data["amount"],
        sheet=data["sheet"],
        reason=data["reason"],
        request=UUID(data["request"]),
        asked_by=UUID(data["asked_by"]),
        asked_at=datetime.fromisoformat(data["asked_at"]),
        approved_by=UUID(approved) if approved else None,
        issued_at=provenance.recorded_at,
        gaming_day=provenance.gaming_day,
        position=event.position,
    )


def _slip_received(event: StoredEvent) -> None:
    SlipRow.objects.filter(
        establishment=event.establishment, number=event.data["number"]
    ).update(
        received_by=UUID(event.provenance.actor), received_at=event.provenance.recorded_at
    )  # fmt: skip


HANDLERS: dict[str, Callable[[StoredEvent], None]] = {
    custody.COUNT_ENTERED: _count_entered,
    custody.COUNT_DIFFERED: _count_differed,
    custody.COUNT_AGREED: _count_agreed,
    custody.CALLED_OFF: _call_off,
    custody.SHIFT_OPENED: _shift_opened,
    custody.SHIFT_CLOSED: _shift_closed,
    custody.SLIP_RECEIVED: _slip_received,
    slips.FILLED: _slip,
    slips.CREDITED: _slip,
}


# The projections of accounts: snapshots of balances, the cage, fees and tips.


ACCOUNT_ROWS = (BalanceMark, CageSlip, FeeDay, Tip)


def handle_accounts(event: StoredEvent) -> None:
    for each in (balance_snapshots.handle, bank.handle, fees.handle, tips.handle):
        each(event)
