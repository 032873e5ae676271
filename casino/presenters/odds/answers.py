"""Odds as tables: chances stay fractions until somebody has to read them."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.dice import Dice

Cell = str | int | Fraction | tuple[int, ...] | None
Kind = Literal["word", "whole", "chance", "figure", "mean", "dice"]
LEAST: Final = Fraction(1, 10_000)  # per cent; what is less is told as less
PLACES: Final = 12  # digits after the point of a decimal; `exact` beside it has them all


@dataclass(frozen=True, slots=True)
class Column:
    """
    :param kind: ``chance``, ``figure`` and ``mean`` are fractions: a mean may lie above one, a
        figure is told in per cent without being a chance.
    :param sides: of dice, each in turn.
    """

    name: str
    title: str
    kind: Kind
    sides: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Plot:
    """
    What of a table is drawn.

    :param form: ``bars`` lie, one group for each row; ``columns`` stand, for numbers in order;
        ``marks`` are points on one line for each row, on a scale of powers of ten.
    :param by: the column that names each row.
    :param of: the columns that are drawn.
    """

    form: Literal["bars", "columns", "marks"]
    by: str
    of: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """
    :param description: what the chances are chances of, in a sentence or two.
    :param marked: places of rows that are to be seen first: the best choice.
    :param open: whether people see its figures at once, also where a plot shows them.
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
    :param asked: what the answer is for: every field but the options.
    :param unmoved: options of the game that do not change what was asked, and why.
    """

    game: str
    title: str
    options: Mapping[str, Any]
    query: Mapping[str, Any]
    unmoved: Mapping[str, str]
    tables: Sequence[Table]
    notes: Sequence[str] = field(default_factory=tuple)


def decimal(value: Fraction, places: int = PLACES) -> str:
    """The fraction to so many places, rounded half to even, never in powers of ten."""
    with localcontext() as context:
        context.prec = len(str(abs(int(value)))) + places + 2
        exact = Decimal(value.numerator) / Decimal(value.denominator)
        return f"{exact.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_EVEN):f}"


def per_cent(chance: Fraction) -> str:
    """
    As people read it: four figures, or two where that would be all zeros, down to "< 0.0001 %".

    What is not certain is never told as 100 %, nor what may happen as 0 %.
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
    """A chance as `{"exact": "21/512", "decimal": "0.041015625000"}`."""
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
            {"name": column.name, "title": column.title, "kind": column.kind}
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
