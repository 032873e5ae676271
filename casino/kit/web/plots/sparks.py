"""Sparklines: small plots of how a figure developed, as high as a line of text."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from django.utils.safestring import SafeString

from casino.kit.web.plots.charts import areas, spot, svg_with_label
from casino.kit.web.plots.shapes import Spot, disc, join, through

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

WIDTH: Final = 96
HEIGHT: Final = 24
LEAST: Final = 2  # values of which a line is drawn
EDGE: Final = 3  # room for the dot at the end and for the width of the line


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
    if len(seen) < LEAST:
        return SafeString()
    spots = _spots(values, min(0, *seen) if from_zero else min(seen), max(seen))
    drawn = [_stretch(stretch) for stretch in _stretches(spots)]
    last = next(each for each in reversed(spots) if each is not None)
    there = [(each, words) for each, words in zip(spots, told, strict=True) if each is not None]
    edges = areas([x for (x, _y), _words in there], 0, WIDTH)
    parts = [
        *drawn,
        *(
            spot(words, (left, 0, width, HEIGHT), [disc(x, y, 3, "spark-at")])
            for ((x, y), words), (left, width) in zip(there, edges, strict=True)
        ),
        disc(*last, 2.5, "spark-end"),
    ]
    return svg_with_label(label, WIDTH, HEIGHT, "spark", join(parts))


def _stretch(spots: list[Spot]) -> SafeString:
    """A stretch of the line; a single value between two gaps is a dot."""
    return through(spots, "spark-line") if len(spots) > 1 else disc(*spots[0], 1.5, "spark-dot")


def _spots(values: Sequence[float | None], least: float, most: float) -> list[Spot | None]:
    """The coordinates of each value; a single value lies at the right, equal ones half-way up."""
    step = (WIDTH - 2 * EDGE) / max(len(values) - 1, 1)
    first = WIDTH - EDGE - step * (len(values) - 1)
    span = most - least
    return [
        None
        if value is None
        else (
            first + place * step,
            EDGE + (HEIGHT - 2 * EDGE) * ((most - value) / span if span else 0.5),
        )
        for place, value in enumerate(values)
    ]


def _stretches(spots: Sequence[Spot | None]) -> Iterator[list[Spot]]:
    """The stretches of the line between gaps."""
    for there, run in groupby(spots, key=lambda spot: spot is not None):
        if there:
            yield [spot for spot in run if spot is not None]
