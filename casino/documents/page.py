"""A report rendered for its page: the first lines of each table, by the house's locale."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from casino.documents.document import Totals
from casino.documents.writers.cells import NUMERIC, formatted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from casino.documents.document import Document
    from casino.documents.report import Cell, Column, Line, Table

LINES_ON_PAGE: Final = 300  # lines of a table on its page; files have all
SENTENCE: Final = 40  # letters


@dataclass(frozen=True, slots=True)
class RenderedCell:
    """A cell, or the head of a column. :param numeric: aligned to the right."""

    text: str
    numeric: bool
    money: bool = False

    @property
    def words(self) -> bool:
        """Whether it is a sentence, which needs room."""
        return len(self.text) > SENTENCE


@dataclass(frozen=True, slots=True)
class RenderedLine:
    cells: Sequence[RenderedCell]
    position: int | None
    address: str


@dataclass(frozen=True, slots=True)
class RenderedTable:
    """
    :param foot: the totals; empty where the table has none, or not all of its lines are here.
    :param events: whether any of its lines is one event of the ledger.
    """

    name: str
    title: str
    heads: Sequence[RenderedCell]
    lines: Sequence[RenderedLine]
    foot: Sequence[RenderedCell]
    more: bool
    events: bool
    empty: str


@dataclass(frozen=True, slots=True)
class RenderedFigure:
    name: str
    title: str
    text: str
    money: bool
    agrees: bool | None


def figures(document: Document) -> list[RenderedFigure]:
    return [
        RenderedFigure(
            each.name,
            str(each.title),
            formatted(each.value, each.kind),
            each.kind == "money",
            each.agrees,
        )
        for each in document.figures
    ]


def tables(document: Document, *, most: int = LINES_ON_PAGE) -> Iterator[RenderedTable]:
    """Of each table so many lines; what is behind them is not read."""
    some = replace(document, most=(most + 1) * len(document.report.tables))
    for table, lines in some.lines():
        yield _table(table, list(islice(lines, most + 1)), most)


def whole(document: Document) -> list[RenderedTable]:
    """
    All lines of all tables.

    :raises TooLong: if there are more than the document may have.
    """
    return [_table(table, list(lines), document.most) for table, lines in document.lines()]


def _table(table: Table, lines: list[Line], most: int) -> RenderedTable:
    columns = [(at, each) for at, each in enumerate(table.columns) if not each.files_only]
    totals = Totals(table)
    for line in lines[:most]:
        totals.take(line)
    more = len(lines) > most
    return RenderedTable(
        name=table.name,
        title=str(table.title),
        heads=[RenderedCell(str(each.title), each.kind in NUMERIC) for _at, each in columns],
        lines=[
            RenderedLine(
                [_cell(line.cells[at], column) for at, column in columns],
                line.position,
                line.address,
            )
            for line in lines[:most]
        ],
        foot=[] if more else foot(columns, totals.by_name),
        more=more,
        events=any(line.position is not None for line in lines),
        empty=str(table.empty),
    )


def foot(columns: Sequence[tuple[int, Column]], totals: dict[str, int]) -> list[RenderedCell]:
    """The totals under their columns, "" under the others; nothing where there are none."""
    if not totals:
        return []
    return [
        _cell(totals[column.name], column)
        if column.name in totals
        else RenderedCell("", column.kind in NUMERIC)
        for _at, column in columns
    ]


def _cell(cell: Cell, column: Column) -> RenderedCell:
    text = formatted(cell, column.kind)
    return RenderedCell(text, column.kind in NUMERIC, column.kind == "money")
