"""A column plot of how often each face of a die fell, compared with a fair die, as SVG."""

from __future__ import annotations

from math import ceil, sqrt
from typing import TYPE_CHECKING, Final

from casino.kit.web.plots.axes import FIGURE, number, round_ticks
from casino.kit.web.plots.charts import Table, areas, chart, spot, svg_with_label
from casino.kit.web.plots.shapes import WIDTH, box, join, rule, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.utils.safestring import SafeString

TALL: Final = 168
AXIS: Final = 52
TOP: Final = 20
FOOT: Final = 44
RIGHT: Final = 8
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
    base, most = TOP + TALL, ticks[-1][0]
    wide = (WIDTH - AXIS - RIGHT) / sides
    column = min(wide * 0.8, WIDEST)
    figured = FIGURE * len(number(max(counts))) <= wide  # else only the table has them
    numbered = ceil(FIGURE * len(str(sides)) / wide)  # every so many columns have a number
    middles = [AXIS + (place + 0.5) * wide for place in range(sides)]
    heights = [many / most * TALL for many in counts]
    across = base - due / most * TALL
    parts = [
        *(_tick(base - value / most * TALL, figure) for value, figure in ticks),
        _band(base - min(due + half, most) / most * TALL, base - max(due - half, 0) / most * TALL),
        *(
            spot(words, (left, TOP, width, TALL), [_column(middle, column, base, high)])
            for middle, high, words, (left, width) in zip(
                middles, heights, told, areas(middles, AXIS, WIDTH - RIGHT), strict=True
            )
        ),
        rule(AXIS, across, WIDTH - RIGHT, across, "plot-due"),
        *(
            text(middle, base - high - 5, number(many), "plot-fig plot-mid")
            for middle, high, many in zip(middles, heights, counts, strict=True)
            if figured
        ),
        *(
            text(middle, base + 18, str(face), "plot-name plot-mid")
            for face, middle in enumerate(middles, start=1)
            if (face - 1) % numbered == 0
        ),
        text(WIDTH - RIGHT, base + 38, axis, "plot-tick plot-end"),
    ]  # fmt: skip
    plot = svg_with_label(label, WIDTH, base + FOOT, "plot plot-narrow", join(parts))
    return chart(plot, table, name="faces")


def _tick(y: float, figure: str) -> SafeString:
    return join(
        [
            rule(AXIS, y, WIDTH - RIGHT, y, "plot-rule"),
            text(AXIS - 8, y + 4, figure, "plot-tick plot-end"),
        ]
    )


def _band(top: float, foot: float) -> SafeString:
    return box(AXIS, top, WIDTH - RIGHT - AXIS, max(foot - top, 1), "plot-band")


def _column(middle: float, wide: float, base: float, high: float) -> SafeString:
    return box(middle - wide / 2, base - high, wide, high, "plot-face")
