"""
Plots of odds, drawn here as inline SVG: bars that lie, columns that stand, marks on a scale.

Nothing is told by colour alone: a series has its place in each group and a pattern of its own, and
the table beside the plot says the same in figures. Colours come from the style sheet.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Final, NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from casino.presenters.odds.answers import per_cent

if TYPE_CHECKING:
    from casino.presenters.odds.answers import Cell, Column, Table

WIDTH: Final = 400
LETTER: Final = 7.2  # the width of one, on average, where words are largest
BAR: Final = 14
GAP: Final = 10
LEGEND: Final = 28  # what a legend of one row takes
LEGEND_ROW: Final = 22
SIGN: Final = 18  # what stands before a name in it
TALL: Final = 220  # of the columns
AXIS: Final = 52  # for the figures of the axis beside them
FOOT: Final = 24
ROW: Final = 20
FIGURED: Final = 58  # a column with this much room and alone has its figure above, if it is seen
UNSEEN: Final = 400  # a column so many times lower than the highest is not to be seen
DIAMOND: Final = 2  # the third series of marks
DECADES: Final = (-4, -3, -2, -1, 0)  # of the scale of marks: 0.01 % to 100 %


@dataclass(frozen=True, slots=True)
class Series:
    title: str
    values: tuple[float, ...]
    exact: tuple[Fraction | None, ...]
    is_chance: bool


@dataclass(frozen=True, slots=True)
class Data:
    """What a plot shows: a name for each group, and the series with one value in each."""

    title: str
    by: str
    names: tuple[str, ...]
    series: tuple[Series, ...]

    @property
    def seen(self) -> Data:
        """Without the last groups, of which nothing could be seen."""
        visible = [
            place
            for place in range(len(self.names))
            if any(each.values[place] * UNSEEN >= self.most for each in self.series)
        ]
        last = visible[-1] + 1 if visible else 1
        series = tuple(
            replace(each, values=each.values[:last], exact=each.exact[:last])
            for each in self.series
        )
        return replace(self, names=self.names[:last], series=series)

    @property
    def label(self) -> float:
        """The room that names on the left need."""
        return max(48.0, 16 + LETTER * max(map(len, self.names)))

    @property
    def figure(self) -> float:
        """The room that the longest figure behind a bar needs."""
        written = [
            _figure(series, place) for series in self.series for place in range(len(self.names))
        ]
        return 8 + LETTER * max(map(len, written))

    @property
    def most(self) -> float:
        return max((value for each in self.series for value in each.values), default=0) or 1


def plot(table: Table) -> SafeString:
    """The plot of a table; nothing for one that has none."""
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
        names=tuple(_name(each) for each in table.column(query.by)),
        series=tuple(_series(columns_[name], table.column(name)) for name in query.of),
    )


def _name(cell: Cell) -> str:
    return "-".join(map(str, cell)) if isinstance(cell, tuple) else str(cell).replace("_", " ")


def _series(column: Column, cells: list[Cell]) -> Series:
    exact = tuple(cell if isinstance(cell, Fraction) else None for cell in cells)
    values = tuple(float(each or 0) for each in exact)
    return Series(column.title, values, exact, is_chance=column.kind != "mean")


def bars(data: Data) -> SafeString:
    """One group for each row, its series below each other, each with its figure."""
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
        parts.append(_text(left - 12, middle + 4, name, "plot-name plot-end"))
        for many, series in enumerate(data.series):
            if series.exact[place] is None:
                continue
            width = max(series.values[place] * scale, 0.5)
            bar = y + many * (BAR + 2)
            parts.append(_rect(many, left, bar, width, BAR))
            parts.append(_text(left + width + 6, bar + BAR - 3, _figure(series, place), "plot-fig"))
    parts.append(_line(left, top - 4, left, height - GAP + 4, "plot-base"))
    return _svg(data, height, parts)


def columns(data: Data) -> SafeString:
    """Numbers in order from left to right; where there are few, each with its figure above."""
    data = data.seen
    legend = _legend(data, 0) if len(data.series) > 1 else None
    top = legend.height if legend else 12
    step = _step(data.most)
    ceiling = step * (floor(data.most / step - 1e-9) + 1)
    scale = (TALL - 16) / ceiling
    base, wide = top + TALL, (WIDTH - AXIS) / len(data.names)
    parts = [legend.drawn] if legend else []
    every = ceil((LETTER * max(map(len, data.names)) + 4) / wide)  # so far apart names have room
    for tick in range(round(ceiling / step) + 1):
        y = base - tick * step * scale
        parts.append(_line(AXIS, y, WIDTH, y, "plot-base" if tick == 0 else "plot-rule"))
        parts.append(_text(AXIS - 8, y + 4, f"{tick * step * 100:g} %", "plot-tick plot-end"))
    column = min((wide - 4) / len(data.series), 48)
    for place, name in enumerate(data.names):
        middle = AXIS + (place + 0.5) * wide
        if place % every == 0:
            parts.append(_text(middle, base + 18, name, "plot-name plot-mid"))
        for many, series in enumerate(data.series):
            high = series.values[place] * scale
            x = middle + (many - len(data.series) / 2) * column
            parts.append(_rect(many, x, base - high, max(column - 2, 1), high))
            if wide >= FIGURED and len(data.series) == 1 and high >= 1:
                at = x + column / 2 - 1
                parts.append(
                    _text(at, base - high - 5, _figure(series, place), "plot-fig plot-mid")
                )
    parts.append(_text(WIDTH, base + 18 + FOOT - 4, data.by, "plot-tick plot-end"))
    return _svg(data, base + FOOT + 20, parts)


def marks(data: Data) -> SafeString:
    """A line for each row, and points on it, on a scale of powers of ten."""
    legend = _legend(data, 0, points=True)
    height = legend.height + 20 + ROW * len(data.names) + FOOT
    left = data.label + 10
    decade = (WIDTH - left - 24) / (len(DECADES) - 1)
    top, base = legend.height + 12, height - FOOT
    every = 1 if decade >= LETTER * len("0.01 %") else 2
    parts = [legend.drawn]
    for place, power in enumerate(DECADES):
        x = left + place * decade
        parts.append(_line(x, top, x, base, "plot-rule"))
        if place % every == 0:
            parts.append(_text(x, base + 18, f"{10.0**power * 100:g} %", "plot-tick plot-mid"))
    for place, name in enumerate(data.names):
        y = top + ROW * (place + 0.5) + 4
        parts.append(_text(left - 14, y + 4, name, "plot-name plot-end"))
        at = [left + (log10(each.values[place]) - DECADES[0]) * decade for each in data.series]
        parts.append(_line(min(at), y, max(at), y, "plot-span"))
        parts += [_point(many, x, y) for many, x in reversed(list(enumerate(at)))]
    return _svg(data, height, parts)


def _step(most: float) -> float:
    """A round step of the axis: at most six of them."""
    power = 10.0 ** floor(log10(most))
    return next(by * power for by in (0.1, 0.2, 0.5, 1, 2, 5) if most / (by * power) <= 6)  # noqa: PLR2004


def _figure(series: Series, place: int) -> str:
    exact = series.exact[place]
    if exact is None:
        return ""
    return per_cent(exact) if series.is_chance else f"{float(exact):.3f}"


class _Legend(NamedTuple):
    drawn: SafeString
    height: float


def _legend(data: Data, left: float, *, points: bool = False) -> _Legend:
    """The names of the series, in as many rows as they take."""
    x, y, parts = left, 10, []
    for many, series in enumerate(data.series):
        wide = SIGN + LETTER * len(series.title)
        if x > left and x + wide > WIDTH:
            x, y = left, y + LEGEND_ROW
        parts.append(_point(many, x + 6, y) if points else _rect(many, x, y - 6, 12, 12))
        parts.append(_text(x + SIGN, y + 4, series.title, "plot-tick"))
        x += wide + 16
    return _Legend(format_html_join("", "{}", ((part,) for part in parts)), y + LEGEND - 10)


def _point(many: int, x: float, y: float) -> SafeString:
    """A disc, a ring, a diamond."""
    if many == DIAMOND:
        return format_html('<path class="plot-2" d="M{} {}l5 5-5 5-5-5z"/>', _px(x), _px(y - 5))
    return format_html('<circle class="plot-{}" cx="{}" cy="{}" r="4.5"/>', many, _px(x), _px(y))


def _rect(many: int, x: float, y: float, width: float, height: float) -> SafeString:
    """Every other series is drawn as an outline, whose line lies inside."""
    inset = 0.75 if many % 2 else 0
    return format_html(
        '<rect class="plot-{}" x="{}" y="{}" width="{}" height="{}"/>',
        many,
        _px(x + inset),
        _px(y + inset),
        _px(max(width - 2 * inset, 0)),
        _px(max(height - 2 * inset, 0)),
    )


def _text(x: float, y: float, text: str, kind: str) -> SafeString:
    return format_html('<text class="{}" x="{}" y="{}">{}</text>', kind, _px(x), _px(y), text)


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> SafeString:
    return format_html(
        '<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>', kind, *map(_px, (x1, y1, x2, y2))
    )


def _svg(data: Data, height: float, parts: list[SafeString]) -> SafeString:
    series = ", ".join(each.title for each in data.series)
    return format_html(
        '<svg class="plot plot-narrow" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>',
        WIDTH,
        _px(height),
        f"{data.title}: {series}, by {data.by.lower()}. The figures stand in the table.",
        format_html_join("", "{}", ((part,) for part in parts)),
    )


def _px(value: float) -> str:
    return f"{value:.1f}"
