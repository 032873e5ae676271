"""
Writes a report as XLSX: a sheet About, then a sheet for each table.

Numbers, amounts and dates are real ones, amounts with the decimals, the sign and the minus that
pages write; totals are values, not formulas. Rows are written to a
temporary file as they come. A number with more than 15 digits and a date before 1901 are written as
text, because a spreadsheet cannot hold them. Text is never taken for a formula or a link.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import xlsxwriter
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.kit.documents.document import Totals, in_currency, own_position
from casino.kit.documents.writers import cells as cell_values
from casino.kit.documents.writers.as_text import figure_json
from casino.kit.documents.writers.cells import plainly

if TYPE_CHECKING:
    from collections.abc import Iterator

    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

    from casino.kit.documents.document import Document, Header
    from casino.kit.documents.report import Cell, Kind, Line, Table

PRECISE: Final = 10**15  # spreadsheets round numbers from here on
FIRST_YEAR: Final = 1900
TEXT_MAX: Final = 32_767
SHEET_MAX: Final = 31
FORBIDDEN: Final = re.compile(r"[\[\]:*?/\\\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
ABOUT: Final = "About"
FORMATS: Final[dict[Kind, str]] = {
    "number": "#,##0",
    "share": "0.0%",
    "ratio": "#,##0.00",
    "seconds": "#,##0",
    "day": "yyyy-mm-dd",
    "moment": "yyyy-mm-dd hh:mm:ss",
}
WIDTHS: Final[dict[Kind, int]] = {"text": 24, "moment": 20}
WIDTH: Final = 14


class _Book:
    """An XLSX workbook, with its styles by kind of column, for a house's coin."""

    def __init__(self, into: BinaryIO, header: Header) -> None:
        self.digits = header.coin_digits
        money = cell_values.number_format(cell_values.coins_of_header(header))
        formats: dict[Kind, str] = {**FORMATS, "money": money}
        self.book = xlsxwriter.Workbook(
            into,
            {
                "constant_memory": True,
                "strings_to_numbers": False,
                "strings_to_formulas": False,
                "strings_to_urls": False,
            },
        )
        self.head = self.book.add_format({"bold": True, "bottom": 1})
        self.styles = {
            kind: self.book.add_format({"num_format": to}) for kind, to in formats.items()
        }
        self.sums = {
            kind: self.book.add_format({"num_format": to, "bold": True, "top": 1})
            for kind, to in formats.items()
        }
        self._names = {ABOUT.casefold()}

    def sheet(self, title: str) -> Worksheet:
        """Add a sheet, under a unique name that every spreadsheet program accepts."""
        base = _cut(FORBIDDEN.sub(" ", title).strip(" '"), SHEET_MAX).strip(" '") or "Table"
        name, number = base, 1
        while name.casefold() in self._names:
            number += 1
            name = f"{_cut(base, SHEET_MAX - 1 - len(str(number)))} {number}"
        self._names.add(name.casefold())
        return self.book.add_worksheet(name)

    def valued(self, cell: Cell, kind: Kind) -> Cell:
        """The value of a cell: an amount in whole coins with decimals, not in the smallest coin."""
        if kind != "money" or not self.digits or not isinstance(cell, int):
            return cell
        if abs(cell) >= PRECISE:
            return cell_values.decimal(cell, self.digits)
        return cell_values.number(cell, self.digits)


def _cut(name: str, most: int) -> str:
    """The first `most` UTF-16 units of a name: spreadsheets count some letters as two."""
    return name.encode("utf-16-le")[: 2 * most].decode("utf-16-le", "ignore")


def write_xlsx(document: Document, into: BinaryIO) -> None:
    made = _Book(into, document.header)
    try:
        _about(made, document)
        for table, lines in document.lines():
            _table(made, document, table, lines)
    except BaseException:
        _abandon(made)
        raise
    made.book.close()


def _abandon(made: _Book) -> None:
    """Discard an unfinished workbook: mark it closed, delete the temporary files of its rows."""
    made.book.fileclosed = 1
    for sheet in made.book.worksheets():
        if sheet.row_data_fh is not None:
            sheet.row_data_fh.close()
            Path(sheet.row_data_filename).unlink(missing_ok=True)


def _about(made: _Book, document: Document) -> None:
    sheet = made.book.add_worksheet(ABOUT)
    sheet.set_column(0, 0, 28)
    sheet.set_column(1, 1, 60)
    at = 0
    for name, value in _header(document):
        sheet.write_string(at, 0, name, made.head)
        _write(sheet, (at, 1), value, None)
        at += 1
    for figure in document.figures:
        title = figure_json(figure)["title"]
        sheet.write_string(at, 0, f"figure.{figure.name}")
        value = made.valued(figure.value, figure.kind)
        _write(sheet, (at, 1), value, made.styles.get(figure.kind))
        agrees = {None: "", True: "agrees", False: "differs"}[figure.agrees]
        sheet.write_string(at, 2, " ".join(part for part in (title, agrees) if part))
        at += 1


def _header(document: Document) -> Iterator[tuple[str, Any]]:
    yield "report", document.report.name
    yield "title", document.header.title
    for name, value in document.header.as_json().items():
        if isinstance(value, dict):
            for part, inner in value.items():
                yield f"{name}.{part}", inner
        else:
            yield name, value


def _table(made: _Book, document: Document, table: Table, lines: Iterator[Line]) -> None:
    sheet = made.sheet(str(table.title))
    symbol, own = document.header.currency_symbol, own_position(table)
    heads = [in_currency(column, symbol) for column in table.columns]
    heads += [] if own else [_("Event")]
    kinds: list[Kind] = [column.kind for column in table.columns]
    kinds += [] if own else ["number"]
    for at, kind in enumerate(kinds):
        sheet.set_column(at, at, WIDTHS.get(kind, WIDTH))
    sheet.freeze_panes(1, 0)
    for at, head in enumerate(heads):
        sheet.write_string(0, at, head, made.head)
    totals, row = Totals(table), 0
    for row, line in enumerate(lines, 1):
        totals.take(line)
        cells: list[Cell] = [*line.cells] if own else [*line.cells, line.position]
        for at, (cell, kind) in enumerate(zip(cells, kinds, strict=True)):
            _write(sheet, (row, at), made.valued(cell, kind), made.styles.get(kind))
    sums = totals.by_name
    for at, column in enumerate(table.columns):
        if column.name in sums:
            total = made.valued(sums[column.name], column.kind)
            _write(sheet, (row + 1, at), total, made.sums[column.kind])


def _write(sheet: Worksheet, where: tuple[int, int], cell: Cell, style: Format | None) -> None:
    """Write one cell in the type that suits its value; None leaves the cell empty."""
    plain = plainly(cell)
    if isinstance(cell, datetime):
        _write_date(
            sheet, where, timezone.localtime(cell).replace(tzinfo=None, microsecond=0), style
        )
    elif isinstance(cell, date):
        _write_date(sheet, where, cell, style)
    elif isinstance(plain, int | float) and abs(plain) < PRECISE:
        sheet.write_number(*where, plain, style)
    elif plain is not None:
        sheet.write_string(*where, str(plain)[:TEXT_MAX])


def _write_date(sheet: Worksheet, where: tuple[int, int], cell: date, style: Format | None) -> None:
    if cell.year <= FIRST_YEAR:
        sheet.write_string(*where, cell.isoformat())
    else:
        sheet.write_datetime(*where, cell, style)
