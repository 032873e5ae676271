"""
Reports of cash at tables: the inventory of each float (B1, B2) and the fees in each box (A5).

The inventory has opener, fills, credits, closer and over/short by table and day, with the counts
and slips behind them. The figures are read from the ledger's transfers of each float, not from a
projection. If money has moved at a table since its last count, the day's figures are left out: the
reader may be the one who counts next, and that person counts blind (B1).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.db.models import Count, Max, Min, Sum
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import custody
from casino.house.attendants.pseudonyms import tokens
from casino.kit.documents.report import Column, Figure, Filter, Line, Report, Table
from casino.money.cash import balance_snapshots, queries
from casino.money.cash.fees import BOX
from casino.money.cash.models import CountRow, SlipRow
from casino.money.cash.projections import meaning
from casino.reports.gaming_days.models import GamingDay
from casino.reports.registers import history
from ledger.accounts import AccountRef, Kind
from ledger.models import Transfer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment
    from casino.kit.documents.report import Cell, Query
    from casino.reports.registers.history import Moved
    from ledger.wire import StoredEvent

INTO: Final = {"opener": 1, "fills": 1, "bought_in": 1, "other": 1, "over_short": 1,
               "cashed_out": -1, "credits": -1, "boxed": -1, "taken": -1}  # fmt: skip
TERMS: Final = (
    "opener", "fills", "bought_in", "cashed_out", "credits", "boxed", "other", "over_short",
)  # fmt: skip


OF_COUNTS: Final = frozenset({"over_short", "taken"})
"""The terms that a count moves: two people know these amounts."""


@dataclass(slots=True)
class Day:
    """
    A table's float over a gaming day, whole coins.

    :param began: the coins at the table when the day began.
    :param terms: the coins that were moved, by meaning.
    :param last: the position of the last movement.
    :param moved: the position of the last movement that was not part of a count.
    """

    began: int = 0
    terms: Counter[str] = field(default_factory=Counter)
    last: int = -1
    moved: int = -1

    @property
    def opener(self) -> int:
        return self.began + self.terms["opener"]

    @property
    def standing(self) -> int:
        """The coins at the table at the end of the day."""
        return self.began + sum(sign * self.terms[name] for name, sign in INTO.items())

    @property
    def closer(self) -> int:
        """The coins at the table at the end, and those that a closing took to the cage."""
        return self.standing + self.terms["taken"]


def days(query: Query) -> dict[tuple[UUID, date], Day]:
    """The floats by table and day, without the days on which nothing moved. Four queries."""
    tables = _tables(query)
    names = [str(table) for table in tables]
    found: dict[tuple[UUID, date], Day] = defaultdict(Day)
    by_name = {str(table): table for table in tables}
    for side, other, came in (("debit", "credit", True), ("credit", "debit", False)):
        mine = history.transfers(query).filter(
            **{f"{side}_kind": Kind.FLOAT.value, f"{side}_name__in": names}
        )
        keys = (f"{side}_name", f"{other}_kind", f"{other}_name", "reason", "day", "undone")
        grouped = mine.annotate(undone=history.UNDONE).order_by().values_list(*keys)
        for name, kind, place, reason, day, undone, coins, last in grouped.annotate(
            coins=Sum("amount"), last=Max("position")
        ):
            other_account = AccountRef(Kind(kind), place)
            column, sign = meaning(reason, other_account, came=came, undone=undone)
            row = found[by_name[name], day]
            row.terms[column] += sign * (int(coins) if came else -int(coins))
            row.last = max(row.last, last)
            if column not in OF_COUNTS:
                row.moved = max(row.moved, last)
    _set_beginnings(query, names, by_name, found)
    return dict(sorted(found.items(), key=lambda each: (each[0][1], tables[each[0][0]])))


def _tables(query: Query) -> dict[UUID, str]:
    tables: dict[UUID, str] = history.tables(query.house)
    only = query.chosen.get("table")
    return {key: name for key, name in tables.items() if only in {None, str(key)}}


def _set_beginnings(
    query: Query, names: Sequence[str], by_name: dict[str, UUID], found: dict[Any, Day]
) -> None:
    """Set `began` of each day: the first from the balance before it, the others from `standing`."""
    lay = {by_name[name]: coins for name, coins in _before(query, names).items()}
    for (table, _day), row in sorted(found.items(), key=lambda each: each[0][1]):
        row.began = lay[table]
        lay[table] = row.standing


def _before(query: Query, names: Sequence[str]) -> Counter[str]:
    """
    The coins of every float before the period: the balance before the first entry of the period,
    and later transfers that belong to an earlier day.
    """
    first, last = history.stretch(query)
    held: Counter[str] = Counter()
    for name in names:
        account = AccountRef(Kind.FLOAT, name)
        held[name] = balance_snapshots.through(query.house.pk, account, first - 1).of(Kind.FLOAT)
    rows = history.with_gaming_day(query.house, first, last, day__lt=query.since)
    for side, sign in (("debit", 1), ("credit", -1)):
        mine = rows.filter(**{f"{side}_kind": Kind.FLOAT.value, f"{side}_name__in": names})
        sums = mine.order_by().values_list(f"{side}_name").annotate(coins=Sum("amount"))
        for name, coins in sums:
            held[name] += sign * int(coins)
    return held


def _last_counts(query: Query) -> dict[UUID, int]:
    """The position of each table's last agreed count from the start of the period to `through`."""
    first, _last = history.stretch(query)
    rows = CountRow.objects.filter(
        establishment=query.house,
        state=CountRow.State.AGREED,
        position__range=(first, query.through),
    )
    return dict(rows.order_by().values_list("table").annotate(last=Max("position")))


def inventory_lines(query: Query) -> Iterator[Line]:
    tables, counted = _tables(query), _last_counts(query)
    for (table, day), row in days(query).items():
        known = counted.get(table, -1) >= row.moved
        amounts: tuple[Cell, ...] = (
            row.opener, *(row.terms[name] for name in TERMS[1:]), row.closer, row.standing
        )  # fmt: skip
        yield Line(
            cells=(
                day,
                tables[table],
                *(amounts if known else [None] * len(amounts)),
                _("counted") if known else _("not counted yet"),
            ),
            position=row.last,
            address=reverse("cash-table", args=[table]),
        )


def counts(query: Query) -> QuerySet[CountRow]:
    """The counts of the period that have ended; a running count has no figures (B1)."""
    found = history.of_period(CountRow.objects.select_related("table"), query)
    if table := query.chosen.get("table"):
        found = found.filter(table=UUID(table))
    return found.exclude(state=CountRow.State.RUNNING)


def count_lines(query: Query) -> Iterator[Line]:
    for part in history.chunks(counts(query)):
        people = queries.people(who for row in part for who in row.counters)
        for row in part:
            yield Line(
                cells=(
                    row.gaming_day,
                    row.ended_at,
                    row.table.name,
                    str(row.get_purpose_display()),
                    str(row.get_state_display()),
                    ", ".join(people[who] for who in row.counters),
                    row.attempts,
                    row.expected,
                    row.counted,
                    row.over_short,
                ),
                position=row.position,
                address=reverse("cash-table", args=[row.table_id]),
            )


def slips(query: Query) -> QuerySet[SlipRow]:
    found = history.of_period(SlipRow.objects.select_related("table"), query)
    if table := query.chosen.get("table"):
        found = found.filter(table=UUID(table))
    return found.order_by("number")


def slip_lines(query: Query) -> Iterator[Line]:
    for part in history.chunks(slips(query)):
        received = _slip_receipts(query, part)
        who = (each for row in part for each in (row.asked_by, row.approved_by))
        people = queries.people([*who, *(by for by, _at in received.values())])
        reasons = tokens.resolve(query.house.pk, [row.reason for row in part])
        for row, reason in zip(part, reasons, strict=True):
            by, at = received.get(row.number, ("", None))
            yield Line(
                cells=(
                    row.gaming_day,
                    row.number,
                    str(row.get_kind_display()),
                    row.table.name,
                    row.amount,
                    people[str(row.asked_by)],
                    people.get(str(row.approved_by), _("nobody: done alone")),
                    row.issued_at,
                    people.get(by, ""),
                    at,
                    reason,
                ),
                position=row.position,
                address=reverse("cash-slip", args=[row.number]),
            )


def _slip_receipts(query: Query, part: Sequence[SlipRow]) -> dict[int, tuple[str, Any]]:
    """Who had received which slips by the position, and when."""
    found = history.events(
        query.house,
        {f"custody/{row.table_id}" for row in part},
        [custody.SLIP_RECEIVED],
        query.through,
        since=min(row.position for row in part),
    )
    return {
        event.data["number"]: (event.provenance.actor, event.provenance.recorded_at)
        for event in found
    }


def inventory_figures(query: Query) -> Sequence[Figure]:
    """The coins that the ledger moved, compared with what counts found and slips say."""
    sums: Counter[str] = Counter()
    for row in days(query).values():
        sums.update(row.terms)
    found = counts(query).filter(state=CountRow.State.AGREED).order_by()
    over_short = int(found.aggregate(sum=Sum("over_short"))["sum"] or 0)
    by_kind = dict(slips(query).order_by().values_list("kind").annotate(sum=Sum("amount")))
    filled, credited = (int(by_kind.get(kind) or 0) for kind in (Slip.FILL, Slip.CREDIT))
    return (
        Figure(
            name="over_short", title=_("Over or short, by the ledger"), kind="money",
            value=sums["over_short"], agrees=sums["over_short"] == over_short,
        ),
        Figure(
            name="fills", title=_("Fills, by the ledger"), kind="money",
            value=sums["fills"], agrees=sums["fills"] == filled,
        ),
        Figure(
            name="credits", title=_("Credits, by the ledger"), kind="money",
            value=sums["credits"], agrees=sums["credits"] == credited,
        ),
        Figure(name="numbers", title=_("Slip numbers missing"), value=_missing(query),
               agrees=_missing(query) == 0),
    )  # fmt: skip


def _missing(query: Query) -> int:
    """Numbers between the first and the last slip of these days that no slip has (B2)."""
    rows = history.of_period(SlipRow.objects.all(), query).order_by()
    ends = rows.aggregate(first=Min("number"), last=Max("number"), slips=Count("number"))
    return int(ends["last"] - ends["first"] + 1 - ends["slips"]) if ends["slips"] else 0


Slip = SlipRow.Kind

INVENTORY: Final = Report(
    name="inventory",
    title=gettext_lazy("Table inventory"),
    about=gettext_lazy(
        "Opener, fills, credits, closer and over/short of every table and day, with the counts and"
        " the slips. A table counted blind tells nothing of what lies there before its next count."
    ),
    controls=("B1", "B2"),
    filters=(history.TABLE,),
    figures=inventory_figures,
    tables=(
        Table(
            name="inventory",
            title=gettext_lazy("Tables"),
            columns=(
                Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day"),
                Column(name="table", title=gettext_lazy("Table")),
                Column(name="opener", title=gettext_lazy("Opener"), kind="money"),
                Column(name="fills", title=gettext_lazy("Fills"), kind="money", total=True),
                Column(name="bought_in", title=gettext_lazy("Buy-ins"), kind="money", total=True),
                Column(
                    name="cashed_out", title=gettext_lazy("Cash-outs"), kind="money", total=True
                ),
                Column(name="credits", title=gettext_lazy("Credits"), kind="money", total=True),
                Column(name="boxed", title=gettext_lazy("To fee box"), kind="money", total=True),
                Column(name="other", title=gettext_lazy("Other"), kind="money", total=True),
                Column(
                    name="over_short", title=gettext_lazy("Over/short"), kind="money", total=True
                ),
                Column(name="closer", title=gettext_lazy("Closer"), kind="money"),
                Column(name="standing", title=gettext_lazy("Left at the table"), kind="money"),
                Column(name="state", title=gettext_lazy("State")),
            ),
            lines=inventory_lines,
            empty=gettext_lazy("No money moved at any table in these days."),
        ),
        Table(
            name="counts",
            title=gettext_lazy("Counts"),
            columns=(
                Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day"),
                Column(name="ended_at", title=gettext_lazy("Ended"), kind="moment"),
                Column(name="table", title=gettext_lazy("Table")),
                Column(name="purpose", title=gettext_lazy("Purpose")),
                Column(name="state", title=gettext_lazy("State")),
                Column(name="counters", title=gettext_lazy("Counted by")),
                Column(name="attempts", title=gettext_lazy("Attempts"), kind="number"),
                Column(name="expected", title=gettext_lazy("Expected"), kind="money"),
                Column(name="counted", title=gettext_lazy("Counted"), kind="money"),
                Column(
                    name="over_short", title=gettext_lazy("Over/short"), kind="money", total=True
                ),
            ),
            lines=count_lines,
            size=lambda query: counts(query).count(),
            empty=gettext_lazy("Nothing was counted in these days."),
        ),
        Table(
            name="slips",
            title=gettext_lazy("Slips"),
            columns=(
                Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day"),
                Column(name="number", title=gettext_lazy("Number"), kind="number"),
                Column(name="kind", title=gettext_lazy("Kind")),
                Column(name="table", title=gettext_lazy("Table")),
                Column(name="amount", title=gettext_lazy("Amount"), kind="money"),
                Column(name="asked_by", title=gettext_lazy("Asked by")),
                Column(name="approved_by", title=gettext_lazy("Approved by")),
                Column(name="issued_at", title=gettext_lazy("Issued"), kind="moment"),
                Column(name="received_by", title=gettext_lazy("Received by")),
                Column(name="received_at", title=gettext_lazy("Received"), kind="moment"),
                Column(name="reason", title=gettext_lazy("Reason")),
            ),
            lines=slip_lines,
            size=lambda query: slips(query).count(),
            empty=gettext_lazy("No slip was issued in these days."),
        ),
    ),
)


#
# Fees by box and day (A5): what was taken, what the ledger had, and what two people counted.
#
# The fees are read from the ledger's transfers, not from a projection. If a box was not counted
# since its last fee, its content is shown to nobody, because the reader may be the one who counts
# it.


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
    tables = _tables_of_boxes(query.house)
    if only := query.chosen.get("table"):
        tables = {only: tables[only]}
    names = [f"{table}{BOX}" for table in tables]
    found = Boxes(tables, _last_counts_of_boxes(query, names))
    for row in history.moved_on_accounts(query, Kind.FLOAT, names):
        for account in (row.debit, row.credit):
            table = account.name.removesuffix(BOX)
            if account.kind == Kind.FLOAT and account.name.endswith(BOX) and table in tables:
                found.days[row.day, table].take(row, account.name)
    return found


def _tables_of_boxes(house: Establishment) -> dict[str, str]:
    return {str(pk): name for pk, name in house.tables.values_list("pk", "name")}


def _last_counts_of_boxes(query: Query, names: Sequence[str]) -> dict[str, int]:
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


def fee_lines(query: Query) -> Iterator[Line]:
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


def fee_figures(query: Query) -> list[Figure]:
    """
    The sums over all boxes; none if one table is chosen. The sums are no secret to those who count:
    the day's sheet shows them too.
    """
    if query.chosen.get("table"):
        return []
    found = boxes(query)
    taken = sum(box.taken for box in found.days.values())
    booked = history.net_moved(query, Kind.FEES)
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


FEES: Final = Report(
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
            choices=lambda house: list(_tables_of_boxes(house).items()),
        ),
    ),
    figures=fee_figures,
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
            lines=fee_lines,
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
