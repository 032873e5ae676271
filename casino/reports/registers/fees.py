"""
Fees by box and day (A5): what was taken, what the ledger had, and what two people counted.

The fees are read from the ledger's transfers, not from a projection. If a box was not counted since
its last fee, its content is shown to nobody, because the reader may be the one who counts it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from django.db.models import Max
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.kit.documents.report import Column, Figure, Filter, Line, Report, Table
from casino.money.cash.fees import BOX
from casino.reports.gaming_days.models import GamingDay
from casino.reports.registers import history, moved
from ledger.accounts import Kind
from ledger.models import Transfer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from casino.house.establishments.models import Establishment
    from casino.kit.documents.report import Query
    from casino.reports.registers.moved import Moved
    from ledger.wire import StoredEvent

COUNTS: Final = (Kind.CAGE.value, Kind.OVER_SHORT.value)
"""Only a count moves coins between a box and these accounts."""


@dataclass(slots=True)
class Box:
    """
    A fee box on one gaming day, in coins. `taken_at` and `counted_at` are the positions of the last
    fee and the last count.
    """

    taken: int = 0
    counted: int = 0
    over_short: int = 0
    taken_at: int = -1
    counted_at: int | None = None

    def take(self, row: Moved, name: str) -> None:
        more = row.debit.kind == Kind.FLOAT and row.debit.name == name
        other = row.credit if more else row.debit
        coins = row.amount if more else -row.amount
        if other.kind.value in COUNTS:
            self.counted_at = max(self.counted_at or 0, row.position)
            if other.kind == Kind.CAGE:
                self.counted -= coins
            else:
                self.over_short += coins
        else:
            self.taken += coins
            self.taken_at = max(self.taken_at, row.position)


@dataclass(slots=True)
class Boxes:
    """
    The fee boxes of a report.

    :param tables: the names of tables.
    :param last: the position of the last count of each box, by table.
    """

    tables: Mapping[str, str]
    last: Mapping[str, int]
    days: dict[tuple[date, str], Box] = field(default_factory=lambda: defaultdict(Box))


def boxes(query: Query) -> Boxes:
    tables = _tables(query.house)
    if only := query.chosen.get("table"):
        tables = {only: tables[only]}
    names = [f"{table}{BOX}" for table in tables]
    found = Boxes(tables, _last_counts(query, names))
    for row in moved.of_accounts(query, Kind.FLOAT, names):
        for account in (row.debit, row.credit):
            table = account.name.removesuffix(BOX)
            if account.kind == Kind.FLOAT and account.name.endswith(BOX) and table in tables:
                found.days[row.day, table].take(row, account.name)
    return found


def _tables(house: Establishment) -> dict[str, str]:
    return {str(pk): name for pk, name in house.tables.values_list("pk", "name")}


def _last_counts(query: Query, names: Sequence[str]) -> dict[str, int]:
    """The position of the last count of each box through the report's position, on any day."""
    rows = Transfer.objects.filter(establishment=query.house.pk, position__lte=query.through)
    found: dict[str, int] = {}
    for side, other in (("debit", "credit"), ("credit", "debit")):
        of_boxes = rows.filter(
            **{f"{side}_kind": Kind.FLOAT.value, f"{side}_name__in": names},
            **{f"{other}_kind__in": COUNTS},
        )
        grouped = of_boxes.values_list(f"{side}_name").annotate(last=Max("position"))
        for name, last in grouped.order_by():
            table = name.removesuffix(BOX)
            found[table] = max(found.get(table, -1), last)
    return found


def lines(query: Query) -> Iterator[Line]:
    found = boxes(query)
    ordered = sorted(found.days.items(), key=lambda each: (each[0][0], found.tables[each[0][1]]))
    for (day, table), box in ordered:
        known = found.last.get(table, -1) >= box.taken_at
        counted = box.counted_at is not None
        yield Line(
            cells=(
                day,
                found.tables[table],
                box.taken if known else None,
                box.counted - box.over_short if counted else None,
                box.counted if counted else None,
                box.over_short if counted else None,
                _("counted") if known else _("not counted yet"),
            ),
            position=box.counted_at,
            address=reverse("account", args=[Kind.FLOAT.value, f"{table}{BOX}"]),
        )


def figures(query: Query) -> list[Figure]:
    """
    The sums over all boxes; none if one table is chosen. The sums are no secret to those who count:
    the day's sheet shows them too.
    """
    if query.chosen.get("table"):
        return []
    found = boxes(query)
    taken = sum(box.taken for box in found.days.values())
    booked = moved.net(query, Kind.FEES)
    days = events_of_close(query)
    whole = all_closed(query)
    expected = sum(day.data["totals"]["fees_decided"] for day in days)
    return [
        Figure(
            name="expected", title=_("Expected, by the rules"), kind="money",
            value=expected if whole else None,
            agrees=expected == booked if whole else None,
        ),
        Figure(name="taken", title=_("Taken, into the boxes"), kind="money", value=taken),
        Figure(
            name="booked", title=_("Booked as fees"), kind="money", value=booked,
            agrees=booked == taken,
        ),
        Figure(
            name="counted", title=_("Counted out of the boxes"), kind="money",
            value=sum(box.counted for box in found.days.values()),
        ),
        Figure(
            name="over_short", title=_("Over/short"), kind="money",
            value=sum(box.over_short for box in found.days.values()),
        ),
    ]  # fmt: skip


REPORT: Final = Report(
    name="fees",
    title=gettext_lazy("Fees"),
    about=gettext_lazy(
        "What each fee box took, what the book had in it when two people counted it, and what they"
        " found over or short."
    ),
    controls=("A5", "A3"),
    filters=(
        Filter(
            name="table", title=gettext_lazy("Table"),
            choices=lambda house: list(_tables(house).items()),
        ),
    ),
    figures=figures,
    names_players=False,
    tables=(
        Table(
            name="boxes",
            title=gettext_lazy("Fee boxes"),
            columns=(
                Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day"),
                Column(name="table", title=gettext_lazy("Table")),
                Column(name="taken", title=gettext_lazy("Taken"), kind="money", total=True),
                Column(name="expected", title=gettext_lazy("In the book when counted"), kind="money", total=True),  # noqa: E501 - one column a line
                Column(name="counted", title=gettext_lazy("Counted"), kind="money", total=True),
                Column(name="over_short", title=gettext_lazy("Over/short"), kind="money", total=True),  # noqa: E501
                Column(name="state", title=gettext_lazy("State")),
            ),
            lines=lines,
            empty=gettext_lazy("No fee was taken and no box was counted in these days."),
        ),
    ),
)  # fmt: skip


# The closing events of those days of a report that were closed by its position.


def events_of_close(query: Query) -> tuple[StoredEvent, ...]:
    """The events that closed these days, with each day's figures; the oldest first."""
    return _events_of_close(query.house, query.since, query.until, query.through)


@lru_cache(maxsize=8)
def _events_of_close(
    house: Establishment, since: date, until: date, through: int
) -> tuple[StoredEvent, ...]:
    """Cached: events through a position never change, and each table of a report asks for them."""
    rows = GamingDay.objects.filter(
        establishment=house, day__gte=since, day__lte=until, closed_position__lte=through
    )
    positions = rows.order_by("day").values_list("closed_position", flat=True)
    return tuple(history.at(house, positions))


def all_closed(query: Query) -> bool:
    """Whether all gaming days of the report's period were closed by its position."""
    rows = GamingDay.objects.filter(
        establishment=query.house, day__gte=query.since, day__lte=query.until
    )
    return 0 < rows.count() == len(events_of_close(query))
