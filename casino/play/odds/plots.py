"""Plots of tables of odds."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from django.utils.safestring import SafeString

from casino.kit.web.plots.groups import Data, Series, bars, columns, marks
from casino.words.languages import locales
from casino.words.languages.amounts import money
from casino.words.presenters.odds.answers import per_cent

if TYPE_CHECKING:
    from casino.words.presenters.odds.answers import Cell, Column, Table


def plot(table: Table) -> SafeString:
    """The plot of a table; empty if the table has no plot or no rows."""
    if table.plot is None or not table.rows:
        return SafeString()
    data = of(table)
    match table.plot.form:
        case "bars":
            return bars(data)
        case "columns":
            return columns(data)
        case "marks":
            return marks(data)


def of(table: Table) -> Data:
    query = table.plot
    if query is None:
        raise ValueError(table.name)
    columns_ = {column.name: column for column in table.columns}
    return Data(
        title=table.title,
        by=columns_[query.by].title,
        names=tuple(_name(columns_[query.by], each) for each in table.column(query.by)),
        series=tuple(_series(columns_[name], table.column(name)) for name in query.of),
    )


def _name(column: Column, cell: Cell) -> str:
    if column.money and isinstance(cell, int):
        return money(cell)
    return "-".join(map(str, cell)) if isinstance(cell, tuple) else str(cell).replace("_", " ")


def _series(column: Column, cells: list[Cell]) -> Series:
    exact = [cell if isinstance(cell, Fraction) else None for cell in cells]
    values = tuple(float(each or 0) for each in exact)
    return Series(column.title, values, tuple(_figure(column, each) for each in exact))


def _figure(column: Column, exact: Fraction | None) -> str:
    if exact is None:
        return ""
    return locales.decimal(exact, 3) if column.kind == "mean" else as_per_cent(exact)


def as_per_cent(chance: Fraction) -> str:
    """A chance in per cent, with the decimal mark of the house."""
    return per_cent(chance).replace(".", locales.decimal_mark())
