"""
Plots of series over groups as inline SVG: horizontal bars, columns, marks on a logarithmic scale;
and columns of the faces of a die.

Nothing is shown by colour alone: a series has its place in each group and a pattern of its own, and
the table right below the plot has the same figures. A group is one spot of the chart, with its
figures in words. Colours come from the style sheet.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, floor, log10, sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from django.utils.translation import gettext as _

from casino.kit.web.plots.charts import (
    FIGURE,
    WIDTH,
    Table,
    areas,
    box,
    chart,
    diamond,
    disc,
    join,
    number_text,
    round_ticks,
    rule,
    spot,
    svg_with_label,
    text,
)
from casino.words.languages import locales

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.utils.safestring import SafeString

LETTER: Final = 7.2  # the average width of a letter at the largest font size
DIGIT: Final = 8.3  # digits are wider than letters are
BAR: Final = 14
GAP: Final = 10
LEGEND: Final = 28  # the height of a legend of one row
LEGEND_ROW: Final = 22
SIGN: Final = 18  # the width of the sign before a name in the legend
TALL: Final = 220  # the height of the field of columns
AXIS: Final = 52  # the width for the figures of the axis beside the columns
FOOT: Final = 24
ROW: Final = 20
FIGURED: Final = 58  # with this much room, the columns of a single series have figures above
UNSEEN: Final = 400  # a column so many times lower than the highest is invisible
DIAMOND: Final = 2  # the index of the third series of marks, which are diamonds
DECADES: Final = (-4, -3, -2, -1, 0)  # the powers of ten of the scale of marks: 0.01 % to 100 %


@dataclass(frozen=True, slots=True)
class Series:
    """
    A series of a plot.

    :param figures: each value as people read it; "" for no value.
    """

    title: str
    values: tuple[float, ...]
    figures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Data:
    """The data of a plot: the names of the groups, and series with one value for each group."""

    title: str
    by: str
    names: tuple[str, ...]
    series: tuple[Series, ...]

    @property
    def seen(self) -> Data:
        """The data without the groups at the end whose columns would be invisible."""
        visible = [
            place
            for place in range(len(self.names))
            if any(each.values[place] * UNSEEN >= self.most for each in self.series)
        ]
        last = visible[-1] + 1 if visible else 1
        series = tuple(
            replace(each, values=each.values[:last], figures=each.figures[:last])
            for each in self.series
        )
        return replace(self, names=self.names[:last], series=series)

    def in_words(self, place: int) -> str:
        """The figures of a group, in words; the name of a single series need not be said."""
        said = [
            f"{each.title} {each.figures[place]}" if len(self.series) > 1 else each.figures[place]
            for each in self.series
            if each.figures[place]
        ]
        return f"{self.by} {self.names[place]}: {', '.join(said)}"

    @property
    def label(self) -> float:
        """The width that the names on the left need."""
        return max(48.0, 16 + LETTER * max(map(len, self.names)))

    @property
    def figure(self) -> float:
        """The width that the longest figure after a bar needs."""
        return 8 + DIGIT * max(len(each) for series in self.series for each in series.figures)

    @property
    def most(self) -> float:
        return max((value for each in self.series for value in each.values), default=0) or 1


def bars(data: Data) -> SafeString:
    """A plot of horizontal bars: a row for each group, with a bar and figure for each series."""
    legend = _legend(data, 0) if len(data.series) > 1 else None
    top = legend.height if legend else 0
    group = len(data.series) * (BAR + 2) + GAP
    height = top + group * len(data.names)
    left = data.label
    scale = (WIDTH - left - data.figure) / data.most
    parts = [legend.drawn] if legend else []
    for place, name in enumerate(data.names):
        y = top + place * group
        middle = y + (group - GAP) / 2
        drawn = [text(left - 12, middle + 4, name, "plot-name plot-end")]
        for many, series in enumerate(data.series):
            if not series.figures[place]:
                continue
            width = max(series.values[place] * scale, 0.5)
            bar = y + many * (BAR + 2)
            drawn.append(_rect(many, left, bar, width, BAR))
            drawn.append(text(left + width + 6, bar + BAR - 3, series.figures[place], "plot-fig"))
        parts.append(spot(data.in_words(place), (0, max(y - GAP / 2, 0), WIDTH, group), drawn))
    parts.append(rule(left, top - 4, left, height - GAP + 4, "plot-base"))
    return _svg(data, height, parts)


def columns(data: Data) -> SafeString:
    """A plot of columns: groups from left to right; few columns have their figures above."""
    data = data.seen
    legend = _legend(data, 0) if len(data.series) > 1 else None
    top = legend.height if legend else 12
    step = _step(data.most)
    ceiling = step * (floor(data.most / step - 1e-9) + 1)
    scale = (TALL - 16) / ceiling
    base, wide = top + TALL, (WIDTH - AXIS) / len(data.names)
    parts = [legend.drawn] if legend else []
    every = ceil((LETTER * max(map(len, data.names)) + 4) / wide)  # every so many names have room
    for tick in range(round(ceiling / step) + 1):
        y = base - tick * step * scale
        parts.append(rule(AXIS, y, WIDTH, y, "plot-base" if tick == 0 else "plot-rule"))
        parts.append(text(AXIS - 8, y + 4, _per_cent(tick * step), "plot-tick plot-end"))
    middles = [AXIS + (place + 0.5) * wide for place in range(len(data.names))]
    edges = areas(middles, AXIS, WIDTH)
    column = min((wide - 4) / len(data.series), 48)
    for place, name in enumerate(data.names):
        middle, drawn = middles[place], []
        if place % every == 0:
            parts.append(text(middle, base + 18, name, "plot-name plot-mid"))
        for many, series in enumerate(data.series):
            high = series.values[place] * scale
            x = middle + (many - len(data.series) / 2) * column
            drawn.append(_rect(many, x, base - high, max(column - 2, 1), high))
            if wide >= FIGURED and len(data.series) == 1 and high >= 1:
                at = x + column / 2 - 1
                drawn.append(text(at, base - high - 5, series.figures[place], "plot-fig plot-mid"))
        parts.append(
            spot(data.in_words(place), (edges[place][0], top, edges[place][1], TALL), drawn)
        )
    parts.append(text(WIDTH, base + 18 + FOOT - 4, data.by, "plot-tick plot-end"))
    return _svg(data, base + FOOT + 20, parts)


def marks(data: Data) -> SafeString:
    """A plot of marks: a row for each group, with a point for each series on a log scale."""
    legend = _legend(data, 0, points=True)
    height = legend.height + 20 + ROW * len(data.names) + FOOT
    left = data.label + 10
    decade = (WIDTH - left - 24) / (len(DECADES) - 1)
    top, base = legend.height + 12, height - FOOT
    every = 1 if decade >= LETTER * len("0.01 %") else 2
    parts = [legend.drawn]
    for place, power in enumerate(DECADES):
        x = left + place * decade
        parts.append(rule(x, top, x, base, "plot-rule"))
        if place % every == 0:
            parts.append(text(x, base + 18, _per_cent(10.0**power), "plot-tick plot-mid"))
    for place, name in enumerate(data.names):
        y = top + ROW * (place + 0.5) + 4
        drawn = [text(left - 14, y + 4, name, "plot-name plot-end")]
        at = [left + (log10(each.values[place]) - DECADES[0]) * decade for each in data.series]
        drawn.append(rule(min(at), y, max(at), y, "plot-span"))
        drawn += [_point(many, x, y) for many, x in reversed(list(enumerate(at)))]
        parts.append(spot(data.in_words(place), (0, y - ROW / 2, WIDTH, ROW), drawn))
    return _svg(data, height, parts)


def _per_cent(share: float) -> str:
    """The text of a tick, with as many decimals as it has: "0.5 %"."""
    return f"{share * 100:g} %".replace(".", locales.decimal_mark())


def _step(most: float) -> float:
    """A round step between ticks of the axis, so that there are at most six steps."""
    power = 10.0 ** floor(log10(most))
    return next(by * power for by in (0.1, 0.2, 0.5, 1, 2, 5) if most / (by * power) <= 6)  # noqa: PLR2004


class _Legend(NamedTuple):
    drawn: SafeString
    height: float


def _legend(data: Data, left: float, *, points: bool = False) -> _Legend:
    """The legend: the names of the series, in as many rows as they need."""
    x, y, parts = left, 10, []
    for many, series in enumerate(data.series):
        wide = SIGN + LETTER * len(series.title)
        if x > left and x + wide > WIDTH:
            x, y = left, y + LEGEND_ROW
        parts.append(_point(many, x + 6, y) if points else _rect(many, x, y - 6, 12, 12))
        parts.append(text(x + SIGN, y + 4, series.title, "plot-tick"))
        x += wide + 16
    return _Legend(join(parts), y + LEGEND - 10)


def _point(many: int, x: float, y: float) -> SafeString:
    """The mark of a series: a disc, a ring or a diamond."""
    kind = f"plot-{many}"
    return diamond(x, y, kind) if many == DIAMOND else disc(x, y, 4.5, kind)


def _rect(many: int, x: float, y: float, width: float, height: float) -> SafeString:
    """The bar or column of a series; every other series is an outline, drawn inside its box."""
    inset = 0.75 if many % 2 else 0
    inner = max(width - 2 * inset, 0), max(height - 2 * inset, 0)
    return box(x + inset, y + inset, *inner, f"plot-{many}")


def _svg(data: Data, height: float, parts: list[SafeString]) -> SafeString:
    label = _("%(title)s: %(series)s, by %(by)s") % {
        "title": data.title,
        "series": ", ".join(each.title for each in data.series),
        "by": data.by.lower(),
    }
    return chart(svg_with_label(label, WIDTH, height, "plot plot-narrow", join(parts)))


# A column plot of how often each face of a die fell, compared with a fair die, as SVG.


FACES_TALL: Final = 168
FACES_AXIS: Final = 52
FACES_TOP: Final = 20
FACES_FOOT: Final = 44
FACES_RIGHT: Final = 8
WIDEST: Final = 40  # the greatest width of a column
BAND: Final = 1.96  # standard deviations: with fair dice, 19 of 20 counts lie within the band


def faces(
    counts: Sequence[int], label: str, *, axis: str, told: Sequence[str], table: Table
) -> SafeString:
    """
    A chart with a column for each face, and a line and a band for what a fair die would have shown.

    :param counts: how often each face fell, face 1 first.
    :param label: a sentence that says what the plot shows, for screen readers.
    :param axis: the title of the axis below.
    :param told: the figures of each face, in words. :param table: the same as a table.
    """
    throws, sides = sum(counts), len(counts)
    due = throws / sides
    half = BAND * sqrt(due * (1 - 1 / sides))
    ticks = round_ticks(0, max(*counts, due + half, 4), whole=True)
    base, most = FACES_TOP + FACES_TALL, ticks[-1][0]
    wide = (WIDTH - FACES_AXIS - FACES_RIGHT) / sides
    column = min(wide * 0.8, WIDEST)
    figured = FIGURE * len(number_text(max(counts))) <= wide  # else only the table has them
    numbered = ceil(FIGURE * len(str(sides)) / wide)  # every so many columns have a number
    middles = [FACES_AXIS + (place + 0.5) * wide for place in range(sides)]
    heights = [many / most * FACES_TALL for many in counts]
    across = base - due / most * FACES_TALL
    parts = [
        *(_tick(base - value / most * FACES_TALL, figure) for value, figure in ticks),
        _band(
            base - min(due + half, most) / most * FACES_TALL,
            base - max(due - half, 0) / most * FACES_TALL,
        ),
        *(
            spot(words, (left, FACES_TOP, width, FACES_TALL), [_column(middle, column, base, high)])
            for middle, high, words, (left, width) in zip(
                middles, heights, told, areas(middles, FACES_AXIS, WIDTH - FACES_RIGHT), strict=True
            )
        ),
        rule(FACES_AXIS, across, WIDTH - FACES_RIGHT, across, "plot-due"),
        *(
            text(middle, base - high - 5, number_text(many), "plot-fig plot-mid")
            for middle, high, many in zip(middles, heights, counts, strict=True)
            if figured
        ),
        *(
            text(middle, base + 18, str(face), "plot-name plot-mid")
            for face, middle in enumerate(middles, start=1)
            if (face - 1) % numbered == 0
        ),
        text(WIDTH - FACES_RIGHT, base + 38, axis, "plot-tick plot-end"),
    ]  # fmt: skip
    plot = svg_with_label(label, WIDTH, base + FACES_FOOT, "plot plot-narrow", join(parts))
    return chart(plot, table, name="faces")


def _tick(y: float, figure: str) -> SafeString:
    return join(
        [
            rule(FACES_AXIS, y, WIDTH - FACES_RIGHT, y, "plot-rule"),
            text(FACES_AXIS - 8, y + 4, figure, "plot-tick plot-end"),
        ]
    )


def _band(top: float, foot: float) -> SafeString:
    return box(FACES_AXIS, top, WIDTH - FACES_RIGHT - FACES_AXIS, max(foot - top, 1), "plot-band")


def _column(middle: float, wide: float, base: float, high: float) -> SafeString:
    return box(middle - wide / 2, base - high, wide, high, "plot-face")
