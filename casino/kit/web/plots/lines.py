"""
Line plots as inline SVG, with lines for levels that matter and points that link; and sparklines.

Nothing is shown by colour alone: each line has a stroke of its own, and levels and marks have
words. What lies above each other is one spot of the chart, with its figures in words.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from casino.kit.web.plots.charts import (
    FIGURE,
    USUAL,
    WIDTH,
    Axis,
    Scale,
    Spot,
    Table,
    above,
    areas,
    chart,
    diamond,
    disc,
    guide,
    join,
    rule,
    spot,
    svg_with_label,
    text,
    through,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

TALL: Final = 144  # the height of the field
AXIS: Final = 48  # the least width for the figures beside the field
TOP: Final = 32  # the height for the name of what is measured
LEGEND: Final = 22  # the height of a row of the legend
FOOT: Final = 26  # the height for the figures below the field
NAME: Final = 18  # the height for the axis' name below them
RIGHT: Final = 22
LINE: Final = 16.0  # the height of a line of text
LETTER: Final = 8.0  # the average width of a letter
STROKE: Final = 24  # the length of a line in the legend
DOTS_MOST: Final = 60  # of more points, only those that are looked at are shown


@dataclass(frozen=True, slots=True)
class Point:
    """
    A point of a line plot.

    :param told: what the point shows, in words.
    :param href: the address of the page that its number comes from.
    """

    x: float
    y: float
    told: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """
    A line of a plot.

    :param dotted: whether its points are seen at all times, not only while one looks at them.
    """

    title: str
    points: tuple[Point, ...]
    dotted: bool = True


@dataclass(frozen=True, slots=True)
class Level:
    """A value that matters: a horizontal line across the field, with its words above."""

    y: float
    label: str


@dataclass(frozen=True, slots=True)
class Plot:
    """
    The data of a line plot.

    :param label: a sentence that says what the plot shows, for screen readers.
    :param marks: points where something happened, drawn as diamonds.
    :param table: the figures of the points. :param name: as in `charts.chart`.
    """

    label: str
    lines: tuple[Line, ...]
    x: Axis = USUAL
    y: Axis = USUAL
    levels: tuple[Level, ...] = ()
    marks: tuple[Point, ...] = ()
    table: Table | None = None
    name: str = ""


def plot(data: Plot) -> SafeString:
    """A line plot as a chart. Without any point it is an empty field with its levels."""
    named = _place_names(data.lines)
    top = TOP + (LEGEND * (1 + named[-1][1]) if named else 0)
    base = top + TALL
    points = [point for line in data.lines for point in line.points] + list(data.marks)
    heights = [0.0, *(point.y for point in points), *(level.y for level in data.levels)]
    ticks = data.y.ticks_for(min(heights), max(heights))
    up = Scale(min(ticks[0][0], *heights), ticks[-1][0], base, top)
    wide = [point.x for point in points] or [0.0]
    below = data.x.ticks_for(min(0.0, *wide), max(wide))
    ends = [*wide, *(value for value, _figure in below)]
    left = max(AXIS, 10 + FIGURE * max(len(figure) for _value, figure in ticks))
    along = Scale(min(ends), above(min(ends), max(ends)), left, WIDTH - RIGHT)
    parts = [
        *(_legend(place, line, *named[place]) for place, line in enumerate(data.lines) if named),
        *_grid(ticks, up, left),
        rule(left, base, WIDTH - RIGHT, base, "plot-base"),
        *_feet(below, along, base),
        *_levels(data.levels, up, left),
        *(_line(place, line, along, up) for place, line in enumerate(data.lines)),
        *_spots(data, along, up, (top, base)),
        *(_figure(point, along, up) for point in points if len(points) == 1),
        text(WIDTH - RIGHT, base + 38, data.x.title, "plot-tick plot-end"),
        text(0, top - 18, data.y.title, "plot-tick"),
    ]
    height = base + FOOT + (NAME if data.x.title else 0)
    drawn = svg_with_label(data.label, WIDTH, height, "plot plot-narrow", join(parts))
    return chart(drawn, data.table, name=data.name, sentence=_single(points))


def _figure(point: Point, along: Scale, up: Scale) -> SafeString:
    """The figure beside a point that has no line."""
    x = along(point.x)
    at_right = x > (along.first + along.last) / 2
    place, kind = (x - 8, "plot-fig plot-end") if at_right else (x + 8, "plot-fig")
    return text(place, up(point.y) - 6, point.told, kind)


def _single(points: Sequence[Point]) -> str:
    """The sentence for a plot of one point, which is no line."""
    if len(points) != 1:
        return ""
    return _("One point so far: %(told)s. A line begins with the second.") % {
        "told": points[0].told
    }


def _grid(ticks: Iterable[tuple[float, str]], up: Scale, left: float) -> list[SafeString]:
    parts = []
    for value, figure in ticks:
        y = up(value)
        parts.append(rule(left, y, WIDTH - RIGHT, y, "plot-rule"))
        parts.append(text(left - 8, y + 4, figure, "plot-tick plot-end"))
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


def _levels(levels: Iterable[Level], up: Scale, left: float) -> list[SafeString]:
    """The levels as lines; their words only if there is room, from the highest level down."""
    parts, free = [], -LINE
    for level in sorted(levels, key=lambda each: -each.y):
        y = up(level.y)
        parts.append(rule(left, y, WIDTH - RIGHT, y, "plot-level"))
        if y - free >= LINE:
            parts.append(text(WIDTH - RIGHT, y - 5, level.label, "plot-tick plot-end"))
            free = y
    return parts


def _line(place: int, line: Line, along: Scale, up: Scale) -> SafeString:
    if len(line.points) == 1:
        return SafeString()  # a point, which its spot shows
    spots = ((along(point.x), up(point.y)) for point in line.points)
    return through(spots, f"plot-line plot-line-{place}")


def _spots(data: Plot, along: Scale, up: Scale, field: tuple[float, float]) -> list[SafeString]:
    """What lies above each other as one spot, from left to right: points of lines, and marks."""
    at: dict[float, list[tuple[str, SafeString, str]]] = {}
    for place, line in enumerate(data.lines):
        faint = len(line.points) > DOTS_MOST or not line.dotted
        for point in line.points:
            drawn = _dot(place, point, along, up, faint=faint and len(line.points) > 1)
            at.setdefault(point.x, []).append((point.told, drawn, point.href))
    for mark in data.marks:
        drawn = diamond(along(mark.x), up(mark.y), "plot-mark")
        at.setdefault(mark.x, []).append((mark.told, drawn, mark.href))
    top, base = field
    places = sorted(at)
    middles = [along(place) for place in places]
    edges = areas(middles, along.first, along.last)
    return [
        _spot(at[place], guide(middle, top, base), (left, top, width, base - top))
        for place, middle, (left, width) in zip(places, middles, edges, strict=True)
    ]


def _spot(
    lying: Sequence[tuple[str, SafeString, str]],
    line: SafeString,
    area: tuple[float, float, float, float],
) -> SafeString:
    told = "; ".join(dict.fromkeys(words for words, _drawn, _href in lying if words))
    href = next((href for _words, _drawn, href in reversed(lying) if href), "")
    return spot(told, area, [line, *(drawn for _words, drawn, _href in lying)], href)


def _dot(place: int, point: Point, along: Scale, up: Scale, *, faint: bool) -> SafeString:
    kind = f"plot-dot plot-dot-{place}" + (" plot-faint" if faint else "")
    return disc(along(point.x), up(point.y), 2.5, kind)


def _place_names(lines: Sequence[Line]) -> list[tuple[float, int]]:
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
    return join([stroke, text(x + STROKE + 6, y + 4, line.title, "plot-tick")])


# Sparklines: small plots of how a figure developed, as high as a line of text.


SPARK_WIDTH: Final = 96
SPARK_HEIGHT: Final = 24
SPARK_LEAST: Final = 2  # values of which a line is drawn
SPARK_EDGE: Final = 3  # room for the dot at the end and for the width of the line


def spark(
    values: Sequence[float | None], label: str, told: Sequence[str], *, from_zero: bool = False
) -> SafeString:
    """
    A line through the values in order, with a dot at the last one.

    :param values: None leaves a gap. With fewer than two values nothing is drawn: a point is no
        line.
    :param label: what it shows, for screen readers.
    :param told: each value in words.
    :param from_zero: whether the bottom of the plot is zero; else it is the least value.
    """
    seen = [value for value in values if value is not None]
    if len(seen) < SPARK_LEAST:
        return SafeString()
    spots = _spots_of_spark(values, min(0, *seen) if from_zero else min(seen), max(seen))
    drawn = [_stretch(stretch) for stretch in _stretches(spots)]
    last = next(each for each in reversed(spots) if each is not None)
    there = [(each, words) for each, words in zip(spots, told, strict=True) if each is not None]
    edges = areas([x for (x, _y), _words in there], 0, SPARK_WIDTH)
    parts = [
        *drawn,
        *(
            spot(words, (left, 0, width, SPARK_HEIGHT), [disc(x, y, 3, "spark-at")])
            for ((x, y), words), (left, width) in zip(there, edges, strict=True)
        ),
        disc(*last, 2.5, "spark-end"),
    ]
    return svg_with_label(label, SPARK_WIDTH, SPARK_HEIGHT, "spark", join(parts))


def _stretch(spots: list[Spot]) -> SafeString:
    """A stretch of the line; a single value between two gaps is a dot."""
    return through(spots, "spark-line") if len(spots) > 1 else disc(*spots[0], 1.5, "spark-dot")


def _spots_of_spark(values: Sequence[float | None], least: float, most: float) -> list[Spot | None]:
    """The coordinates of each value; a single value lies at the right, equal ones half-way up."""
    step = (SPARK_WIDTH - 2 * SPARK_EDGE) / max(len(values) - 1, 1)
    first = SPARK_WIDTH - SPARK_EDGE - step * (len(values) - 1)
    span = most - least
    return [
        None
        if value is None
        else (
            first + place * step,
            SPARK_EDGE + (SPARK_HEIGHT - 2 * SPARK_EDGE) * ((most - value) / span if span else 0.5),
        )
        for place, value in enumerate(values)
    ]


def _stretches(spots: Sequence[Spot | None]) -> Iterator[list[Spot]]:
    """The stretches of the line between gaps."""
    for there, run in groupby(spots, key=lambda spot: spot is not None):
        if there:
            yield [spot for spot in run if spot is not None]
