"""docs/controls.md says of each control where it is met and which test shows it: they are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.urls import Resolver404, resolve

ROOT = Path(__file__).resolve().parent.parent
ROW = re.compile(r"^\| ([A-F]\d[a-z]?|P\d) \| (.+?) \| (.+?) \| `(.+?)` \|$", re.MULTILINE)
ROWS = ROW.findall((ROOT / "docs" / "controls.md").read_text(encoding="utf-8"))
HERE = {
    *("A1", "A2", "A3", "A4", "A5", "A6", "A7", "B1", "B2", "B3", "B4", "C1", "C2", "C3"),
    *("D1", "D1b", "D2", "D3", "E1", "E2", "P1", "P2", "P3", "P4"),
}


def test_every_control_of_money_the_day_and_the_book_has_its_row() -> None:
    known = [number for number, *_ in ROWS]
    assert set(known) >= HERE
    assert len(known) == len(set(known))


@pytest.mark.parametrize(("number", "met", "shown"), [(row[0], row[2], row[3]) for row in ROWS])
def test_it_is_met_and_shown_where_the_page_says(number: str, met: str, shown: str) -> None:
    file, _, test = shown.partition("::")
    text = (ROOT / file).read_text(encoding="utf-8")
    assert not test or f"def {test}(" in text, f"{number}: {shown} is gone"
    for address in re.findall(r"`(/[^`]*)`", met):
        try:
            resolve(address)
        except Resolver404:
            pytest.fail(f"{number}: {address} is gone")
