"""
Lines over a scale, drawn as inline SVG: levels that matter ruled across, points that link.

Nothing is told by colour alone: each line has a stroke of its own, a level and a mark have their
words. Links in the picture are for pointers; whoever goes by keys has the table beside it.
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

TALL: Final = 144  # of the field
AXIS: Final = 48  # for the figures beside it
TOP: Final = 32  # for the name of what is measured
LEGEND: Final = 22  # a row of it
FOOT: Final = 44  # for the figures below it and the axis' name
RIGHT: Final = 22
LINE: Final = 16.0  # the height of one
LETTER: Final = 8.0  # the width of one, on average
FIGURE: Final = 9.4  # of each: they are as wide as each other
STROKE: Final = 24  # of a line in the legend
TICKS_MOST: Final = 6
DOTS_MOST: Final = 60  # with more points than that only those near a pointer are seen
THOUSAND: Final = 1000
ALIKE: Final = 1e-9  # of the greater of two values: closer ones are no span
SUPERSCRIPTS: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True)
class Point:
    """
    :param says: what it is, in words, for who rests on it.
    :param href: where its number comes from.
    """

    x: float
    y: float
    says: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    title: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Level:
    """A height that matters, ruled across the field with its words above."""

    y: float
    says: str


@dataclass(frozen=True, slots=True)
class Axis:
    """
    :param powers: values are log10 of what the figures beside the axis say.
    :param ticks: values and what stands at each; none: round numbers.
    """

    title: str = ""
    powers: bool = False
    ticks: tuple[tuple[float, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Plot:
    """
    :param says: what the plot shows in a sentence, for who does not see it.
    :param marks: points that stand out: something happened there.
    """

    says: str
    lines: tuple[Line, ...]
    x: Axis = Axis()
    y: Axis = Axis()
    levels: tuple[Level, ...] = ()
    marks: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from `least` to `most` between two places of the picture, `first` and `last`."""

    least: float
    most: float
    first: float
    last: float

    def __call__(self, value: float) -> float:
        share = (value - self.least) / (self.most - self.least)
        return self.first + share * (self.last - self.first)


def plot(data: Plot) -> SafeString:
    """The lines of a plot. One without a point is an empty field with its levels."""
    named = _named(data.lines)
    top = TOP + (LEGEND * (1 + named[-1][1]) if named else 0)
    base = top + TALL
    points = [point for line in data.lines for point in line.points] + list(data.marks)
    heights = [0.0, *(point.y for point in points), *(level.y for level in data.levels)]
    beside = data.y.ticks or round_ticks(min(heights), max(heights), powers=data.y.powers)
    up = Scale(min(beside[0][0], *heights), beside[-1][0], base, top)
    wide = [point.x for point in points] or [0.0]
    below = data.x.ticks or round_ticks(min(0.0, *wide), max(wide), powers=data.x.powers)
    ends = [*wide, *(value for value, _ in below)]
    along = Scale(min(ends), _above(min(ends), max(ends)), AXIS, WIDTH - RIGHT)
    parts = [
        *(_legend(place, line, *named[place]) for place, line in enumerate(data.lines) if named),
        *_grid(beside, up),
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
    role = "group" if linked else "img"  # an image has nothing in it that could be followed
    return svg(base + FOOT, data.says, parts, role=role)


def round_ticks(least: float, most: float, *, powers: bool) -> tuple[tuple[float, str], ...]:
    """
    Round numbers from below the least to above the most value, at most seven of them; of powers
    from the first above the least.
    """
    most = _above(least, most)
    step = _step(most - least)
    if powers:
        step = max(1, ceil(step))
    # Powers may begin within the field: below the lowest there is no zero to stand on.
    last = ceil(most / step - ALIKE)
    first = min(ceil(least / step - ALIKE), last - 1) if powers else floor(least / step + ALIKE)
    values = [place * step for place in range(first, last + 1)]
    return tuple((value, power(value) if powers else number(value)) for value in values)


def _above(least: float, most: float) -> float:
    """The most value; where it is as good as the least, what makes a scale of them all the same."""
    alike = most - least <= ALIKE * max(1.0, abs(least), abs(most))
    return least + 1 if alike else most


def _step(span: float) -> float:
    unit = 10.0 ** floor(log10(span))
    return next(by * unit for by in (0.2, 0.5, 1, 2, 5) if span / (by * unit) <= TICKS_MOST)


def number(value: float) -> str:
    """As tables have it: in the house's own way."""
    if value == round(value):
        return locales.number(round(value))
    return f"{value:.10g}".replace(".", locales.decimal_mark())  # as many places as it has


def power(value: float) -> str:
    """Ten to this power, as people write it."""
    whole = round(value)
    if 0 <= whole <= log10(THOUSAND):
        return str(10**whole)
    return "10" + str(whole).translate(SUPERSCRIPTS)


def _grid(ticks: Iterable[tuple[float, str]], up: Scale) -> list[SafeString]:
    parts = []
    for value, said in ticks:
        y = up(value)
        parts.append(rule(AXIS, y, WIDTH - RIGHT, y, "plot-rule"))
        parts.append(text(AXIS - 8, y + 4, said, "plot-tick plot-end"))
    return parts


def _feet(ticks: Sequence[tuple[float, str]], along: Scale, base: float) -> list[SafeString]:
    """Figures below the field, those left out for which there is no room."""
    parts, free = [], -1.0
    for value, said in ticks:
        x, half = along(value), FIGURE * len(said) / 2
        middle = min(x, WIDTH - half)
        if middle - half < free:
            continue
        free = middle + half + FIGURE / 2
        parts.append(rule(x, base, x, base + 4, "plot-base"))
        parts.append(text(middle, base + 20, said, "plot-tick plot-mid"))
    return parts


def _levels(levels: Iterable[Level], up: Scale) -> list[SafeString]:
    """Each ruled across; words only where they have room, the highest level's first."""
    parts, free = [], -LINE
    for level in sorted(levels, key=lambda each: -each.y):
        y = up(level.y)
        parts.append(rule(AXIS, y, WIDTH - RIGHT, y, "plot-level"))
        if y - free >= LINE:
            parts.append(text(WIDTH - RIGHT, y - 5, level.says, "plot-tick plot-end"))
            free = y
    return parts


def _line(place: int, line: Line, along: Scale, up: Scale) -> SafeString:
    spots = ((along(point.x), up(point.y)) for point in line.points)
    return through(spots, f"plot-line plot-line-{place}")


def _dots(place: int, line: Line, along: Scale, up: Scale) -> SafeString:
    """What leads from points to where their numbers come from."""
    kind = f"plot-dot plot-dot-{place}" + ("" if len(line.points) <= DOTS_MOST else " plot-faint")
    return joined(
        [
            _linked(point, disc(along(point.x), up(point.y), 2.5, kind))
            for point in line.points
            if point.href or point.says
        ]
    )


def _mark(mark: Point, along: Scale, up: Scale) -> SafeString:
    """A diamond: what stands out."""
    return _linked(mark, diamond(along(mark.x), up(mark.y), "plot-mark"))


def _linked(point: Point, drawn: SafeString) -> SafeString:
    said = format_html("<g><title>{}</title>{}</g>", point.says, drawn) if point.says else drawn
    if not point.href:
        return said
    return format_html('<a href="{}" tabindex="-1">{}</a>', point.href, said)


def _named(lines: Sequence[Line]) -> list[tuple[float, int]]:
    """Where each line's name begins, and in which row of the legend; one line alone needs none."""
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
