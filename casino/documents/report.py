"""
What a report is: tables, each a query and its columns. It does not know in which format it is
written.

Each report is one module of `casino.reports.registers`; `casino.documents.writers` turns any of
them into a page, JSON, CSV, XLSX and PDF, with the header that E6 requires.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date, datetime

    from django.utils.functional import _StrPromise

    from casino.establishments.models import Establishment

    Cell = str | int | float | date | datetime | None
    """None stands where there is nothing to say; it is no 0."""

Kind = Literal["text", "number", "money", "share", "ratio", "day", "moment", "seconds"]
"""
How a cell reads: words; a whole number; whole coins; a chance from 0 to 1; a number with two
decimals; a `date`; a `datetime`; whole seconds.
"""
SUMMED: Final[frozenset[Kind]] = frozenset({"number", "money", "seconds"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """
    :param name: of the field in JSON, and the head of the column in CSV; never translated.
    :param total: the foot of the table has the sum.
    :param files_only: for programs, such as the code of what another column has in words; neither
        on the page nor on paper.
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
    :param cells: in the order of the table's columns.
    :param position: of the ledger event that the line comes from, where it is one: linked, and in
        files the last column, ``position``, unless the table has a column of that name.
    :param address: of the page of the thing itself, within the house; "" if it has none.
    """

    cells: tuple[Cell, ...]
    position: int | None = None
    address: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """
    The house, days, position and filters of a report.

    :param since: the first gaming day; `until`: the last.
    :param through: the ledger position as of which the report is: no later event counts.
    :param chosen: values of the report's filters by name; those left open are absent.
    """

    house: Establishment
    since: date
    until: date
    through: int
    chosen: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """
    :param lines: they come one by one, and the house's book may be long: nothing is gathered that
        need not be.
    :param size: about how many lines there will be, for a progress bar; None: nobody can say.
    """

    name: str
    title: str | _StrPromise
    columns: tuple[Column, ...]
    lines: Callable[[Query], Iterable[Line]]
    size: Callable[[Query], int] | None = None
    empty: str | _StrPromise = ""
    """What stands instead of no lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """
    One number above the tables.

    :param agrees: of a reconciliation: whether it comes out as it must; None: it is none.
    """

    name: str
    title: str | _StrPromise
    value: Cell
    kind: Kind = "number"
    agrees: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """
    Something that a report may be narrowed to.

    :param choices: value and title of each; None: any text, such as a receipt's number.
    """

    name: str
    title: str | _StrPromise
    choices: Callable[[Establishment], Sequence[tuple[str, str]]] | None = None


def _no_figures(_query: Query) -> Sequence[Figure]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """
    :param name: in addresses.
    :param about: one sentence: what it lists, and what it is for.
    :param controls: the requirements behind it, such as ("A1", "A6").
    :param figures: above the tables; some reconcile with the ledger.
    :param long: it may take longer than a page may: a worker prepares it.
    :param names_players: it may contain names of players. Its prepared files are deleted when a
        player's name is erased, and prepared again without it.
    :param one_page: on paper it is one A4 page, its tables side by side.
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
        """About how many lines it will have; None: nobody can say."""
        known = [table.size for table in self.tables if table.size]
        return self.at_least(query) if len(known) == len(self.tables) else None

    def at_least(self, query: Query) -> int:
        """About how many lines the tables with a known size will have."""
        return sum(table.size(query) for table in self.tables if table.size)
