"""No text becomes a formula, whatever separator a spreadsheet takes; and what `sep=` declares."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.words.languages.spreadsheets import Writer, plain, separator_of_line
from tests.forms import how_often

CASINO = Path(__file__).parents[2] / "casino"
texts = st.text(alphabet="Ada=+-@1(),;\t\r\n\"' \uff1d", max_size=12)
cells = texts | st.integers(-9, 9) | st.none()


@given(st.lists(st.lists(cells, min_size=1, max_size=4), min_size=1, max_size=4))
@settings(max_examples=how_often(400), deadline=None)
def test_no_text_is_a_formula_by_any_separator(rows: list[list[str | int | None]]) -> None:
    written = io.StringIO()
    Writer(written).writerows(iter(rows))

    for separator in ",;\t":
        read = csv.reader(io.StringIO(written.getvalue(), newline=""), delimiter=separator)
        found = [cell for row in read for cell in row]
        assert not [cell for cell in found if re.match("[=+@\t\uff1d]|-[^0-9]", cell)]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Ada;=1+1", "Ada;'=1+1"), ("Ada,@SUM(A1)", "Ada,'@SUM(A1)"), ("=1", "'=1"),
        ("Ada\n+1", "Ada\n'+1"), ("Ada\t-1", "Ada\t'-1"), ('Ada;"=1', "Ada;'\"=1"),
        ("Ada; Bo = two", "Ada; Bo = two"), ("1-2", "1-2"),
    ],
)  # fmt: skip
def test_a_mark_stands_before_what_would_be_calculated(text: str, written: str) -> None:
    assert plain(text) == written
    assert plain(written) == written


@pytest.mark.parametrize(
    ("line", "separator"),
    [("sep=;", ";"), ("SEP=,\r\n", ","), ('"sep=\t"', "\t"), ("sep=|", None), ("name;sep=;", None)],
)
def test_excel_s_line_declares_the_separator(line: str, separator: str | None) -> None:
    assert separator_of_line(line) == separator


def test_every_csv_is_written_by_the_writer_that_guards() -> None:
    found = [path.name for path in CASINO.rglob("*.py") if "csv.writer(" in path.read_text("utf-8")]

    assert found == ["spreadsheets.py"]
