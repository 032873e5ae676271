"""
The lists of floats: counts, shifts, and the inventory of each table and gaming day (B1, B3).

Nobody sees here what they are to count. Hidden figures cannot be sorted by either, because the
order would reveal them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy

from casino.house.establishments.gaming_day import current
from casino.house.establishments.table_names import in_list_order
from casino.kit.web.listings.listing import (
    API,
    EVERYWHERE,
    FOR_PEOPLE,
    FOR_PROGRAMS,
    PAGE,
    Column,
    DayFilter,
    Listing,
    Sign,
    TableFilter,
    columns_of,
    filters,
)
from casino.money.cash import queries
from casino.money.cash.models import CountRow, ShiftRow
from casino.money.cash.queries import TableCash

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from django.utils.functional import _StrPromise

    from casino.kit.documents.report import Cell
    from casino.kit.web.listings.listing import Filters, Surface, Viewer
    from casino.money.cash.models import TableDay
    from casino.money.cash.queries import Blind

HIDDEN: Final = gettext_lazy("hidden")
FIGURES: Final = (
    "fills", "credits", "bought_in", "cashed_out", "boxed", "other", "over_short", "closer",
)  # fmt: skip
COUNT_STATES: Final = {
    "agreed": Sign("well", gettext_lazy("agreed")),
    "running": Sign("wait", gettext_lazy("running")),
    "called_off": Sign("off", gettext_lazy("called off")),
}
PURPOSES: Final = {
    "open": gettext_lazy("Opening"),
    "change": gettext_lazy("Change of shift"),
    "close": gettext_lazy("Close for the day"),
    "check": gettext_lazy("Check"),
}
ENDED: Final = {
    "": gettext_lazy("running"),
    "handover": gettext_lazy("Handed over"),
    "close": gettext_lazy("Closed"),
}


def at_table(table: Any) -> str:
    """The address of the page of a table's cash."""
    return reverse("cash-table", kwargs={"table": table})


def blind(viewer: Viewer) -> Blind:
    """The figures that are hidden from a viewer now."""
    return queries.blind(viewer.house, viewer.role, current(viewer.house, timezone.now()))


def of_day_and_table(day: str, **more: DayFilter) -> type[Filters]:
    """
    The filters of a list by gaming day and table.

    :param day: the field of the row that holds the gaming day.
    """
    return filters(
        day=DayFilter(day, title=gettext_lazy("Gaming day"), about="Of this gaming day only."),
        table=TableFilter(about="Of this table only."),
        **more,
    )


# --- Counts ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class CountItem:
    """
    A count as a viewer sees it.

    :param sealed: the table is being counted, and the viewer may be the second to count it.
    """

    row: CountRow
    counters: list[str]
    sealed: bool

    @property
    def opened(self) -> bool:
        """Whether the counted figures are shown."""
        return not self.sealed

    @property
    def differed(self) -> list[Any]:
        """
        The pairs of sheets that did not agree.

        Empty while the count runs, because both people count again, and for a viewer who may be the
        second to count the table.
        """
        running = self.row.state == CountRow.State.RUNNING
        found: list[Any] = [] if running or self.sealed else self.row.differed
        return found

    @property
    def over_short(self) -> int | None:
        return self.row.over_short

    @property
    def at(self) -> datetime:
        return self.row.ended_at or self.row.begun_at


def count_items(viewer: Viewer, rows: Sequence[CountRow]) -> list[CountItem]:
    """The items of counts: with the names of the counters, and marked where they are sealed."""
    sealed = queries.tables_in_count(viewer.house, viewer.role)
    names = queries.people(each for row in rows for each in row.counters)
    return [
        CountItem(
            row=row,
            counters=[names.get(each, "") for each in row.counters],
            sealed=row.table_id in sealed,
        )
        for row in rows
    ]


_of_count = columns_of()


def _count_column(name: str, title: _StrPromise) -> Column[CountItem]:
    """A column that reveals what lay at the table; hidden while the item is sealed."""
    return Column(
        name=name,
        title=title,
        kind="money",
        value=lambda item: getattr(item.row, name) if item.opened else None,
        display=lambda item: getattr(item.row, name) if item.opened else str(HIDDEN),
    )


COUNTS: Final = Listing[Any, CountItem](
    name="counts",
    title=gettext_lazy("Counts"),
    about=gettext_lazy("Counts of the tables' floats, each by two people."),
    rows=lambda viewer: queries.in_table_order(viewer.house, queries.counts(viewer.house)),
    items=count_items,
    order=("-position",),
    filters=of_day_and_table("gaming_day"),
    columns=(
        Column(name="id", on=API, value=lambda item: item.row.count),
        Column(name="table", title=gettext_lazy("Table"), value=lambda item: item.row.table_id,
               display=lambda item: item.row.table.name, order=("place",), style="row-name",
               link=lambda item: at_table(item.row.table_id)),
        _of_count("purpose", gettext_lazy("Count"), order=("purpose",),
                  display=lambda item: str(PURPOSES[item.row.purpose])),
        _of_count("state", gettext_lazy("State"), signs=COUNT_STATES, order=("state",)),
        _of_count("begun_at", gettext_lazy("Begun"), kind="moment", on=FOR_PROGRAMS),
        _of_count("ended_at", gettext_lazy("Ended"), kind="moment", on=FOR_PROGRAMS),
        _of_count("gaming_day", gettext_lazy("Gaming day"), kind="day", on=FOR_PROGRAMS),
        Column(name="counters", title=gettext_lazy("Counted by"), style="wide",
               value=lambda item: item.row.counters,
               display=lambda item: ", ".join(item.counters) or None),
        _of_count("attempts", gettext_lazy("Attempts"), kind="number", order=("attempts",)),
        Column(name="sheet", on=API, value=lambda item: item.row.sheet if item.opened else {}),
        _count_column("counted", gettext_lazy("Counted")),
        _count_column("expected", gettext_lazy("Expected")),
        _of_count("over_short", gettext_lazy("Over/short"), kind="money", order=("over_short",),
                  template="money/cash/_over_short.html"),
        Column(name="differed", on=API),
        Column(name="at", title=gettext_lazy("At"), kind="moment", style="soft wide",
               on=PAGE, order=("position",)),
        _of_count("position", gettext_lazy("Ledger position"), kind="number", on=FOR_PROGRAMS),
    ),
    empty=gettext_lazy("Nothing has been counted yet. A table is opened by two counts that agree."),
    next_step=("cash", gettext_lazy("To the cash of all tables")),
    none_such=gettext_lazy("Nothing was counted then and there."),
    names_players=False,
    section="cash",
    note=gettext_lazy("What lies at a table is hidden from whoever may count it. B1"),
    links=(("cash", gettext_lazy("All tables' cash")),),
)  # fmt: skip


# --- Shifts, and what a table had over a day ------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class InventoryItem:
    """
    The inventory of a float over a shift or a gaming day, as a viewer sees it.

    :param hidden: names of the figures that are hidden from the viewer.
    :param holder: name of the attendant who had the table; "" for a day.
    """

    row: ShiftRow | TableDay
    hidden: frozenset[str]
    holder: str = ""

    def figure(self, name: str) -> Any:
        """A field of the row; None if it is hidden."""
        return None if name in self.hidden else getattr(self.row, name)

    def words(self, name: str) -> Cell:
        return str(HIDDEN) if name in self.hidden else getattr(self.row, name)

    @property
    def over_short(self) -> int | None:
        found: int | None = self.figure("over_short")
        return found

    @property
    def ended(self) -> str:
        """How a shift ended, in words; "" for a day."""
        return str(ENDED[self.row.ended]) if isinstance(self.row, ShiftRow) else ""


ALL_FIGURES: Final = frozenset({"opener", "standing", *FIGURES})


def shift_items(viewer: Viewer, rows: Sequence[ShiftRow]) -> list[InventoryItem]:
    """The items of shifts: with the holder's name, without figures that the viewer may count."""
    unseen = blind(viewer)
    names = queries.people(row.holder for row in rows)

    def hidden(row: ShiftRow) -> frozenset[str]:
        if row.table_id in unseen.sealed:
            return ALL_FIGURES
        return frozenset(FIGURES) if unseen.shift(row) else frozenset()

    return [
        InventoryItem(row=row, hidden=hidden(row), holder=names.get(str(row.holder), ""))
        for row in rows
    ]


def day_items(viewer: Viewer, rows: Sequence[TableDay]) -> list[InventoryItem]:
    """The items of days' inventories, without figures that the viewer may have to count."""
    unseen = blind(viewer)
    return [
        InventoryItem(row=row, hidden=ALL_FIGURES if unseen.day(row) else frozenset())
        for row in rows
    ]


def _figure(
    name: str, title: _StrPromise, style: str = "", on: frozenset[Surface] = EVERYWHERE
) -> Column[InventoryItem]:
    return Column(
        name=name,
        title=title,
        kind="money",
        style=style,
        on=on,
        value=lambda item: item.figure(name),
        display=lambda item: item.words(name),
    )


_of_row = columns_of()


def _closer_of_shift(item: InventoryItem) -> Cell:
    """The closer of a shift; None while the shift runs, because it has no closer yet."""
    running = isinstance(item.row, ShiftRow) and not item.row.ended
    return None if running else item.words("closer")


TABLE: Final = Column[InventoryItem](
    name="table", title=gettext_lazy("Table"), style="row-name", order=("place",),
    value=lambda item: item.row.table_id, display=lambda item: item.row.table.name,
    link=lambda item: at_table(item.row.table_id),
)  # fmt: skip
OPENER: Final = _figure("opener", gettext_lazy("Opener"))
OVER_SHORT: Final = Column[InventoryItem](
    name="over_short", title=gettext_lazy("Over/short"), kind="money",
    value=lambda item: item.figure("over_short"), display=lambda item: item.words("over_short"),
    template="money/cash/_over_short.html",
)  # fmt: skip


def _in_and_out(style: str) -> tuple[Column[InventoryItem], ...]:
    return (
        _figure("fills", gettext_lazy("Fills"), style),
        _figure("bought_in", gettext_lazy("Bought in"), style),
        _figure("cashed_out", gettext_lazy("Cashed out"), style),
        _figure("credits", gettext_lazy("Credits"), style),
        _figure("boxed", gettext_lazy("Fee box"), style),
    )


SHIFTS: Final = Listing[Any, InventoryItem](
    name="shifts",
    title=gettext_lazy("Shifts"),
    about=gettext_lazy("Who had which table from when to when, and what became of its float."),
    rows=lambda viewer: queries.in_table_order(viewer.house, queries.shifts(viewer.house)),
    items=shift_items,
    order=("-opened",),
    filters=of_day_and_table("opened_day"),
    columns=(
        Column(name="id", on=API, value=lambda item: item.row.pk[1]),
        TABLE,
        Column(name="attendant", title=gettext_lazy("Attendant"),
               value=lambda item: item.figure("holder"), display=lambda item: item.holder),
        _of_row("opened_at", gettext_lazy("From"), kind="moment", style="soft",
                order=("opened",)),
        _of_row("opened_day", gettext_lazy("Gaming day"), kind="day", on=FOR_PROGRAMS),
        _of_row("closed_at", gettext_lazy("To"), kind="moment", style="soft",
                order=("closed_at",), template="money/cash/_shift_end.html"),
        _of_row("closed_day", gettext_lazy("Closed on"), kind="day", on=FOR_PROGRAMS),
        _of_row("ended", gettext_lazy("Ended"), on=FOR_PROGRAMS,
                display=lambda item: item.ended),
        OPENER,
        *_in_and_out("wide"),
        _figure("other", gettext_lazy("Other"), on=FOR_PROGRAMS),
        Column(name="closer", title=gettext_lazy("Closer"), kind="money",
               value=lambda item: item.figure("closer"), display=_closer_of_shift),
        OVER_SHORT,
    ),
    empty=gettext_lazy("Nobody has had a table yet. A shift begins with a counted float."),
    next_step=("cash", gettext_lazy("To the cash of all tables")),
    none_such=gettext_lazy("No shift began then and there."),
    names_players=False,
    section="cash",
    note=gettext_lazy("What lies at a table is hidden from whoever may count it. B1"),
    links=(("cash", gettext_lazy("All tables' cash")),),
)  # fmt: skip

INVENTORY: Final = Listing[Any, InventoryItem](
    name="inventory",
    title=gettext_lazy("Table inventory"),
    about=gettext_lazy("What each table's float had and what became of it, day by day."),
    rows=lambda viewer: queries.in_table_order(viewer.house, queries.inventory(viewer.house)),
    items=day_items,
    order=("-gaming_day", "place"),
    filters=of_day_and_table(
        "gaming_day",
        since=DayFilter("gaming_day", lookup="gte"),
        until=DayFilter("gaming_day", lookup="lte"),
    ),
    columns=(
        _of_row("gaming_day", gettext_lazy("Gaming day"), kind="day", style="soft",
                order=("gaming_day",)),
        TABLE,
        OPENER,
        *_in_and_out(""),
        _figure("other", gettext_lazy("Other")),
        OVER_SHORT,
        _figure("closer", gettext_lazy("Closer")),
        Column(name="taken", title=gettext_lazy("To the cage"), kind="money", on=FOR_PROGRAMS,
               value=lambda item: item.figure("taken")),
        Column(name="standing", title=gettext_lazy("Still there"), kind="money", style="wide",
               on=FOR_PEOPLE, value=lambda item: item.figure("standing"),
               display=lambda item: item.words("standing")),
    ),
    empty=gettext_lazy(
        "No table's cash has moved. A table appears here as soon as its float is brought."
    ),
    none_such=gettext_lazy("No table's cash moved then and there."),
    names_players=False,
)  # fmt: skip


# The list of the tables' current cash (B1).


STANDS: Final = {
    "open": Sign("well", gettext_lazy("open")),
    "counting": Sign("wait", gettext_lazy("being counted")),
    "handing_over": Sign("wait", gettext_lazy("being handed over")),
    "closed": Sign("off", gettext_lazy("closed")),
}


def _shift_or(item: TableCash, figure: int | None) -> Cell:
    """A figure as a cell: "hidden" if it is missing although the table has a shift."""
    return str(HIDDEN) if figure is None and item.custody.shift else figure


def _of_table(
    name: str, title: _StrPromise, read: Callable[[TableCash], Any], **more: Any
) -> Column[TableCash]:
    return Column(name=name, title=title, value=read, **more)


TABLES: Final = Listing[TableCash, TableCash](
    name="tables-cash",
    title=gettext_lazy("Cash of the tables"),
    about=gettext_lazy("Who has each table, what it opened with, what should lie there."),
    rows=lambda viewer: queries.tables_cash(
        viewer.house, in_list_order(viewer.house.tables.filter(in_use=True)), viewer.role
    ),
    order=("place", "table__pk"),
    columns=(
        _of_table("table", gettext_lazy("Table"), lambda item: item.table.name, order=("place",),
                  link=lambda item: at_table(item.table.pk), style="row-name"),
        _of_table("state", gettext_lazy("State"), lambda item: item.stands, order=("stands",),
                  display=lambda item: str(STANDS[item.stands].word),
                  template="money/cash/_table_state.html"),
        _of_table("attendant", gettext_lazy("Attendant"), lambda item: item.holder or None,
                  order=("holder",)),
        _of_table("since", gettext_lazy("Since"), lambda item: item.since, kind="moment",
                  order=("since",), style="soft wide"),
        _of_table("opener", gettext_lazy("Opener"), lambda item: item.opener, kind="money",
                  display=lambda item: _shift_or(item, item.opener), order=("opener",),
                  style="wide"),
        _of_table("expected", gettext_lazy("Expected"), lambda item: item.expected, kind="money",
                  display=lambda item: _shift_or(item, item.expected), order=("expected",)),
        _of_table("over_short", gettext_lazy("Last over/short"), lambda item: item.over_short,
                  kind="money", order=("over_short",), style="wide",
                  template="money/cash/_over_short.html"),
    ),
    empty=gettext_lazy("This house has no tables in use. A manager adds them."),
    names_players=False,
)  # fmt: skip
