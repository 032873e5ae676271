"""Tables of odds on the page: their plots, and their cells as people read them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from django import template
from django.utils.html import format_html

from casino.odds import plots
from casino.odds.answers import per_cent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.utils.safestring import SafeString

    from casino.odds.answers import Cell, Column, Table

register = template.Library()
EXACT_MAX: Final = 19  # characters; a longer fraction is for the API
FOLDED: Final = 12  # rows; with more, a table that has a plot is folded


@register.simple_tag
def odds_plot(table: Table) -> SafeString:
    return plots.plot(table)


@register.filter
def folded(table: Table) -> bool:
    return table.plot is not None and not table.marked and len(table.rows) > FOLDED


@register.filter
def cells(table: Table) -> Iterator[dict[str, Any]]:
    """The rows, each with what it shows and whether it is marked."""
    for place, row in enumerate(table.rows):
        yield {
            "marked": place in table.marked,
            "cells": [
                {"column": column, "said": _said(cell, column), "dice": _dice(cell, column)}
                for cell, column in zip(row, table.columns, strict=True)
            ],
        }


def _said(cell: Cell, column: Column) -> str:
    match cell:
        case None:
            return "\N{EN DASH}"
        case Fraction():
            told = f"{float(cell):.4f}" if column.kind == "mean" else per_cent(cell)
            if len(str(cell)) > EXACT_MAX or cell.denominator == 1:
                return told
            return format_html('{} <span class="exact">{}</span>', told, cell)
        case _:
            return str(cell).replace("_", " ")


def _dice(cell: Cell, column: Column) -> list[dict[str, int]]:
    if not isinstance(cell, tuple):
        return []
    return [{"face": f, "sides": s} for f, s in zip(cell, column.sides, strict=False)]
