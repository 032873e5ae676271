"""
Writes a report as CSV: rows that begin with ``#`` describe it, the others are its tables.

    # report,fees
    # header.position,1234
    # figure.taken,"Taken, as booked",120
    # table.boxes,Fee boxes
    gaming_day,table,taken,position
    2026-11-20,Table 1,120,1201
    # total.boxes.taken,120

Without the rows whose first cell begins with ``#``, a table with its head is left. An empty row
precedes each table except the first.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any, BinaryIO

from casino.documents.document import Totals, own_position
from casino.documents.writers.as_json import figure_json
from casino.documents.writers.cells import plainly
from casino.platform.spreadsheets import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from casino.documents.document import Document
    from casino.documents.report import Cell, Line, Table

REMARK = "#"


def write_csv(document: Document, into: BinaryIO) -> None:
    text = io.TextIOWrapper(into, encoding="utf-8", newline="", write_through=True)
    try:
        writer = csv.writer(text)
        writer.writerows(_about(document))
        first = True
        for table, lines in document.lines():
            if not first:
                writer.writerow(())
            first = False
            writer.writerows(_table(table, lines))
    finally:
        text.detach()


def _about(document: Document) -> Iterator[list[Any]]:
    yield ["# report", document.report.name]
    yield ["# title", plain(document.header.title)]
    for name, value in document.header.as_json().items():
        if isinstance(value, dict):
            for part, inner in value.items():
                yield [f"# header.{name}.{part}", cell(inner)]
        else:
            yield [f"# header.{name}", cell(value)]
    for figure in document.figures:
        fields = figure_json(figure)
        agrees = {None: "", True: "agrees", False: "differs"}[figure.agrees]
        yield [f"# figure.{figure.name}", plain(fields["title"]), cell(fields["value"]), agrees]


def _table(table: Table, lines: Iterator[Line]) -> Iterator[list[Any]]:
    totals, own = Totals(table), own_position(table)
    yield [f"# table.{table.name}", plain(str(table.title))]
    yield [each.name for each in table.columns] + ([] if own else ["position"])
    for line in lines:
        totals.take(line)
        cells = [cell(each) for each in line.cells]
        cells[0] = unremarkable(cells[0])
        yield cells if own else [*cells, cell(line.position)]
    for name, total in totals.by_name.items():
        yield [f"# total.{table.name}.{name}", total]


def cell(value: Cell) -> Any:
    """The value of a CSV cell: "" for None; text that begins like a formula is made harmless."""
    found = plainly(value)
    return "" if found is None else plain(found) if isinstance(found, str) else found


def unremarkable(value: Any) -> Any:
    """The first cell of a row, with ``'`` before a ``#``, so that it cannot pass for a remark."""
    return f"'{value}" if isinstance(value, str) and value.startswith(REMARK) else value
