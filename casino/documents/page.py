"""A report as its page shows it: the first lines of each table, by the house's locale."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from casino.documents.document import Totals
from casino.documents.writers.cells import NUMERIC, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from casino.documents.document import Document
    from casino.documents.report import Cell, Column, Line, Table

SHOWN: Final = 300  # lines of a table on its page; files have all
SENTENCE: Final = 40  # letters


@dataclass(frozen=True, slots=True)
class Shown:
    """A cell, or the head of a column. :param numeric: it stands at the right."""

    text: str
    numeric: bool
    money: bool = False

    @property
    def words(self) -> bool:
        """Whether it is a sentence, that wants room."""
        return len(self.text) > SENTENCE


@dataclass(frozen=True, slots=True)
class ShownLine:
    cells: Sequence[Shown]
    position: int | None
    address: str


@dataclass(frozen=True, slots=True)
class ShownTable:
    """
    :param foot: the totals; empty where the table has none, or not all of its lines are here.
    :param events: whether any of its lines is one event of the ledger.
    """

    name: str
    title: str
    heads: Sequence[Shown]
    lines: Sequence[ShownLine]
    foot: Sequence[Shown]
    more: bool
    events: bool
    empty: str


@dataclass(frozen=True, slots=True)
class ShownFigure:
    name: str
    title: str
    text: str
    money: bool
    agrees: bool | None


def figures(document: Document) -> list[ShownFigure]:
    symbol = document.header.currency_symbol
    return [
        ShownFigure(
            each.name,
            str(each.title),
            shown(each.value, each.kind, symbol),
            each.kind == "money",
            each.agrees,
        )
        for each in document.figures
    ]


def tables(document: Document, *, most: int = SHOWN) -> Iterator[ShownTable]:
    """Of each table so many lines; what is behind them is not read."""
    symbol = document.header.currency_symbol
    some = replace(document, most=(most + 1) * len(document.report.tables))
    for table, lines in some.lines():
        yield _table(table, list(islice(lines, most + 1)), most, symbol)


def whole(document: Document) -> list[ShownTable]:
    """
    All lines of all tables.

    :raises TooLong: if there are more than the document may have.
    """
    symbol = document.header.currency_symbol
    return [_table(table, list(lines), document.most, symbol) for table, lines in document.lines()]


def _table(table: Table, lines: list[Line], most: int, symbol: str) -> ShownTable:
    columns = [(at, each) for at, each in enumerate(table.columns) if not each.files_only]
    totals = Totals(table)
    for line in lines[:most]:
        totals.take(line)
    more = len(lines) > most
    return ShownTable(
        name=table.name,
        title=str(table.title),
        heads=[Shown(str(each.title), each.kind in NUMERIC) for _at, each in columns],
        lines=[
            ShownLine(
                [_cell(line.cells[at], column, symbol) for at, column in columns],
                line.position,
                line.address,
            )
            for line in lines[:most]
        ],
        foot=[] if more else foot(columns, totals.by_name, symbol),
        more=more,
        events=any(line.position is not None for line in lines),
        empty=str(table.empty),
    )


def foot(columns: Sequence[tuple[int, Column]], totals: dict[str, int], symbol: str) -> list[Shown]:
    """The totals under their columns, "" under the others; nothing where there are none."""
    if not totals:
        return []
    return [
        _cell(totals[column.name], column, symbol)
        if column.name in totals
        else Shown("", column.kind in NUMERIC)
        for _at, column in columns
    ]


def _cell(cell: Cell, column: Column, symbol: str) -> Shown:
    text = shown(cell, column.kind, symbol)
    return Shown(text, column.kind in NUMERIC, column.kind == "money")
