"""
Writes a report as JSON; each line of a table is one line of the file.

    {"report": "fees", "title": …, "header": {…}, "figures": […],
     "tables": [{"name": …, "columns": [{"name", "title", "kind"}],
                 "rows": [{<by column name>, "position": …}], "totals": {…}}]}
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, BinaryIO

from casino.kit.documents.document import Totals, own_position
from casino.kit.documents.writers.cells import plainly

if TYPE_CHECKING:
    from collections.abc import Iterator

    from casino.kit.documents.document import Document
    from casino.kit.documents.report import Line, Table


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
        yield from _table(table, lines)
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


def _table(table: Table, lines: Iterator[Line]) -> Iterator[str]:
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
