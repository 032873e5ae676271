"""Template tags for tables of odds: plots, and cells in the form that people read."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from casino.kit.web.plots.groups import Data, Series, bars, columns, marks
from casino.words.languages import locales
from casino.words.languages.amounts import coin_decimals, coins, money
from casino.words.presenters.odds_tables import per_cent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from casino.words.presenters.odds_tables import Cell, Column, Table

register = template.Library()
EXACT_MAX: Final = 13  # characters; a column with longer fractions shows only decimals
FOLDED: Final = 12  # rows; a longer table is folded, and so is a table that has a plot


@register.simple_tag
def odds_plot(table: Table) -> SafeString:
    return plot(table)


@register.filter
def is_long(table: Table) -> bool:
    if table.marked or table.open:
        return False
    return table.plot is not None or len(table.rows) > FOLDED


@register.filter
def cells(table: Table) -> Iterator[dict[str, Any]]:
    """The rows of a table, each with its cells and whether it is marked."""
    exact = [_short(table.column(column.name)) for column in table.columns]
    for place, row in enumerate(table.rows):
        yield {
            "marked": place in table.marked,
            "cells": [
                {"column": column, "said": _cell_text(cell, column, exact=short), "dice": dice}
                for cell, column, short in zip(row, table.columns, exact, strict=True)
                for dice in [_dice(cell, column)]
            ],
        }


def _short(column: list[Cell]) -> bool:
    return all(len(str(cell)) <= EXACT_MAX for cell in column if isinstance(cell, Fraction))


def _cell_text(cell: Cell, column: Column, *, exact: bool) -> str:
    match cell:
        case None:
            return "\N{EN DASH}"
        case Fraction():
            mean = column.kind == "mean"
            cell /= 10 ** coin_decimals() if column.money else 1
            figure = locales.decimal(cell, 4) if mean else as_per_cent(cell)
            figure = coins().with_symbol(figure) if column.money else figure
            return (
                format_html('{} <span class="exact">{}</span>', figure, cell) if exact else figure
            )
        case int() if column.money:
            return money(cell)
        case _:
            return str(cell).replace("_", " ")


def _dice(cell: Cell, column: Column) -> list[dict[str, int]]:
    if not isinstance(cell, tuple):
        return []
    return [{"face": f, "sides": s} for f, s in zip(cell, column.sides, strict=False)]


# Plots of tables of odds.


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
