"""
Line plots as inline SVG, with horizontal lines for levels that matter, and points that link.

Nothing is shown by colour alone: each line has a stroke of its own, and levels and marks have
words. Links in the plot are for pointers; for people who use the keyboard, the table beside the
plot has them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Final

from django.utils.html import format_html

from casino.languages import locales
from casino.web.plots.shapes import WIDTH, diamond, disc, joined, rule, svg, text, through

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.utils.safestring import SafeString

TALL: Final = 144  # the height of the field
AXIS: Final = 48  # the width for the figures beside the field
TOP: Final = 32  # the height for the name of what is measured
LEGEND: Final = 22  # the height of a row of the legend
FOOT: Final = 44  # the height for the figures below the field and the axis' name
RIGHT: Final = 22
LINE: Final = 16.0  # the height of a line of text
LETTER: Final = 8.0  # the average width of a letter
FIGURE: Final = 9.4  # the width of each digit
STROKE: Final = 24  # the length of a line in the legend
TICKS_MOST: Final = 6
DOTS_MOST: Final = 60  # of more points, only those near the pointer are shown
THOUSAND: Final = 1000
ALIKE: Final = 1e-9  # relative difference up to which two values count as equal
SUPERSCRIPTS: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True)
class Point:
    """
    A point of a line plot.

    :param title: what the point shows, in words, as a tooltip.
    :param href: the address of the page that its number comes from.
    """

    x: float
    y: float
    title: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    title: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Level:
    """A value that matters: a horizontal line across the field, with its words above."""

    y: float
    label: str


@dataclass(frozen=True, slots=True)
class Axis:
    """
    An axis of a line plot.

    :param powers: whether the scale is logarithmic: values are the log10 of the figures shown.
    :param ticks: values and the text at each; empty: round numbers.
    """

    title: str = ""
    powers: bool = False
    ticks: tuple[tuple[float, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Plot:
    """
    The data of a line plot.

    :param label: a sentence that says what the plot shows, for screen readers.
    :param marks: points where something happened, drawn as diamonds.
    """

    label: str
    lines: tuple[Line, ...]
    x: Axis = Axis()
    y: Axis = Axis()
    levels: tuple[Level, ...] = ()
    marks: tuple[Point, ...] = ()


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


def plot(data: Plot) -> SafeString:
    """A line plot as SVG. Without any point it is an empty field with its levels."""
    named = _named(data.lines)
    top = TOP + (LEGEND * (1 + named[-1][1]) if named else 0)
    base = top + TALL
    points = [point for line in data.lines for point in line.points] + list(data.marks)
    heights = [0.0, *(point.y for point in points), *(level.y for level in data.levels)]
    ticks = data.y.ticks or round_ticks(min(heights), max(heights), powers=data.y.powers)
    up = Scale(min(ticks[0][0], *heights), ticks[-1][0], base, top)
    wide = [point.x for point in points] or [0.0]
    below = data.x.ticks or round_ticks(min(0.0, *wide), max(wide), powers=data.x.powers)
    ends = [*wide, *(value for value, _ in below)]
    along = Scale(min(ends), _above(min(ends), max(ends)), AXIS, WIDTH - RIGHT)
    parts = [
        *(_legend(place, line, *named[place]) for place, line in enumerate(data.lines) if named),
        *_grid(ticks, up),
        rule(AXIS, base, WIDTH - RIGHT, base, "plot-base"),
        *_feet(below, along, base),
        *_levels(data.levels, up),
        *(_line(place, line, along, up) for place, line in enumerate(data.lines)),
        *(_dots(place, line, along, up) for place, line in enumerate(data.lines)),
        *(_mark(mark, along, up) for mark in data.marks),
        text(WIDTH - RIGHT, base + 38, data.x.title, "plot-tick plot-end"),
        text(0, top - 18, data.y.title, "plot-tick"),
    ]
    linked = any(point.href for point in points)
    role = "group" if linked else "img"  # role img hides links from screen readers
    return svg(base + FOOT, data.label, parts, role=role)


def round_ticks(least: float, most: float, *, powers: bool) -> tuple[tuple[float, str], ...]:
    """
    Ticks at round numbers from below the least to above the greatest value, at most seven.

    With `powers`, they begin with the first one above the least value.
    """
    most = _above(least, most)
    step = _step(most - least)
    if powers:
        step = max(1, ceil(step))
    # Ticks of powers may begin within the field: a logarithmic scale has no zero at its foot.
    last = ceil(most / step - ALIKE)
    first = min(ceil(least / step - ALIKE), last - 1) if powers else floor(least / step + ALIKE)
    values = [place * step for place in range(first, last + 1)]
    return tuple((value, power(value) if powers else number(value)) for value in values)


def _above(least: float, most: float) -> float:
    """The greatest value; if it equals the least, one more, so that the scale is not empty."""
    alike = most - least <= ALIKE * max(1.0, abs(least), abs(most))
    return least + 1 if alike else most


def _step(span: float) -> float:
    unit = 10.0 ** floor(log10(span))
    return next(by * unit for by in (0.2, 0.5, 1, 2, 5) if span / (by * unit) <= TICKS_MOST)


def number(value: float) -> str:
    """A number as in tables: in the house's locale."""
    if value == round(value):
        return locales.number(round(value))
    return f"{value:.10g}".replace(".", locales.decimal_mark())  # as many places as it has


def power(value: float) -> str:
    """The text for ten to this power: "1" to "1000", else "10" with an exponent."""
    whole = round(value)
    if 0 <= whole <= log10(THOUSAND):
        return str(10**whole)
    return "10" + str(whole).translate(SUPERSCRIPTS)


def _grid(ticks: Iterable[tuple[float, str]], up: Scale) -> list[SafeString]:
    parts = []
    for value, figure in ticks:
        y = up(value)
        parts.append(rule(AXIS, y, WIDTH - RIGHT, y, "plot-rule"))
        parts.append(text(AXIS - 8, y + 4, figure, "plot-tick plot-end"))
    return parts


def _feet(ticks: Sequence[tuple[float, str]], along: Scale, base: float) -> list[SafeString]:
    """The figures below the field, without those for which there is no room."""
    parts, free = [], -1.0
    for value, figure in ticks:
        x, half = along(value), FIGURE * len(figure) / 2
        middle = min(x, WIDTH - half)
        if middle - half < free:
            continue
        free = middle + half + FIGURE / 2
        parts.append(rule(x, base, x, base + 4, "plot-base"))
        parts.append(text(middle, base + 20, figure, "plot-tick plot-mid"))
    return parts


def _levels(levels: Iterable[Level], up: Scale) -> list[SafeString]:
    """The levels as lines; their words only if there is room, from the highest level down."""
    parts, free = [], -LINE
    for level in sorted(levels, key=lambda each: -each.y):
        y = up(level.y)
        parts.append(rule(AXIS, y, WIDTH - RIGHT, y, "plot-level"))
        if y - free >= LINE:
            parts.append(text(WIDTH - RIGHT, y - 5, level.label, "plot-tick plot-end"))
            free = y
    return parts


def _line(place: int, line: Line, along: Scale, up: Scale) -> SafeString:
    spots = ((along(point.x), up(point.y)) for point in line.points)
    return through(spots, f"plot-line plot-line-{place}")


def _dots(place: int, line: Line, along: Scale, up: Scale) -> SafeString:
    """The points of a line that have a link or a tooltip, as dots."""
    kind = f"plot-dot plot-dot-{place}" + ("" if len(line.points) <= DOTS_MOST else " plot-faint")
    return joined(
        [
            _linked(point, disc(along(point.x), up(point.y), 2.5, kind))
            for point in line.points
            if point.href or point.title
        ]
    )


def _mark(mark: Point, along: Scale, up: Scale) -> SafeString:
    """A mark as a diamond."""
    return _linked(mark, diamond(along(mark.x), up(mark.y), "plot-mark"))


def _linked(point: Point, drawn: SafeString) -> SafeString:
    titled = format_html("<g><title>{}</title>{}</g>", point.title, drawn) if point.title else drawn
    if not point.href:
        return titled
    return format_html('<a href="{}" tabindex="-1">{}</a>', point.href, titled)


def _named(lines: Sequence[Line]) -> list[tuple[float, int]]:
    """The place and row of each line's name in the legend; empty for a single line."""
    found: list[tuple[float, int]] = []
    x, row = float(AXIS), 0
    for line in lines if len(lines) > 1 else ():
        wide = STROKE + 6 + LETTER * len(line.title)
        if x > AXIS and x + wide > WIDTH:
            x, row = float(AXIS), row + 1
        found.append((x, row))
        x += wide + 16
    return found


def _legend(place: int, line: Line, x: float, row: int) -> SafeString:
    y = 10 + LEGEND * row
    stroke = through([(x, y), (x + STROKE, y)], f"plot-line plot-line-{place}")
    return joined([stroke, text(x + STROKE + 6, y + 4, line.title, "plot-tick")])
