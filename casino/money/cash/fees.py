"""
Fee boxes (A5): the fees of games lie in the box of their table until two people count it.

Settlement moves every fee that it books from the table's float into the box; voids move it back.
Each gaming day two people count the box, blind, as floats are counted: the first count is sealed;
if two counts differ, both stay on record and both people count again. What they agree on goes to
the cage; the difference from the ledger is over/short.

    fees.count(act, table=table, sheet={"5": 3})        # the first of two, then the second
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.db.models import F

from casino.house.acts import accounts, acts, custody
from casino.house.establishments.table_names import in_list_order
from casino.money.cash import counting as cash_counting
from casino.money.cash import moving
from casino.money.cash.counting import SameCounter
from casino.money.cash.models import FeeDay
from casino.money.cash.moving import move
from ledger import journal, money, recent
from ledger.accounts import AccountRef, Kind
from ledger.models import Account

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

    from casino.house.establishments.models import Establishment, Table
    from casino.money.cash.counting import Counted
    from ledger.wire import StoredEvent

ENTERED: Final = "fees.count_entered"
DIFFERED: Final = "fees.count_differed"
COUNTED: Final = "fees.counted"
DAYS: Final = 14  # how many gaming days lists of boxes go back
BOX: Final = "/fees"  # suffix of the account name of a box


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """
    The running count of a box, as the last event of its stream leaves it.

    :param first: the event of the first count; None: nobody has counted yet.
    """

    version: int = 0
    id: str = ""
    attempt: int = 1
    first: StoredEvent | None = None


def stream_of(table: uuid.UUID) -> str:
    return f"fees/{table}"


def running(establishment: uuid.UUID, table: uuid.UUID) -> Running:
    """The running count of a table's fee box, and who has counted."""
    return _read_running(journal.last(establishment=establishment, stream=stream_of(table)))


def all_running(establishment: uuid.UUID, tables: Iterable[uuid.UUID]) -> dict[uuid.UUID, Running]:
    """The running counts of several boxes, by table, in one query."""
    streams = {stream_of(table): table for table in tables}
    lasts = recent.lasts(establishment, streams)
    return {table: _read_running(lasts.get(stream)) for stream, table in streams.items()}


def _read_running(last: StoredEvent | None) -> Running:
    if last is None:
        return Running()
    if last.event_type == COUNTED:
        return Running(version=last.stream_version)
    attempt = last.data["attempt"]
    if last.event_type == DIFFERED:
        return Running(version=last.stream_version, id=last.data["count"], attempt=attempt + 1)
    return Running(version=last.stream_version, id=last.data["count"], attempt=attempt, first=last)


def count(act: acts.Act, *, table: Table, sheet: Mapping[str, int]) -> journal.Receipt:
    """
    Enter one's own count of a table's fee box: the first of two, or the second.

    :param sheet: value of a piece to number of pieces; empty: the box is empty.
    :raises NotYours: if the person may not record.
    :raises Refused: `NotACount`; `SameCounter`, because another person makes the second count;
        `BeingBooked` while fees or voids of the table wait for settlement.
    """
    moving.person(act, "Somebody of the house counts, by name. A5", table=table)
    request = {"do": "count_fees", "table": str(table.pk), "sheet": dict(sheet)}

    @transaction.atomic  # a count that is refused leaves no sealed count behind
    def decide() -> acts.Done:
        cash_counting.all_booked(act.house, table)
        found = cash_counting.seal(act, custody.normalise_sheet(act.house, sheet))
        now = running(act.house.pk, table.pk)
        if now.first is None:
            return _enter_first(act, table, now, found)
        if now.first.provenance.actor == act.actor:
            raise SameCounter("You have counted already: the second count is another person's. A5")
        return _compare(act, table, now, found)

    return acts.perform(replace(act, request=request), decide)


def _enter_first(act: acts.Act, table: Table, now: Running, found: Counted) -> acts.Done:
    data = {
        "count": now.id or str(uuid.uuid5(act.house.pk, f"fees/{act.command_id}")),
        "attempt": now.attempt,
        "seal": found.seal,
    }
    return _end_count(table, now, ENTERED, data)


def _compare(act: acts.Act, table: Table, now: Running, second: Counted) -> acts.Done:
    """
    Compare the second count with the first.

    Counts that agree are accepted. Otherwise both stay on record and both people count again.
    """
    assert now.first is not None  # noqa: S101 - the caller looked
    entered = now.first.provenance
    first = cash_counting.unseal(act.house, by=entered.actor, key=entered.command_id)
    data = {
        "count": now.id,
        "attempt": now.attempt,
        "counters": [first.by, second.by],
        "opened": [first.as_dict(), second.as_dict()],
    }
    if first.sheet != second.sheet:
        return _end_count(table, now, DIFFERED, data)
    box, counted = accounts.fee_box(str(table.pk)), custody.total_of_sheet(second.sheet)
    expected = money.balance(box, establishment=act.house.pk)
    agreed = {
        **data,
        "sheet": second.sheet,
        "counted": counted,
        "expected": expected,
        "difference": counted - expected,
    }
    done = _end_count(table, now, COUNTED, agreed)
    over_short = custody.over_short(str(table.pk))
    return replace(
        done,
        transfers=[
            *move(over_short, box, counted - expected, "over_short", 0),
            *move(box, custody.cage(), counted, "fee_count", 0),
        ],
        balances={box: expected},
    )


def _end_count(table: Table, now: Running, event_type: str, data: Mapping[str, Any]) -> acts.Done:
    stream = stream_of(table.pk)
    event = journal.NewEvent(stream=stream, event_type=event_type, schema_version=1, data=data)
    return acts.Done(guards={stream: now.version}, events=[event])


def boxes_to_count(house: Establishment) -> list[tuple[Table, int]]:
    """The tables whose fee box is to be counted, and how much the ledger has in each box."""
    tables = {accounts.fee_box(str(table.pk)).name: table for table in house.tables.all()}
    rows = Account.objects.filter(
        establishment=house.pk, kind=Kind.FLOAT.value, name__in=tables
    ).exclude(debits=F("credits"))
    held = {tables[row.name]: row.debits - row.credits for row in rows}
    return [(table, held[table]) for table in in_list_order(held)]


def counting(house: Establishment) -> list[uuid.UUID]:
    """The tables whose fee box one person has counted, and that wait for the second count."""
    tables = house.tables.values_list("pk", flat=True)
    return [table for table, now in all_running(house.pk, tables).items() if now.first is not None]


@dataclass(frozen=True, slots=True)
class BoxDay:
    """A fee box over a gaming day, and the day on which it was counted; None: not yet."""

    row: FeeDay
    counted_on: date | None


def days(house: Establishment, *, since: date, until: date) -> list[BoxDay]:
    """
    Fee boxes by gaming day and table, the newest day first.

    A count covers everything that lay in the box, so also the days before it.
    """
    rows = FeeDay.objects.filter(establishment=house, gaming_day__gte=since, gaming_day__lte=until)
    counted: dict[uuid.UUID, date] = {}
    found = []
    for row in rows.order_by("-gaming_day", "table"):
        if row.counts:
            counted[row.table] = row.gaming_day
        found.append(BoxDay(row, counted.get(row.table)))
    return found


def recent_days(house: Establishment, today: date) -> list[BoxDay]:
    """The fee boxes of the last `DAYS` gaming days, up to today."""
    return days(house, since=today - timedelta(days=DAYS - 1), until=today)


def handle(event: StoredEvent) -> None:
    """Update the rows of fee boxes by day from an event."""
    for transfer in event.transfers:
        _add_taken(event, transfer)
    if event.event_type == COUNTED:
        data = event.data
        _add(event, event.stream.partition("/")[2], {
            "expected": data["expected"],
            "counted": data["counted"],
            "over_short": data["difference"],
            "counts": 1,
        }, counted_at=event.provenance.recorded_at)  # fmt: skip


def _add_taken(event: StoredEvent, transfer: Mapping[str, Any]) -> None:
    """
    Add to `taken` what a transfer moves between a table's float and its fee box, either way.

    Counts are no takings: they move money from the box to other kinds of account.
    """
    ends = AccountRef.parse(transfer["debit"]), AccountRef.parse(transfer["credit"])
    if {each.kind for each in ends} != {Kind.FLOAT}:
        return
    for account, sign in zip(ends, (1, -1), strict=True):
        if account.name.endswith(BOX):
            table = account.name.removesuffix(BOX)
            _add(event, table, {"taken": sign * transfer["amount"]})


def _add(event: StoredEvent, table: str, more: Mapping[str, int], **stamped: Any) -> None:
    key = {
        "establishment_id": event.establishment,
        "gaming_day": event.provenance.gaming_day,
        "table": uuid.UUID(table),
    }
    sums = {name: F(name) + value for name, value in more.items()}
    if not FeeDay.objects.filter(**key).update(**sums, **stamped):
        FeeDay.objects.create(**key, **more, **stamped)
