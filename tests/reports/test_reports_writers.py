"""A report written down is the same report in every form: read back by other people's programs."""

from __future__ import annotations

import csv
import io
import json
import re
import uuid
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

import openpyxl
import pypdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.house.establishments.models import Establishment
from casino.kit.documents.document import Document, Header, TooLong
from casino.kit.documents.report import SUMMED, Column, Figure, Line, Query, Report, Table
from casino.kit.documents.writers import FORMATS, write
from casino.kit.documents.writers.as_text import unremarkable
from casino.kit.documents.writers.as_xlsx import PRECISE
from casino.kit.documents.writers.cells import format_cell
from casino.words.languages import locales
from casino.words.languages.spreadsheets import plain
from tests.forms import how_often

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA="
KINDS = ("text", "number", "money", "share", "ratio", "day", "moment", "seconds")
NASTY = (
    "=1+1", "+1", "-1", "@SUM(A1)", "\tx", "# table.x", "http://x.example", "<b>&amp;",
    "\u4e2d\u6587", "a\nb", 'a,b;"c"', "'", "", " ", "_x0041_", "\xe9\u2013\u201c\u201d",
    "\U0001f3b2", "x" * 300,
)  # fmt: skip

letters = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30)
texts = st.sampled_from(NASTY) | letters
moments = st.datetimes(
    datetime(1901, 1, 1),  # noqa: DTZ001 - bounds, of the zone below
    datetime(2200, 1, 1),  # noqa: DTZ001
    timezones=st.just(UTC),
)
days = st.dates(date(1901, 1, 1), date(2200, 1, 1))
cells: dict[str, st.SearchStrategy[Any]] = {
    "text": texts,
    "number": st.integers(-(10**18), 10**18),
    "money": st.integers(-(10**18), 10**18),
    "seconds": st.integers(0, 10**6),
    "share": st.floats(0, 1),
    "ratio": st.floats(-1e6, 1e6),
    "day": days,
    "moment": moments,
}


@st.composite
def tables(draw: st.DrawFn, number: int) -> Table:
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=5))
    columns = tuple(
        Column(
            name=f"c{at}", title=draw(texts.filter(str.strip)), kind=kind,  # type: ignore[arg-type]
            total=kind in SUMMED and draw(st.booleans()),
        )
        for at, kind in enumerate(kinds)
    )  # fmt: skip
    rows = draw(st.lists(st.tuples(*(st.none() | cells[kind] for kind in kinds)), max_size=6))
    places = [draw(st.none() | st.integers(0, 2**53)) for _ in rows]
    lines = [Line(cells=row, position=at) for row, at in zip(rows, places, strict=True)]
    return Table(name=f"t{number}", title=draw(texts), columns=columns, lines=lambda _: lines)


@st.composite
def reports(draw: st.DrawFn) -> Document:
    some = tuple(draw(tables(at)) for at in range(draw(st.integers(1, 3))))
    figures = (Figure(name="f", title=draw(texts), value=draw(cells["money"]), kind="money",
                      agrees=draw(st.sampled_from([None, True, False]))),)  # fmt: skip
    return document(some, title=draw(texts), figures=figures, one_page=draw(st.booleans()))


def document(
    some: Sequence[Table], *, title: str = "Fees", figures: tuple[Figure, ...] = (),
    one_page: bool = False, most: int = 1000,
) -> Document:  # fmt: skip
    house = Establishment(name="The Two Herons", currency_symbol="r")
    report = Report(
        name="fees", title=title, about="", controls=("A5",), tables=tuple(some), one_page=one_page
    )
    day = date(2026, 11, 20)
    header = Header(
        report="fees", title=title, establishment=uuid.UUID(int=7), house="The Two Herons",
        currency_code="", currency="rod", currency_symbol="r", coin_digits=0, time_zone="UTC",
        since=day, until=day,
        generated_at=datetime(2026, 11, 21, 6, 30, tzinfo=UTC), software="0.1.0",
        rules={"river": 1}, position=4711, root=ROOT, asked_by="Orso", filters={"table": "T1"},
    )  # fmt: skip
    query = Query(house=house, since=day, until=day, through=4711)
    return Document(report=report, query=query, header=header, figures=figures, most=most)


def form(made: Document, name: str) -> bytes:
    with write(made, FORMATS[name]) as file:
        return file.read()


def as_json(made: Document) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(form(made, "json"))
    return found


def in_csv(value: Any, *, first: bool) -> str:
    """What a cell of the JSON is in the CSV."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return str(value)
    found = plain(value)
    return str(unremarkable(found)) if first else found


@given(reports())
@settings(max_examples=how_often(30), deadline=None)
def test_csv_reads_back_as_the_json(made: Document) -> None:
    wanted = as_json(made)
    rows = list(csv.reader(io.StringIO(form(made, "csv").decode(), newline="")))

    plainly = [row for row in rows if row and not row[0].startswith("#")]
    expected = []
    for table in wanted["tables"]:
        expected.append([each["name"] for each in table["columns"]] + ["position"])
        for row in table["rows"]:
            cells_ = list(row.values())
            expected.append([in_csv(cell, first=not at) for at, cell in enumerate(cells_)])
    assert plainly == expected
    remarks = {row[0]: row[1:] for row in rows if row and row[0].startswith("#")}
    for table in wanted["tables"]:
        for name, total in table["totals"].items():
            assert remarks[f"# total.{table['name']}.{name}"] == [str(total)]
    # No cell anywhere is a formula to a spreadsheet.
    assert not [cell for row in rows for cell in row if re.match(r"[=+@]", cell)]


@given(reports())
@settings(max_examples=how_often(15), deadline=None)
def test_xlsx_reads_back_as_the_json(made: Document) -> None:
    wanted = as_json(made)
    book = openpyxl.load_workbook(io.BytesIO(form(made, "xlsx")))

    assert book.sheetnames[0] == "About"
    assert len(book.sheetnames) == 1 + len(wanted["tables"])
    for sheet, table, source in zip(
        book.worksheets[1:], wanted["tables"], made.report.tables, strict=True
    ):
        kinds = [each["kind"] for each in table["columns"]] + ["number"]
        lines = list(source.lines(made.query))
        for at, line in enumerate(lines, 2):
            found = [cell.value for cell in sheet[at][: len(kinds)]]
            expected = [as_spreadsheet(cell) for cell in (*line.cells, line.position)]
            assert [unescaped(each) for each in found] == [nearly(each) for each in expected]
        assert sheet.freeze_panes == "A2"
        foot = sheet[len(lines) + 2]
        for at, column in enumerate(table["columns"]):
            if column["name"] in table["totals"]:
                assert foot[at].value == as_spreadsheet(table["totals"][column["name"]])
    kinds_of_cells = {cell.data_type for sheet in book for row in sheet for cell in row}
    assert "f" not in kinds_of_cells  # totals are values, and nothing is a formula
    assert not [cell for sheet in book for row in sheet for cell in row if cell.hyperlink]


def as_spreadsheet(cell: Any) -> Any:
    if isinstance(cell, datetime):
        return cell.replace(tzinfo=None, microsecond=0)
    if isinstance(cell, date):
        return datetime(cell.year, cell.month, cell.day)  # noqa: DTZ001 - as a spreadsheet has it
    if isinstance(cell, int) and abs(cell) >= PRECISE:
        return str(cell)
    return None if cell == "" else cell


def nearly(value: Any) -> Any:
    """A float as a file of digits has it."""
    return pytest.approx(value) if isinstance(value, float) else value


def unescaped(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    found = re.sub("_x([0-9A-Fa-f]{4})_", lambda each: chr(int(each[1], 16)), value)
    return None if found == "" else found


@given(reports())
@settings(max_examples=how_often(10), deadline=None)
def test_every_pdf_can_be_read_and_bears_its_provenance_on_every_page(made: Document) -> None:
    """E6."""
    read = pypdf.PdfReader(io.BytesIO(form(made, "pdf")))

    assert len(read.pages) >= 1
    for number, page in enumerate(read.pages, 1):
        text = " ".join(page.extract_text().split())
        assert "Ledger position 4711" in text
        assert ROOT in text
        assert f"Page {number} of {len(read.pages)}" in text
        assert "0.1.0" in text


def test_a_pdf_says_what_the_json_says() -> None:
    columns = (
        Column(name="who", title="Who"),
        Column(name="amount", title="Amount", kind="money", total=True),
    )
    lines = [
        Line(cells=(name, 1000 + at), position=at) for at, name in enumerate(("Zoë", "Łucja", "Bo"))
    ]
    made = document([Table(name="t", title="Payouts", columns=columns, lines=lambda _: lines)])

    text = pypdf.PdfReader(io.BytesIO(form(made, "pdf"))).pages[0].extract_text()

    for words in ("Zoë", "Łucja", "Bo", "1,000", "1,002", "3,003", "Who", "Together", "table: T1"):
        assert words in text.replace("\N{NO-BREAK SPACE}", " "), words


def test_a_pdf_leaves_no_letter_out() -> None:
    """What the house's letters do not draw is written as its code point."""
    line = Line(cells=("中 Ada \U0001f3b2",))
    columns = (Column(name="who", title="Who"),)
    made = document([Table(name="t", title="Who", columns=columns, lines=lambda _: [line])])

    text = pypdf.PdfReader(io.BytesIO(form(made, "pdf"))).pages[0].extract_text()

    assert "U+4E2D" in text
    assert "Ada" in text
    assert "U+1F3B2" in text


def test_a_pdf_embeds_the_houses_letters_and_nothing_is_coloured() -> None:
    line = Line(cells=("Ada",))
    columns = (Column(name="who", title="Who"),)
    made = document([Table(name="t", title="Who", columns=columns, lines=lambda _: [line])])
    page = pypdf.PdfReader(io.BytesIO(form(made, "pdf"))).pages[0]

    fonts = [font.get_object() for font in page["/Resources"]["/Font"].values()]  # type: ignore[index]

    used = {str(font["/BaseFont"]) for font in fonts if "/FontDescriptor" in font}
    assert {name.partition("+")[2] for name in used} == {"Inter-Regular", "Inter-SemiBold"}
    content = page.get_contents()
    assert content is not None
    colours = re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) (?:rg|RG)\b", content.get_data())
    assert all(len(set(each)) == 1 for each in colours)


def test_a_long_table_repeats_its_head_on_each_page() -> None:
    lines = [Line(cells=(f"name {at}", at)) for at in range(200)]
    columns = (Column(name="who", title="Whose"), Column(name="n", title="N", kind="number"))
    made = document([Table(name="t", title="T", columns=columns, lines=lambda _: lines)])

    read = pypdf.PdfReader(io.BytesIO(form(made, "pdf")))

    assert len(read.pages) > 2
    assert all("Whose" in page.extract_text() for page in read.pages)


@pytest.mark.parametrize("rows", [0, 5, 40, 400])
def test_one_page_stays_one_page(rows: int) -> None:
    def table(at: int, kinds: str) -> Table:
        columns = tuple(Column(name=f"c{n}", title=f"Column {n}") for n in range(len(kinds)))
        lines = [
            Line(cells=tuple(f"cell {n} of {row}" for n in range(len(kinds))))
            for row in range(rows)
        ]
        return Table(name=f"t{at}", title=f"Table {at}", columns=columns, lines=lambda _: lines)

    some = [table(at, "xx" if at % 5 else "xxxxx") for at in range(11)]
    made = document(some, one_page=True, most=100_000)

    read = pypdf.PdfReader(io.BytesIO(form(made, "pdf")))

    assert len(read.pages) == 1
    text = read.pages[0].extract_text()
    assert all(f"Table {at}" in text for at in range(11))
    assert ("files have all" in text) == (rows >= 40)


@pytest.mark.parametrize("name", FORMATS)
def test_more_lines_than_the_bound_are_refused_before_anything_is_sent(name: str) -> None:
    columns = (Column(name="n", title="N", kind="number"),)
    lines = [Line(cells=(at,)) for at in range(11)]
    made = document([Table(name="t", title="T", columns=columns, lines=lambda _: lines)], most=10)

    with pytest.raises(TooLong, match="more than 10 lines"):
        form(made, name)


# fmt: off
SHOWN = [
    (None,      "money",   "en-GB", "\N{EN DASH}"),
    (1234567,   "money",   "en-GB", "1,234,567 r"),
    (-12,       "money",   "it-IT", "\N{MINUS SIGN}12 r"),
    (1234567,   "number",  "de-DE", "1.234.567"),
    (0.1234,    "share",   "en-GB", "12.3 %"),
    (1234.5,    "ratio",   "it-IT", "1.234,50"),
    (-0.001,    "ratio",   "en-GB", "0.00"),
    (75,        "seconds", "en-GB", "1:15"),
    (3675,      "seconds", "en-GB", "1:01:15"),
    (date(2026, 11, 20), "day", "en-US", "11/20/2026"),
    (datetime(2026, 11, 20, 21, 30, tzinfo=UTC), "moment", "de-DE", "20.11.2026 21:30"),
    (float("nan"), "ratio", "en-GB", "\N{EN DASH}"),
]
# fmt: on


@pytest.mark.parametrize(("cell", "kind", "locale", "text"), SHOWN)
def test_people_read_it_as_their_house_writes(cell: Any, kind: Any, locale: str, text: str) -> None:
    locales.use(locale, "r")
    try:
        assert format_cell(cell, kind).replace("\N{NO-BREAK SPACE}", " ") == text
    finally:
        locales.use(locales.USUAL)
