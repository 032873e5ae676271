"""
``python -m tests.proof.integrity.columns_page`` makes the tables of docs/reference/columns.md anew.

They are made of what a verification goes by, `columns`. What stands above the mark on the
page is written by hand.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from casino.proof.verification.columns import DERIVED, OF_NO_ACCOUNT, TRUTH, WHOLE

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE: Final = Path(__file__).parents[3] / "docs" / "reference" / "columns.md"
MARK: Final = "<!-- From here on made by `python -m tests.proof.integrity.columns_page`. -->\n"


def made() -> str:
    """The page as it should be: what is written by hand, and the tables."""
    by_hand = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    return by_hand + MARK + "".join(f"{line}\n" for line in lines())


def lines() -> Iterator[str]:
    checked = [
        *(("truth", stage, sorted(tables)) for stage, tables in TRUTH.items()),
        *(("derived", stage, sorted(tables)) for stage, tables in DERIVED.items()),
        *(("derived", stage, sorted(tables.split())) for stage, tables in WHOLE.items()),
    ]
    known = {table for _, _, tables in checked for table in tables}
    yield from ("", "## What checks which table", "", "| kind | stage | tables |", "|---|---|---|")
    for kind, stage, tables in checked:
        yield f"| {kind} | `{stage}` | {quoted(tables)} |"
    yield from ("", "## Of no account, and why", "", "| why | tables |", "|---|---|")
    for why, columns in OF_NO_ACCOUNT:
        apart = (
            f"{quoted(columns[table].split())} of `{table}`" if table in known else f"`{table}`"
            for table in columns
        )
        yield f"| {why} | {', '.join(apart)} |"


def quoted(names: list[str]) -> str:
    return " ".join(f"`{name}`" for name in names)


if __name__ == "__main__":
    PAGE.write_text(made(), encoding="utf-8")
