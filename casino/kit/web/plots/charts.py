"""
Charts: a plot, the figures of its spots, and the same figures as a table.

A chart is one stop of the keyboard. Arrow keys go from spot to spot, Home and End to the ends, and
Enter opens what a spot links to; the figures of the spot are said below the plot, in a live region,
as they are under a pointer (js/charts.js). Without a script each spot has its figures as a tooltip.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from casino.kit.web.plots.shapes import box, join, px, rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class Cell:
    """
    A cell of a chart's table.

    :param numeric: aligned to the right.
    :param href: the address of the page that its figure comes from.
    """

    text: str
    numeric: bool = True
    href: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """The figures of a chart: the headings of the columns, and a row for each spot."""

    heads: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]


def chart(
    plot: SafeString, table: Table | None = None, *, name: str = "", sentence: str = ""
) -> SafeString:
    """
    A chart for a page; its style sheet is css/plots.css, its script js/charts.js.

    :param table: the same figures; None: the page has them itself, right below the chart.
    :param name: tells it from other charts of a page that updates itself.
    :param sentence: what has to be said of the plot, such as that it has a single point.
    """
    context = {"plot": plot, "table": table, "name": name, "sentence": sentence}
    return SafeString(render_to_string("kit/web/_chart.html", context))


def table_of(heads: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1) -> Table:
    """
    A table of plain texts.

    :param words: how many of the first columns are words, aligned to the left.
    """
    return Table(
        tuple(Cell(text, at >= words) for at, text in enumerate(heads)),
        tuple(tuple(Cell(text, at >= words) for at, text in enumerate(row)) for row in rows),
    )


def disclosure(table: Table, title: str) -> SafeString:
    """A table behind several small plots, under a summary of its own."""
    return SafeString(
        render_to_string("kit/web/_chart_table.html", {"table": table, "title": title})
    )


def spot(
    told: str, area: tuple[float, float, float, float], parts: Iterable[SafeString], href: str = ""
) -> SafeString:
    """
    One spot of a plot: what is drawn there, and the area in which a pointer means it.

    :param told: its figures, in words. :param area: left, top, width and height.
    """
    drawn = format_html("<title>{}</title>{}", told, join([*parts, box(*area, "plot-area")]))
    if href:  # the words are the link's name, too
        drawn = format_html('<a href="{}" tabindex="-1">{}</a>', href, drawn)
    return format_html('<g class="plot-spot">{}</g>', drawn)


def guide(x: float, top: float, base: float) -> SafeString:
    """The line through a spot that is looked at."""
    return rule(x, top, x, base, "plot-guide")


def areas(middles: Sequence[float], first: float, last: float) -> list[tuple[float, float]]:
    """For each of the places, in order, where the area nearest to it begins, and its width."""
    if not middles:
        return []
    edges = [
        first,
        *((one + other) / 2 for one, other in pairwise(middles)),
        last,
    ]
    return [(left, max(right - left, 0)) for left, right in pairwise(edges)]


def svg_with_label(
    label: str, width: float, height: float, kind: str, parts: SafeString
) -> SafeString:
    """The SVG element of a plot: one group that the keyboard reaches, with a label of its own."""
    return format_html(
        '<svg class="{}" viewBox="0 0 {} {}" role="group" tabindex="0" data-chart=""'
        ' aria-roledescription="{}" aria-label="{}">{}</svg>',
        kind,
        width,
        px(height),
        _("chart"),
        label,
        parts,
    )
