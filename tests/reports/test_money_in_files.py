"""
What is shown of an amount, on a page or in a file, read back, is the amount: in every locale, with
no, two and three decimals, with the currency's sign before or behind.
"""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import openpyxl
import pypdf
import pytest
from django.template import Context, Template
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.styles.numbers import is_date_format

from casino.kit.documents.page import LINES_ON_PAGE, tables
from casino.kit.documents.report import Column, Figure, Line, Table
from casino.kit.documents.writers import FORMATS, cells, write
from casino.office.onboarding import csv_lists
from casino.words.languages import amounts, locales
from casino.words.languages.amounts import GROUP, MINUS_SIGN, NO_BREAK_SPACE
from games.payments import COINS_MAX
from tests.forms import how_often
from tests.reports.test_reports_writers import document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from casino.kit.documents.document import Document

DIGITS: Final = (0, 2, 3)
EXACT: Final = 10**15 - 1  # what a spreadsheet holds as a number

house = st.tuples(
    st.sampled_from(sorted(locales.LOCALES)),
    st.sampled_from(["€", "CHF", "kr.", 'a"b']),
    st.sampled_from(DIGITS),
    st.sampled_from(["", "EUR"]),
)
coins = st.one_of(st.sampled_from([0, -1, 1, 5000, -500050]), st.integers(-COINS_MAX, COINS_MAX))


@pytest.fixture(autouse=True)
def _usual_again() -> Iterator[None]:
    yield
    locales.use(locales.USUAL)


def at(locale: str, symbol: str, digits: int, code: str) -> None:
    locales.use(locale, symbol, digits, code=code)


def read_back(shown: str) -> int | None:
    """What somebody reads who writes as the house does."""
    return replace(amounts.coins(), person=None).read(shown)


def told(held: list[int], symbol: str, digits: int) -> Document:
    """A report with one amount a line, their sum, and the first as a figure."""
    columns = (
        Column(name="who", title="Who"),
        Column(name="amount", title="Amount", kind="money", total=True),
        Column(name="seen", title="Seen", kind="number"),
    )
    lines = [Line(cells=("Ada", amount, 5), position=place) for place, amount in enumerate(held)]
    figures = (Figure(name="first", title="First", value=held[0], kind="money"),)
    made = document(
        [Table(name="t", title="T", columns=columns, lines=lambda _: lines)], figures=figures
    )
    header = replace(made.header, currency="euro", currency_symbol=symbol, coin_digits=digits)
    return replace(made, header=header)


def file(made: Document, form: str) -> bytes:
    with write(made, FORMATS[form]) as opened:
        return opened.read()


@given(house, coins)
def test_a_page_shows_the_amount(house: tuple[str, str, int, str], amount: int) -> None:
    at(*house)
    shown = Template("{% load money %}{{ amount|money }}").render(Context({"amount": amount}))

    assert read_back(shown.replace("&quot;", '"')) == amount
    assert read_back(amounts.coins_of(amount)) == amount
    assert read_back(amounts.as_typed(amount)) == amount


@given(house, st.lists(coins, min_size=1, max_size=4))
@settings(max_examples=how_often(40), deadline=None)
def test_a_report_s_page_shows_it(house: tuple[str, str, int, str], held: list[int]) -> None:
    at(*house)
    [table] = tables(told(held, house[1], house[2]), most=LINES_ON_PAGE)

    read = [read_back(line.cells[1].text) for line in table.lines]
    assert read == held
    assert read_back(table.foot[1].text) == sum(held)


@given(house, st.lists(coins, min_size=1, max_size=4))
@settings(max_examples=how_often(40), deadline=None)
def test_csv_has_it_in_the_smallest_coin_and_with_decimals(
    house: tuple[str, str, int, str], held: list[int]
) -> None:
    at(*house)
    symbol, digits = house[1], house[2]
    rows = list(csv.reader(io.StringIO(file(told(held, symbol, digits), "csv").decode())))

    head, *lines = [row for row in rows if row and not row[0].startswith("#")]
    remarks = {row[0]: row[1:] for row in rows if row and row[0].startswith("#")}
    assert [int(row[1]) for row in lines] == held
    if not digits:
        assert head == ["who", "amount", "seen", "position"]
        assert "# unit" not in remarks
        return
    assert head == ["who", "amount", f"amount ({symbol})", "seen", "position"]
    assert [of_decimal(row[2], digits) for row in lines] == held
    assert of_decimal(remarks[f"# total.t.amount ({symbol})"][0], digits) == sum(held)
    assert of_decimal(remarks[f"# figure.first ({symbol})"][1], digits) == held[0]
    assert remarks["# unit"] == ["smallest coin", f"0.{'1'.rjust(digits, '0')} {symbol}"]


def of_decimal(cell: str, digits: int) -> int:
    """As any program reads such a number, without rounding."""
    assert re.fullmatch(rf"-?\d+\.\d{{{digits}}}", cell), cell
    return int(cell.replace(".", ""))


@given(house, st.lists(coins, min_size=1, max_size=4))
@settings(max_examples=how_often(20), deadline=None)
def test_xlsx_has_it_as_a_number_that_looks_like_the_page(
    house: tuple[str, str, int, str], held: list[int]
) -> None:
    at(*house)
    made = told(held, house[1], house[2])
    book = openpyxl.load_workbook(io.BytesIO(file(made, "xlsx")))

    sheet = book.worksheets[1]
    for place, amount in enumerate([*held, sum(held)], 2):
        assert_holds(sheet.cell(place, 2), amount, house[2])
    figure = next(row[1] for row in book["About"].iter_rows() if row[0].value == "figure.first")
    assert_holds(figure, held[0], house[2])


def assert_holds(cell: Any, amount: int, digits: int) -> None:
    """The cell is the amount, and is shown as a page shows it."""
    if abs(amount) > EXACT:
        written = str(cell.value)
        assert int(written.replace(".", "")) == amount
        assert not digits or written[-digits - 1] == "."
        return
    assert isinstance(cell.value, int | float)
    assert round(cell.value * 10**digits) == amount
    assert not is_date_format(cell.number_format)
    shown = formatted(cell.value, cell.number_format)
    marks = amounts.coins()
    assert shown == replace(marks, point=".", thousands=",").written(amount)


def formatted(value: float, form: str) -> str:
    """A number by a spreadsheet's format, as far as these formats go."""
    above, below = re.split(
        r";(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", form.replace('\\"', "\0"), maxsplit=1
    )
    section = below if value < 0 else above
    places = len(found[1]) if (found := re.search(r"#,##0\.(0+)", section)) else 0
    number = f"{abs(value):,.{places}f}"
    return re.sub(r"#,##0(?:\.0+)?", number, section).replace('"', "").replace("\0", '"')


@given(house, st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=3))
@settings(max_examples=how_often(6), deadline=None)
def test_a_pdf_says_it_as_the_page(house: tuple[str, str, int, str], held: list[int]) -> None:
    at(*house)
    pages = pypdf.PdfReader(io.BytesIO(file(told(held, house[1], house[2]), "pdf"))).pages

    text = "".join(page.extract_text() for page in pages).replace(NO_BREAK_SPACE, " ")
    for amount in held:
        assert amounts.money(amount).replace(NO_BREAK_SPACE, " ") in text


@given(house, st.lists(coins, min_size=1, max_size=3))
@settings(max_examples=how_often(20), deadline=None)
def test_json_is_of_the_smallest_coin(house: tuple[str, str, int, str], held: list[int]) -> None:
    at(*house)
    found = json.loads(file(told(held, house[1], house[2]), "json"))

    assert [row["amount"] for row in found["tables"][0]["rows"]] == held
    assert found["header"]["coin_digits"] == house[2]


@pytest.mark.parametrize(
    ("locale", "code", "amount", "shown"),
    [
        ("en-GB", "EUR", 0, "€0.00"),
        ("en-GB", "EUR", -500050, f"{MINUS_SIGN}€5,000.50"),
        ("it-IT", "EUR", 0, f"0.00{NO_BREAK_SPACE}€"),
        ("it-IT", "EUR", -500050, f"{MINUS_SIGN}5,000.50{NO_BREAK_SPACE}€"),
    ],
)
def test_a_spreadsheet_writes_the_sign_where_its_house_does(
    locale: str, code: str, amount: int, shown: str
) -> None:
    """By the marks of an English spreadsheet: another one puts its own into the same places."""
    at(locale, "€", 2, code)
    book = openpyxl.load_workbook(io.BytesIO(file(told([amount], "€", 2), "xlsx")))

    cell: Any = book.worksheets[1].cell(2, 2)
    assert formatted(cell.value, cell.number_format) == shown


@given(house, st.one_of(st.integers(0, 10**7), st.integers(0, COINS_MAX)))
def test_a_list_reads_what_the_house_has_written(
    house: tuple[str, str, int, str], amount: int
) -> None:
    """Pages, fields and files; a figure of a file that pages mean otherwise is refused."""
    at(*house)
    in_file = cells.decimal(amount, house[2])
    written = [amounts.as_typed(amount), amounts.money(amount), in_file]

    for language in ("en", "it"):
        with translation.override(language):
            assert {csv_lists.amount(each) for each in written} <= {amount, None}
    with translation.override(house[0]):  # the person writes as the house does
        assert [csv_lists.amount(each) for each in written[:2]] == [amount, amount]
        if house[2] != GROUP or len(in_file.partition(".")[0]) > GROUP:
            assert csv_lists.amount(in_file) == amount


def test_a_list_says_both_amounts_that_a_figure_may_be() -> None:
    at("it-IT", "€", 3, "EUR")
    values = {"name": "Garden", "stake_min": "1.005", "stake_max": ""}

    assert list(csv_lists.TABLES.judge(values)) == [
        ("stake_min", "This may be 1.005,000\xa0€ or 1,005\xa0€: write it with all decimals.")
    ]
