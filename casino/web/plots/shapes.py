"""What plots are drawn of: words, lines, boxes and points, as SVG in the style sheet's kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.html import format_html, format_html_join

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.utils.safestring import SafeString

# As wide as on a phone, where words are as large as there is room for; on wider screens the style
# sheet makes them smaller within it, so that they are read at one size everywhere.
WIDTH: Final = 400

Spot = tuple[float, float]


def svg(height: float, says: str, parts: Iterable[SafeString], *, role: str = "img") -> SafeString:
    """
    A whole plot.

    :param says: what it shows in a sentence, for who does not see it.
    """
    return format_html(
        '<svg class="plot plot-narrow" viewBox="0 0 {} {}" role="{}" aria-label="{}">{}</svg>',
        WIDTH,
        px(height),
        role,
        says,
        joined(parts),
    )


def joined(parts: Iterable[SafeString]) -> SafeString:
    return format_html_join("", "{}", ((part,) for part in parts))


def text(x: float, y: float, said: str, kind: str) -> SafeString:
    return format_html('<text class="{}" x="{}" y="{}">{}</text>', kind, px(x), px(y), said)


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
    """A line from one to the next."""
    path = " ".join(f"{px(x)},{px(y)}" for x, y in spots)
    return format_html('<polyline class="{}" points="{}"/>', kind, path)


def disc(x: float, y: float, radius: float, kind: str) -> SafeString:
    return format_html('<circle class="{}" cx="{}" cy="{}" r="{}"/>', kind, px(x), px(y), radius)


def diamond(x: float, y: float, kind: str) -> SafeString:
    return format_html('<path class="{}" d="M{} {}l5 5-5 5-5-5z"/>', kind, px(x), px(y - 5))


def px(value: float) -> str:
    return f"{value:.1f}"
