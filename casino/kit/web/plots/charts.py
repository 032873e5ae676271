"""
Charts: a plot made of axes and shapes, the figures of its spots, and the same figures as a table.

A chart is one stop of the keyboard. Arrow keys go from spot to spot, Home and End to the ends, and
Enter opens what a spot links to; the figures of the spot are said below the plot, in a live region,
as they are under a pointer (js/charts.js). Without a script each spot has its figures as a tooltip.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Final

from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from casino.words.languages import amounts, locales
from casino.words.languages.locales import decimal, number

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


# SVG elements of which plots consist: texts, lines, boxes and points, with CSS classes.


# The width of a plot on a phone, with texts as large as there is room for. On wider screens the
# style sheet makes the texts smaller in relation to the plot, so that all are read at one size.
WIDTH: Final = 400

Spot = tuple[float, float]


def join(parts: Iterable[SafeString]) -> SafeString:
    return format_html_join("", "{}", ((part,) for part in parts))


def text(x: float, y: float, content: str, kind: str) -> SafeString:
    return format_html('<text class="{}" x="{}" y="{}">{}</text>', kind, px(x), px(y), content)


def rule(x1: float, y1: float, x2: float, y2: float, kind: str) -> SafeString:
    return format_html(
        '<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>', kind, *map(px, (x1, y1, x2, y2))
    )


def box(x: float, y: float, width: float, height: float, kind: str) -> SafeString:
    return format_html(
        '<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>',
        kind,
        *map(px, (x, y, width, height)),
    )


def through(spots: Iterable[Spot], kind: str) -> SafeString:
    """A polyline through these spots."""
    path = " ".join(f"{px(x)},{px(y)}" for x, y in spots)
    return format_html('<polyline class="{}" points="{}"/>', kind, path)


def disc(x: float, y: float, radius: float, kind: str) -> SafeString:
    return format_html('<circle class="{}" cx="{}" cy="{}" r="{}"/>', kind, px(x), px(y), radius)


def diamond(x: float, y: float, kind: str) -> SafeString:
    return format_html('<path class="{}" d="M{} {}l5 5-5 5-5-5z"/>', kind, px(x), px(y - 5))


def px(value: float) -> str:
    return f"{value:.1f}"


# Writes figures of any size beside plots, to two or three digits.


MANY: Final = 6  # from a million (10⁶) on, powers of ten are easier to read


def large(value: float) -> str:
    """A figure of any size, to two or three digits: "1.43", "380", "10¹²"."""
    if value >= 10.0**MANY:
        return power(floor(log10(value)))
    return decimal(value, 2) if value < 100 else number(round(value))  # noqa: PLR2004 - digits


# Axes of plots: round ticks, written as the house writes numbers and money.


FIGURE: Final = 9.4  # the width of each digit
TICKS_MOST: Final = 6
THOUSAND: Final = 1000
ALIKE: Final = 1e-9  # relative difference up to which two values count as equal
SUPERSCRIPTS: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

Tick = tuple[float, str]


@dataclass(frozen=True, slots=True)
class Axis:
    """
    An axis of a line plot.

    :param title: what it measures; an axis of money has the currency's sign here, once, and its
        ticks are amounts without it.
    :param powers: whether the scale is logarithmic: values are the log10 of the figures shown.
    :param whole: whether it counts: no tick lies between two whole numbers.
    :param money: whether its values are amounts in the smallest coin.
    :param ticks: values and the text at each; empty: round numbers.
    """

    title: str = ""
    powers: bool = False
    whole: bool = False
    money: bool = False
    ticks: tuple[Tick, ...] = ()

    def ticks_for(self, least: float, most: float) -> tuple[Tick, ...]:
        return self.ticks or round_ticks(
            least, most, powers=self.powers, whole=self.whole or self.money, money=self.money
        )


USUAL: Final = Axis()


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps values from `least` to `most` to coordinates from `first` to `last`."""

    least: float
    most: float
    first: float
    last: float

    def __call__(self, value: float) -> float:
        share = (value - self.least) / (self.most - self.least)
        return self.first + share * (self.last - self.first)


def round_ticks(
    least: float, most: float, *, powers: bool = False, whole: bool = False, money: bool = False
) -> tuple[Tick, ...]:
    """
    Ticks at round numbers from below the least to above the greatest value, at most seven.

    With `powers`, they begin with the first one above the least value.
    """
    most = above(least, most)
    step = step_of(most - least)
    if powers:
        step = max(1, ceil(step))
    if whole:
        step = max(1, step)
    # Ticks of powers may begin within the field: a logarithmic scale has no zero at its foot.
    last = ceil(most / step - ALIKE)
    first = min(ceil(least / step - ALIKE), last - 1) if powers else floor(least / step + ALIKE)
    values = [place * step for place in range(first, last + 1)]
    if money:
        return _amounts(values)
    return tuple((value, power(value) if powers else number_text(value)) for value in values)


def above(least: float, most: float) -> float:
    """The greatest value; if it equals the least, one more, so that the scale is not empty."""
    alike = most - least <= ALIKE * max(1.0, abs(least), abs(most))
    return least + 1 if alike else most


def step_of(span: float) -> float:
    unit = 10.0 ** floor(log10(span))
    return next(by * unit for by in (0.2, 0.5, 1, 2, 5) if span / (by * unit) <= TICKS_MOST)


def _amounts(values: list[float]) -> tuple[Tick, ...]:
    """Ticks of money, all with decimals or all without."""
    coins = amounts.coins()
    even = all(round(value) % 10**coins.digits == 0 for value in values)
    written = coins.short if even else coins.figures
    return tuple((value, written(round(value))) for value in values)


def number_text(value: float) -> str:
    """A number as in tables: in the house's locale."""
    if value == round(value):
        return locales.number(round(value))
    return f"{value:.10g}".replace(".", locales.decimal_mark())  # as many places as it has


def power(value: float) -> str:
    """The text for ten to this power: "1" to "1000", else "10" with an exponent."""
    whole = round(value)
    if 0 <= whole <= log10(THOUSAND):
        return locales.number(10**whole)
    return "10" + str(whole).translate(SUPERSCRIPTS)
