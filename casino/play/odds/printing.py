"""Odds as plain text: what `odds --pretty` prints."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from casino.words.presenters.odds.answers import decimal, per_cent
from casino.words.presenters.odds.params import as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from casino.words.presenters.odds.answers import Answer, Cell, Column, Table

EXACT_MAX: Final = 23  # characters of a fraction; a longer one is printed only as a decimal
LEFT: Final = {"word", "dice"}


def text(answer: Answer) -> str:
    parts = [answer.title, *answer.notes]
    chosen = ", ".join(f"{name}={as_text(value)}" for name, value in answer.options.items())
    parts.append(f"Options: {chosen}. Without effect: {', '.join(answer.unmoved) or 'none'}.")
    return "\n".join([*parts, *("\n" + "\n".join(lines(table)) for table in answer.tables)])


def lines(table: Table) -> Iterator[str]:
    """A heading, its explanation, and the rows in columns; a marked row begins with a star."""
    cells = [[cell_text(cell, column) for cell, column in zip(row, table.columns, strict=True)]
             for row in table.rows]  # fmt: skip
    heads = [f"{column.title}{' (coins)' * column.money}" for column in table.columns]
    widths = [max(map(len, each)) for each in zip(heads, *cells, strict=True)]
    yield f"{table.title}. {table.description}"
    yield "  " + _line(heads, table.columns, widths)
    for place, row in enumerate(cells):
        star = "* " if place in table.marked else "  "
        yield star + _line(row, table.columns, widths)


def _line(cells: list[str], columns: tuple[Column, ...], widths: list[int]) -> str:
    placed = (
        cell.ljust(width) if column.kind in LEFT else cell.rjust(width)
        for cell, column, width in zip(cells, columns, widths, strict=True)
    )
    return "  ".join(placed).rstrip()


def cell_text(cell: Cell, column: Column) -> str:
    match cell:
        case None:
            return "-"
        case Fraction() if column.kind != "mean":
            return _exact(cell) + per_cent(cell)
        case Fraction():
            return f"{_exact(cell)}{decimal(cell, 6)}"
        case tuple():
            return "-".join(map(str, cell))
        case _:
            return str(cell)


def _exact(value: Fraction) -> str:
    exact = str(value)
    return f"{exact}  " if len(exact) <= EXACT_MAX else ""
