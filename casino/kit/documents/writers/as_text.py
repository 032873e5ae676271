"""
Writes a report as text: as CSV and as JSON.

In CSV rows that begin with ``#`` describe it, the others are its tables:

    # report,fees
    # header.position,1234
    # figure.taken,"Taken, as booked",120
    # table.boxes,Fee boxes
    gaming_day,table,taken,position
    2026-11-20,Table 1,120,1201
    # total.boxes.taken,120

Without the rows whose first cell begins with ``#``, a table with its head is left. An empty row
precedes each table except the first.

Money is a whole number of the smallest coin. In a house whose coin has decimals each column of
money has a second one behind it, and so have figures and totals: ``taken``, then ``taken (€)``.

In JSON each line of a table is one line of the file:

    {"report": "fees", "title": …, "header": {…}, "figures": […],
     "tables": [{"name": …, "columns": [{"name", "title", "kind"}],
                 "rows": [{<by column name>, "position": …}], "totals": {…}}]}
"""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any, BinaryIO

from casino.kit.documents.document import Totals, own_position
from casino.kit.documents.writers import cells as cell_values
from casino.kit.documents.writers.cells import plainly
from casino.words.languages.spreadsheets import Writer, plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from casino.kit.documents.document import Document, Header
    from casino.kit.documents.report import Cell, Line, Table

REMARK = "#"


def write_csv(document: Document, into: BinaryIO) -> None:
    text = io.TextIOWrapper(into, encoding="utf-8", newline="", write_through=True)
    try:
        writer = Writer(text)
        writer.writerows(_about(document))
        first = True
        for table, lines in document.lines():
            if not first:
                writer.writerow(())
            first = False
            writer.writerows(_csv_table(table, lines, document.header))
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
    digits, sign = document.header.coin_digits, cell_values.sign(document.header)
    if digits:
        yield ["# unit", "smallest coin", f"{cell_values.decimal(1, digits)} {sign}"]
    for figure in document.figures:
        fields = figure_json(figure)
        agrees = {None: "", True: "agrees", False: "differs"}[figure.agrees]
        title = plain(fields["title"])
        yield [f"# figure.{figure.name}", title, cell(fields["value"]), agrees]
        if digits and figure.kind == "money":
            written = _decimal(figure.value, digits)
            yield [f"# figure.{figure.name} ({sign})", title, written, agrees]


def _csv_table(table: Table, lines: Iterator[Line], header: Header) -> Iterator[list[Any]]:
    totals, own = Totals(table), own_position(table)
    digits, sign = header.coin_digits, cell_values.sign(header)
    doubled = [bool(digits) and each.kind == "money" for each in table.columns]
    yield [f"# table.{table.name}", plain(str(table.title))]
    heads = [
        head
        for each, twice in zip(table.columns, doubled, strict=True)
        for head in ([each.name, f"{each.name} ({sign})"] if twice else [each.name])
    ]
    yield heads + ([] if own else ["position"])
    for line in lines:
        totals.take(line)
        cells = [cell(each) for each in line.cells]
        cells[0] = unremarkable(cells[0])
        if any(doubled):
            cells = list(_double_amounts(cells, line.cells, doubled, digits))
        yield cells if own else [*cells, cell(line.position)]
    for column, twice in zip(table.columns, doubled, strict=True):
        if column.name in totals.by_name:
            total = totals.by_name[column.name]
            yield [f"# total.{table.name}.{column.name}", total]
            if twice:
                yield [f"# total.{table.name}.{column.name} ({sign})", _decimal(total, digits)]


def _double_amounts(
    cells: Sequence[Any], values: Sequence[Cell], doubled: Sequence[bool], digits: int
) -> Iterator[Any]:
    """The cells of a row, each amount followed by itself with decimals."""
    for written, value, twice in zip(cells, values, doubled, strict=True):
        yield written
        if twice:
            yield _decimal(value, digits)


def _decimal(amount: Cell, digits: int) -> str:
    return cell_values.decimal(amount, digits) if isinstance(amount, int) else ""


def cell(value: Cell) -> Any:
    """The value of a CSV cell: "" for None; text that begins like a formula is made harmless."""
    found = plainly(value)
    return "" if found is None else plain(found) if isinstance(found, str) else found


def unremarkable(value: Any) -> Any:
    """The first cell of a row, with ``'`` before a ``#``, so that it cannot pass for a remark."""
    return f"'{value}" if isinstance(value, str) and value.startswith(REMARK) else value


# JSON.


def write_json(document: Document, into: BinaryIO) -> None:
    into.writelines(part.encode() for part in _parts(document))


def _parts(document: Document) -> Iterator[str]:
    yield f'{{"report": {_text(document.report.name)}, "title": {_text(document.header.title)},\n'
    yield f' "header": {_text(document.header.as_json())},\n'
    yield f' "figures": {_text([figure_json(each) for each in document.figures])},\n'
    yield ' "tables": ['
    between = ""
    for table, lines in document.lines():
        yield between
        yield from _json_table(table, lines)
        between = ",\n"
    yield "]}\n"


def figure_json(figure: Any) -> dict[str, Any]:
    return {
        "name": figure.name,
        "title": str(figure.title),
        "kind": figure.kind,
        "value": plainly(figure.value),
        "agrees": figure.agrees,
    }


def _json_table(table: Table, lines: Iterator[Line]) -> Iterator[str]:
    columns = [
        {"name": each.name, "title": str(each.title), "kind": each.kind} for each in table.columns
    ]
    totals = Totals(table)
    yield f'\n  {{"name": {_text(table.name)}, "title": {_text(str(table.title))},\n'
    yield f'   "columns": {_text(columns)},\n   "rows": ['
    between = "\n    "
    for line in lines:
        totals.take(line)
        yield between + _text(row(table, line))
        between = ",\n    "
    yield f'],\n   "totals": {_text(totals.by_name)}}}'


def row(table: Table, line: Line) -> dict[str, Any]:
    """A line as an object by column names, with `position` added if no column has that name."""
    names = (column.name for column in table.columns)
    found = dict(zip(names, map(plainly, line.cells), strict=True))
    return found if own_position(table) else {**found, "position": line.position}


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
