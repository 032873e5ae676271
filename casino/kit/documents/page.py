"""A report rendered for its page: the first lines of each table, by the house's locale."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from casino.kit.documents.document import Totals
from casino.kit.documents.writers.cells import NUMERIC, format_cell

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from casino.kit.documents.document import Document
    from casino.kit.documents.report import Cell, Column, Line, Table

LINES_ON_PAGE: Final = 300  # lines of a table on its page; files have all
SENTENCE: Final = 40  # letters; a longer text counts as a sentence


@dataclass(frozen=True, slots=True)
class RenderedCell:
    """A cell, or the head of a column. :param numeric: aligned to the right."""

    text: str
    numeric: bool
    money: bool = False

    @property
    def words(self) -> bool:
        """Whether the text is long, such as a sentence, and needs a wide column."""
        return len(self.text) > SENTENCE


@dataclass(frozen=True, slots=True)
class RenderedLine:
    cells: Sequence[RenderedCell]
    position: int | None
    address: str


@dataclass(frozen=True, slots=True)
class RenderedTable:
    """
    A table of a report, as its page shows it.

    :param foot: the totals; empty if the table has none, or if some of its lines are not here.
    :param more: whether there are more lines than these.
    :param events: whether any of its lines comes from one event of the ledger.
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
            format_cell(each.value, each.kind),
            each.kind == "money",
            each.agrees,
        )
        for each in document.figures
    ]


def tables(document: Document, *, most: int = LINES_ON_PAGE) -> Iterator[RenderedTable]:
    """The first `most` lines of each table. At most one more line is read, to set `more`."""
    some = replace(document, most=(most + 1) * len(document.report.tables))
    for table, lines in some.lines():
        yield _table(table, list(islice(lines, most + 1)), most)


def whole(document: Document) -> list[RenderedTable]:
    """
    All tables with all their lines.

    :raises TooLong: if there are more lines than the document may have.
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
    """The cells of the totals row: "" under columns without a total; no cells without totals."""
    if not totals:
        return []
    return [
        _cell(totals[column.name], column)
        if column.name in totals
        else RenderedCell("", column.kind in NUMERIC)
        for _at, column in columns
    ]


def _cell(cell: Cell, column: Column) -> RenderedCell:
    text = format_cell(cell, column.kind)
    return RenderedCell(text, column.kind in NUMERIC, column.kind == "money")
