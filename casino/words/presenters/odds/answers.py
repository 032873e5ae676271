"""Odds as tables; chances stay exact fractions until they are shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Literal

from casino.words.languages.locales import with_places

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.dice import Dice

Cell = str | int | Fraction | tuple[int, ...] | None
Kind = Literal["word", "whole", "chance", "figure", "mean", "dice"]
LEAST: Final = Fraction(1, 10_000)  # per cent; a smaller chance is shown as "< 0.0001 %"
PLACES: Final = 12  # digits after the decimal point; `exact` beside it is not rounded


@dataclass(frozen=True, slots=True)
class Column:
    """
    A column of a table.

    :param kind: ``chance``, ``figure`` and ``mean`` are fractions: a mean may be above one; a
        figure is shown in per cent, but is not a chance.
    :param sides: for a column of dice, the sides of each die in order.
    :param money: whether its numbers are coins; the page shows them in the house's money.
    """

    name: str
    title: str
    kind: Kind
    sides: tuple[int, ...] = ()
    money: bool = False


@dataclass(frozen=True, slots=True)
class Plot:
    """
    Which columns of a table are plotted, and how.

    :param form: ``bars`` are horizontal, one group for each row; ``columns`` are vertical, for
        numbers in order; ``marks`` are points, one line for each row, on a logarithmic scale.
    :param by: the column with the name of each row.
    :param of: the columns that are plotted.
    """

    form: Literal["bars", "columns", "marks"]
    by: str
    of: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """
    A table of odds.

    :param description: a sentence or two that say what the chances are chances of.
    :param marked: the indexes of rows that are highlighted, such as the best choice.
    :param open: whether its figures are shown at once, even if a plot shows them.
    """

    name: str
    title: str
    description: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    plot: Plot | None = None
    marked: frozenset[int] = frozenset()
    open: bool = False

    def column(self, name: str) -> list[Cell]:
        place = [column.name for column in self.columns].index(name)
        return [row[place] for row in self.rows]


@dataclass(frozen=True, slots=True)
class Answer:
    """
    The answer to a question about odds.

    :param asked: the values of all fields of the question except the options.
    :param unmoved: options of the game that do not change the odds, with the reason.
    """

    game: str
    title: str
    options: Mapping[str, Any]
    query: Mapping[str, Any]
    unmoved: Mapping[str, str]
    tables: Sequence[Table]
    notes: Sequence[str] = field(default_factory=tuple)


def decimal(value: Fraction, places: int = PLACES) -> str:
    """A fraction with `places` decimals, rounded once and half to even, without an exponent."""
    return with_places(value, places)


def per_cent(chance: Fraction) -> str:
    """
    A chance in per cent for people: two decimals; four below 0.1 %, down to "< 0.0001 %".

    Only certainty is shown as 100 %, and only impossibility as 0 %.
    """
    if chance in {0, 1}:
        return f"{int(chance) * 100} %"
    hundreds = chance * 100
    if hundreds < LEAST:
        return f"< {decimal(LEAST, 4)} %"
    places = 2 if hundreds >= LEAST * 1000 else 4
    figure = decimal(hundreds, places)
    return "> 99.99 %" if figure == "100.00" else f"{figure} %"


def as_json(answer: Answer) -> dict[str, Any]:
    """An answer as JSON, with chances as `{"exact": "21/512", "decimal": "0.041015625000"}`."""
    return {
        "game": answer.game,
        "options": dict(answer.options),
        "asked": {name: _plain(value) for name, value in answer.query.items()},
        "unmoved": [
            {"option": name, "because": because} for name, because in answer.unmoved.items()
        ],
        "notes": list(answer.notes),
        "tables": [_table(table) for table in answer.tables],
    }


def _table(table: Table) -> dict[str, Any]:
    names = [column.name for column in table.columns]
    return {
        "name": table.name,
        "title": table.title,
        "told": table.description,
        "columns": [
            {
                "name": column.name,
                "title": column.title,
                "kind": column.kind,
                "money": column.money,
            }
            for column in table.columns
        ],
        "rows": [dict(zip(names, map(_plain, row), strict=True)) for row in table.rows],
        "marked": sorted(table.marked),
    }


def _plain(cell: Cell | tuple[Dice, ...]) -> Any:
    match cell:
        case bool():
            return cell
        case Fraction():
            return {"exact": str(cell), "decimal": decimal(cell)}
        case tuple():
            return [_plain(each) for each in cell]
        case _:
            return cell
