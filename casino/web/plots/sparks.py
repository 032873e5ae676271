"""Sparklines: small plots of how a figure developed, as high as a line of text."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from django.utils.html import format_html
from django.utils.safestring import SafeString

from casino.web.plots.shapes import Spot, disc, joined, through

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

WIDTH: Final = 96
HEIGHT: Final = 24
EDGE: Final = 3  # room for the dot at the end and for the width of the line


def spark(values: Sequence[float | None], label: str, *, from_zero: bool = False) -> SafeString:
    """
    A line through the values in order, with a dot at the last one.

    :param values: None leaves a gap. Without any value, nothing is drawn.
    :param label: the same in words, for screen readers.
    :param from_zero: whether the bottom of the plot is zero; else it is the least value.
    """
    seen = [value for value in values if value is not None]
    if not seen:
        return SafeString()
    spots = _spots(values, min(0, *seen) if from_zero else min(seen), max(seen))
    drawn = [through(stretch, "spark-line") for stretch in _stretches(spots)]
    last = next(spot for spot in reversed(spots) if spot is not None)
    return format_html(
        '<svg class="spark" viewBox="0 0 {} {}" width="{}" height="{}" role="img"'
        ' aria-label="{}">{}</svg>',
        WIDTH,
        HEIGHT,
        WIDTH,
        HEIGHT,
        label,
        joined([*drawn, disc(*last, 2.5, "spark-end")]),
    )


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
