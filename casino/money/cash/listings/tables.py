"""The list of the tables' current cash (B1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy

from casino.house.establishments.order import in_list_order
from casino.kit.web.listings.columns import Column, Sign
from casino.kit.web.listings.listing import Listing
from casino.money.cash import queries
from casino.money.cash.listings.floats import HIDDEN, at_table
from casino.money.cash.queries import TableCash

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.utils.functional import _StrPromise

    from casino.kit.documents.report import Cell

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
                  template="cash/_table_state.html"),
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
                  template="cash/_over_short.html"),
    ),
    empty=gettext_lazy("This house has no tables in use. A manager adds them."),
    names_players=False,
)  # fmt: skip
