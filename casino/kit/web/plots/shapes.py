"""SVG elements of which plots consist: texts, lines, boxes and points, with CSS classes."""

from __future__ import annotations

from math import floor, log10
from typing import TYPE_CHECKING, Final

from django.utils.html import format_html, format_html_join

from casino.kit.web.plots.axes import power
from casino.words.languages.locales import decimal, number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.utils.safestring import SafeString

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
