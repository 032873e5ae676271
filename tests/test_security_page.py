"""docs/reference/security.md has a row for each item it claims, and what a row names is there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "reference" / "security.md").read_text(encoding="utf-8")
ROW: Final = re.compile(r"^\| (V[\d.]+) \| (.+?) \| (.+?) \| (.+?) \|$", re.MULTILINE)
NAMED: Final = re.compile(r"^`([^`]+)`$")


def through(section: str, last: int, *, but: frozenset[int] = frozenset()) -> set[str]:
    return {f"V{section}.{number}" for number in range(1, last + 1) if number not in but}


# fmt: off
ITEMS = set().union(
    # ASVS 4.0.3, level 1 and 2: less what is of level 3, or was taken out of the standard.
    through("2.1", 12), through("2.2", 3), through("2.3", 3), through("2.4", 5), through("2.5", 7),
    through("2.6", 3), through("2.7", 6), through("2.8", 7), through("2.9", 3), through("2.10", 4),
    through("3.1", 1), through("3.2", 4), through("3.3", 4), through("3.4", 5), through("3.5", 3),
    through("3.7", 1),
    through("4.1", 5, but=frozenset({4})), through("4.2", 2), through("4.3", 3),
    through("7.1", 4), through("7.2", 2), through("7.3", 4, but=frozenset({2})), through("7.4", 3),
    through("8.1", 4), through("8.2", 3), through("8.3", 8),
    through("13.1", 5, but=frozenset({2})), through("13.2", 6, but=frozenset({4})),
    through("13.3", 2), through("13.4", 2),
)
# fmt: on


@dataclass(frozen=True)
class Item:
    number: str
    asked: str
    holds: str
    shown: str

    @property
    def claimed(self) -> bool:
        return self.holds not in {"**n/a**", "**no**"}


ROWS = [Item(*found) for found in ROW.findall(PAGE)]


def test_every_item_has_its_row_and_none_has_two() -> None:
    numbers = [row.number for row in ROWS]

    assert len(ITEMS) == 120
    assert set(numbers) == ITEMS
    assert len(numbers) == len(ITEMS) == PAGE.count("\n| V")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.number)
def test_what_a_row_names_is_there(row: Item) -> None:
    if not row.claimed:
        assert "`" not in row.holds
        assert len(row.shown) > len("a word"), "say why"
        return
    where, test = NAMED.match(row.holds), NAMED.match(row.shown)
    assert where
    assert test
    assert (ROOT / where[1]).is_file(), where[1]
    file, _, name = test[1].partition("::")
    text = (ROOT / file).read_text(encoding="utf-8")
    assert f"def {name}(" in text, f"{row.number}: {test[1]} is gone"


def test_what_holds_in_part_says_what_does_not() -> None:
    for row in ROWS:
        for part in row.asked.split("**In part**")[1:]:
            assert part.startswith(": "), row.number
