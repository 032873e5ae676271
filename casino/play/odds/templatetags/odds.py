"""Template tags for tables of odds: plots, and cells in the form that people read."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from django import template
from django.utils.html import format_html

from casino.play.odds import plots
from casino.words.languages import locales
from casino.words.languages.amounts import coin_decimals, coins, money

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.utils.safestring import SafeString

    from casino.words.presenters.odds.answers import Cell, Column, Table

register = template.Library()
EXACT_MAX: Final = 13  # characters; a column with longer fractions shows only decimals
FOLDED: Final = 12  # rows; a longer table is folded, and so is a table that has a plot


@register.simple_tag
def odds_plot(table: Table) -> SafeString:
    return plots.plot(table)


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
            figure = locales.decimal(cell, 4) if mean else plots.as_per_cent(cell)
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
