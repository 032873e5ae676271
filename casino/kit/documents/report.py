"""
The definition of a report, independent of any format: its tables, each a query with columns.

Each report is one module of `casino.reports.registers`; `casino.kit.documents.writers` turns any of
them into JSON, CSV, XLSX and PDF, with the header that E6 requires, and `casino.kit.documents.page`
into a page.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date, datetime
    from fractions import Fraction

    from django.utils.functional import _StrPromise

    from casino.house.establishments.models import Establishment

    Cell = str | int | float | Fraction | date | datetime | None
    """The value of a cell; None if there is no value, which is not the same as 0."""

Kind = Literal["text", "number", "money", "share", "ratio", "day", "moment", "seconds"]
"""
What a column holds, in this order: words; a whole number; whole coins; a chance from 0 to 1; a
number with two decimals; a `date`; a `datetime`; whole seconds.
"""
SUMMED: Final[frozenset[Kind]] = frozenset({"number", "money", "seconds"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """
    A column of a table.

    :param name: the name of the field in JSON and the head of the column in CSV; never translated.
    :param total: whether the totals row has the sum of the column.
    :param files_only: for programs, such as a code that another column gives in words; shown
        neither on the page nor on paper.
    """

    name: str
    title: str | _StrPromise
    kind: Kind = "text"
    total: bool = False
    files_only: bool = False

    def __post_init__(self) -> None:
        if self.total and self.kind not in SUMMED:
            raise ValueError(f"{self.name}: {self.kind} is nothing to add up.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """
    A line of a table.

    :param cells: in the order of the table's columns.
    :param position: the position of the ledger event that the line comes from, if it comes from
        one: the page links to the event, and files have the position in a last column ``position``,
        unless the table has a column of that name.
    :param address: the path of the page about the thing itself, within the house; "" if it has
        none.
    """

    cells: tuple[Cell, ...]
    position: int | None = None
    address: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """
    The house, days, position and filters of a report.

    :param since: the first gaming day; `until`: the last.
    :param through: the ledger position as of which the report holds: no later event counts.
    :param chosen: the values of the report's filters, by name; filters that are not set are absent.
    """

    house: Establishment
    since: date
    until: date
    through: int
    chosen: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """
    A table of a report.

    :param lines: yields the lines one by one. Ledgers may be long, so do not collect them.
    :param size: about how many lines there will be, for a progress bar; None: unknown.
    """

    name: str
    title: str | _StrPromise
    columns: tuple[Column, ...]
    lines: Callable[[Query], Iterable[Line]]
    size: Callable[[Query], int] | None = None
    empty: str | _StrPromise = ""
    """The text that is shown if the table has no lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """
    A number above the tables of a report.

    :param agrees: for a reconciliation, whether the numbers agree; None: not a reconciliation.
    """

    name: str
    title: str | _StrPromise
    value: Cell
    kind: Kind = "number"
    agrees: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """
    A filter that narrows a report.

    :param choices: value and title of each choice; None: any text, such as a receipt's number.
    """

    name: str
    title: str | _StrPromise
    choices: Callable[[Establishment], Sequence[tuple[str, str]]] | None = None


def _no_figures(_query: Query) -> Sequence[Figure]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """
    The definition of a report.

    :param name: its name in addresses.
    :param about: one sentence: what it lists, and what it is for.
    :param controls: the requirements behind it, such as ("A1", "A6").
    :param figures: the numbers above the tables; some reconcile with the ledger.
    :param long: it may take longer than a request may, so a worker prepares it.
    :param names_players: it may contain names of players. Its prepared files are deleted when a
        player's name is erased, and prepared again without it.
    :param one_page: on paper it is one A4 page, with its tables side by side.
    """

    name: str
    title: str | _StrPromise
    about: str | _StrPromise
    controls: tuple[str, ...]
    tables: tuple[Table, ...]
    filters: tuple[Filter, ...] = ()
    figures: Callable[[Query], Sequence[Figure]] = _no_figures
    long: bool = False
    names_players: bool = True
    one_page: bool = False

    def size(self, query: Query) -> int | None:
        """About how many lines the report will have; None if any table's size is unknown."""
        known = [table.size for table in self.tables if table.size]
        return self.at_least(query) if len(known) == len(self.tables) else None

    def at_least(self, query: Query) -> int:
        """About how many lines the tables with a known size will have."""
        return sum(table.size(query) for table in self.tables if table.size)
