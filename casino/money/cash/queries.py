"""The queries of pages and the API about cash; nobody sees what they are to count (B1)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Case, IntegerField, OuterRef, Subquery, Value, When

from casino.house.acts import accounts, custody
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.gaming_day import gaming_day
from casino.house.establishments.table_names import in_list_order, in_order
from casino.kit.approvals.models import RequestRow
from casino.kit.approvals.queries import names
from casino.money.cash.models import CountRow, ShiftRow, SlipRow, TableDay
from ledger import money

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.house.acts.custody import Custody, Slip
    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment, Table

SLIPS: Final = ("fill", "credit")  # kinds of request


@dataclass(frozen=True, slots=True)
class TableCash:
    """
    A table's cash as a viewer may see it.

    :param expected: what the float should hold; None: hidden from this viewer, or no shift.
    :param sealed: the table is being counted, and the viewer may be the second to count: then the
        opener, fills and credits are hidden from them too.
    :param last: the last count that two people agreed on, of this shift or an earlier one.
    """

    table: Table
    custody: Custody
    expected: int | None
    sealed: bool
    names: Mapping[str, str]
    last: CountRow | None

    @property
    def stands(self) -> str:
        return self.custody.stands

    @property
    def place(self) -> tuple[tuple[int, str], ...]:
        """The sort key of the table's name, in the order in which people count."""
        return in_order(self.table.name)

    @property
    def since(self) -> datetime | None:
        return self.custody.shift.since if self.custody.shift else None

    @property
    def over_short(self) -> int | None:
        """How much more than expected the last count found; below zero: less."""
        return self.last.over_short if self.last else None

    @property
    def holder(self) -> str:
        shift = self.custody.shift
        return self.names.get(shift.holder, "") if shift else ""

    @property
    def opener(self) -> int | None:
        """What the shift opened with; None: no shift, or the viewer may have to count it now."""
        shift = self.custody.shift
        return custody.amount_of(shift) if shift and not self.sealed else None

    @property
    def closer(self) -> int | None:
        return custody.amount_of(self.custody.closer) if self.custody.closer else None

    @property
    def on_the_way(self) -> Sequence[Slip]:
        return self.custody.shift.on_the_way if self.custody.shift else ()

    @property
    def waits_for(self) -> str:
        """The name of the person who has counted and waits for the second count."""
        count = self.custody.count
        return self.names.get(count.first.by, "") if count and count.first else ""

    @property
    def signed(self) -> str:
        """The name of the person who has signed the table over."""
        signed = self.custody.signed
        return self.names.get(signed.by, "") if signed else ""

    def holder_is(self, person: Attendant) -> bool:
        shift = self.custody.shift
        return bool(shift and shift.holder == str(person.pk))

    def has_counted(self, person: Attendant) -> bool:
        count = self.custody.count
        return bool(count and count.first and count.first.by == str(person.pk))


def table_cash(house: Establishment, table: Table, role: str) -> TableCash:
    """One table's cash, read from the ledger."""
    return tables_cash(house, [table], role)[0]


def tables_cash(house: Establishment, tables: Iterable[Table], role: str) -> list[TableCash]:
    """The cash of several tables, in a fixed number of queries."""
    given = list(tables)
    now = custody.read_all(house.pk, [table.pk for table in given])
    last = _last_counts(house, given)
    names = people(_ids(now.values()))
    held = money.balances(
        establishment=house.pk,
        accounts=[accounts.table_float(str(table.pk)) for table in given],
    ) if given else {}  # fmt: skip
    return [
        TableCash(
            table=table,
            custody=now[table.pk],
            expected=held.get(accounts.table_float(str(table.pk)), 0)
            if now[table.pk].shift and sees_expected(role, now[table.pk])
            else None,
            sealed=may_be_second(role, now[table.pk]),
            names=names,
            last=last.get(table.pk),
        )
        for table in given
    ]


def _last_counts(house: Establishment, tables: Sequence[Table]) -> dict[UUID, CountRow]:
    """The last agreed count of each table that has one; each is found by the table's index."""
    agreed = CountRow.objects.filter(
        establishment=house, table=OuterRef("pk"), state=CountRow.State.AGREED
    )
    newest = house.tables.filter(pk__in=[table.pk for table in tables]).values_list(
        Subquery(agreed.order_by("-position").values("count")[:1]), flat=True
    )
    rows = counts(house).filter(count__in=[each for each in newest if each is not None])
    return {row.table_id: row for row in rows}


def sees_expected(role: str, now: Custody) -> bool:
    """
    Whether a role sees what a float should hold.

    Attendants never do, because they count it. Supervisors and managers do not while a count runs,
    because they may be the second to count.
    """
    if may_be_second(role, now):
        return False
    return role in permissions.ALLOWED["approve"] | permissions.ALLOWED["audit"]


def may_be_second(role: str, now: Custody) -> bool:
    """Whether a count is running in which somebody with this role may count."""
    return role in permissions.ALLOWED["record"] and now.count is not None


def _ids(all_of: Iterable[Custody]) -> set[str]:
    found: set[str] = set()
    for now in all_of:
        found |= {now.shift.holder} if now.shift else set()
        found |= {now.count.first.by} if now.count and now.count.first else set()
        found |= {now.signed.by} if now.signed else set()
        found |= set(now.closer.counters) if now.closer else set()
    return found


def people(ids: Iterable[str | UUID | None]) -> dict[str, str]:
    """The names of attendants, by id."""
    return names({str(each) for each in ids if each})


def cage_held(house: Establishment) -> int:
    return money.balance(custody.cage(), establishment=house.pk)


def shifts(house: Establishment) -> QuerySet[ShiftRow]:
    """The shifts of a house, the newest first."""
    return ShiftRow.objects.filter(establishment=house).select_related("table")


def counts(house: Establishment) -> QuerySet[CountRow]:
    """The counts of a house, the newest first; a running one has no sheet and no figure."""
    return CountRow.objects.filter(establishment=house).select_related("table")


def slips(house: Establishment) -> QuerySet[SlipRow]:
    """The slips of a house, the newest first."""
    return SlipRow.objects.filter(establishment=house).select_related("table")


def in_table_order(house: Establishment, rows: QuerySet[Any]) -> QuerySet[Any]:
    """Annotate rows with the `place` of their table in the house: Table 2 before Table 10."""
    places = [
        When(table=table.pk, then=Value(place))
        for place, table in enumerate(in_list_order(house.tables.all()))
    ]
    last = Value(len(places))
    placed: QuerySet[Any] = rows.annotate(
        place=Case(*places, default=last, output_field=IntegerField())
    )
    return placed


@dataclass(frozen=True, slots=True)
class RequestedSlip:
    """A slip that somebody asked for and nobody has approved yet."""

    request: UUID
    kind: str
    table: str
    amount: int
    reason: str
    asked_by: str
    asked_at: datetime


def slips_to_approve(house: Establishment) -> list[RequestedSlip]:
    """The slips that wait for an approval, the oldest first."""
    rows = list(
        RequestRow.objects.filter(
            establishment=house, state=RequestRow.State.WAITING, kind__in=SLIPS
        ).order_by("position")
    )
    askers = people(row.asked_by for row in rows)
    reasons_given = reasons(house, [row.reason for row in rows])
    tables = {str(pk): name for pk, name in house.tables.values_list("pk", "name")}
    return [
        RequestedSlip(
            request=row.id,
            kind=row.kind,
            table=tables.get(row.subject["table"], ""),
            amount=row.amount or 0,
            reason=reason,
            asked_by=askers.get(row.asked_by, ""),
            asked_at=row.asked_at,
        )
        for row, reason in zip(rows, reasons_given, strict=True)
    ]


def inventory(
    house: Establishment, first: date = date.min, last: date = date.max
) -> QuerySet[TableDay]:
    """The inventories of tables by gaming day, the newest day first."""
    rows = TableDay.objects.filter(establishment=house, gaming_day__range=(first, last))
    return rows.select_related("table")


@dataclass(frozen=True, slots=True)
class Blind:
    """
    What is hidden from a role of the tables' cash, as the ledger stands now (B1).

    :param tables: tables whose float the role may have to count: what lies there is hidden.
    :param sealed: of these, the tables that are being counted: what lay there is hidden too.
    :param since: of these, the first gaming day whose inventory reveals what lies there.
    """

    tables: frozenset[UUID]
    sealed: frozenset[UUID]
    since: Mapping[UUID, date]

    def shift(self, row: ShiftRow) -> bool:
        """Whether a shift's figures are hidden."""
        return row.table_id in self.sealed or (row.table_id in self.tables and not row.ended)

    def day(self, row: TableDay) -> bool:
        """Whether a table's inventory of a day is hidden."""
        return row.table_id in self.since and row.gaming_day >= self.since[row.table_id]


def blind(house: Establishment, role: str, today: date) -> Blind:
    """What is hidden from a role, in a fixed number of queries."""
    counted, tables = tables_in_count(house, role), hidden(house, role)
    since = {
        table: min(today, gaming_day(house, now.shift.since)) if now.shift else today
        for table, now in custody.read_all(house.pk, tables).items()
    }
    return Blind(frozenset(tables), frozenset(counted), since)


def hidden(house: Establishment, role: str) -> set[UUID]:
    """
    The tables whose figures are hidden from a role now (B1).

    For an attendant all tables; for other roles the tables that are being counted.
    """
    if role not in permissions.ALLOWED["approve"] | permissions.ALLOWED["audit"]:
        return set(house.tables.values_list("pk", flat=True))
    return tables_in_count(house, role)


def tables_in_count(house: Establishment, role: str) -> set[UUID]:
    """The tables that are being counted, if the role may be the second to count them (B1)."""
    if role not in permissions.ALLOWED["record"]:
        return set()
    tables = house.tables.values_list("pk", flat=True)
    return custody.tables_in_count(house.pk, tables)


def lines(house: Establishment, sheet: Mapping[str, int]) -> list[dict[str, Any]]:
    """The printed lines of a sheet: each denomination, its pieces, what they are worth."""
    names = {each.value: each.name for each in custody.denominations(house)}
    return [
        {
            "value": int(value),
            "name": names.get(int(value), ""),
            "pieces": pieces,
            "worth": int(value) * pieces,
        }
        for value, pieces in sorted(sheet.items(), key=lambda each: -int(each[0]))
    ]


def reasons(house: Establishment, given: Sequence[str]) -> list[str]:
    """The reasons behind tokens, as people wrote them, in one query."""
    found: list[str] = tokens.resolve(house.pk, list(given))
    return found
