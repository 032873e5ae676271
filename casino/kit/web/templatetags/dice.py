"""
Template tags that draw dice as small SVGs, for keys, logs, replays and paper.

Shape and colour show the size of a die; a ring shows that it was kept, a bar through it that it
does not count, a small house that it was part of a home throw. If each player has their own dice,
colour and a mark in the corner show whose it is. Colours come from the style sheet (`.die-4` …
`.die-12`, `.die-kept` …, `.own-1` …); nothing is shown by colour alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from math import cos, radians, sin
from typing import TYPE_CHECKING, ParamSpec

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from casino.kit.web import pure_tags
from casino.kit.web.pure_tags import BOX, OWNERS, STATES, places

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = [
    "ON_SHEET", "OWNERS", "PIPS", "SHAPES", "STATES", "TRUMP",
    "dice", "die", "die_sheet", "owner_sign", "places", "sheet_dice", "sheet_die",
]  # fmt: skip

register = template.Library()
register.filter(pure_tags.places)
register.filter(pure_tags.distinct)
register.filter(pure_tags.at)
register.filter(pure_tags.last_digit)

Point = tuple[float, float]
P = ParamSpec("P")

ON_SHEET = ("plain", "void", "home", "kept", "out")
TRUMP = "trump"
RING = 1.17  # the ring of a kept die, as a multiple of its outline


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of a die in a 48 by 48 box: its outline, the face inside it, and its numeral."""

    outline: tuple[Point, ...]
    middle: Point
    face: float  # the face's size as a fraction of the outline's
    numeral: float  # font size; two figures are set a quarter smaller

    def scaled(self, by: float) -> tuple[Point, ...]:
        cx, cy = self.middle
        return tuple((cx + (x - cx) * by, cy + (y - cy) * by) for x, y in self.outline)


def pentagon(radius: float, middle: Point) -> tuple[Point, ...]:
    cx, cy = middle
    corners = (radians(90 + 72 * corner) for corner in range(5))
    return tuple((cx - radius * cos(turn), cy - radius * sin(turn)) for turn in corners)


SHAPES: dict[int, Shape] = {
    4: Shape(((24, 5), (44, 40), (4, 40)), (24, 28.4), 0.76, 19),
    6: Shape(((6, 6), (42, 6), (42, 42), (6, 42)), (24, 24), 0.84, 24),
    8: Shape(((24, 2.5), (45.5, 24), (24, 45.5), (2.5, 24)), (24, 24), 0.82, 24),
    10: Shape(((24, 2.5), (44, 28), (24, 45.5), (4, 28)), (24, 25.5), 0.82, 22),
    12: Shape(pentagon(21.5, (24, 25)), (24, 25), 0.82, 21),
}

# The positions of the pips of a six-sided die, on a grid of -1, 0, 1.
PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
PIP_STEP = 9.5

STRIKE = mark_safe('<path class="die-strike" d="M5 43 43 5"/>')
HOUSE = mark_safe('<path class="die-house" d="M38 28.5 46.5 36.5V46h-17v-9.5z"/>')


def markup(draw: Callable[P, str]) -> Callable[P, SafeString]:
    """Mark the text that a function returns as safe, so that it is not escaped again."""

    @wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> SafeString:
        return mark_safe(draw(*args, **kwargs))  # noqa: S308 - what is given is escaped there

    return drawn


sheet_die = register.simple_tag(markup(pure_tags.sheet_die))
sheet_dice = register.simple_tag(markup(pure_tags.sheet_dice))
owner_sign = register.simple_tag(markup(pure_tags.owner_sign))
owned = markup(pure_tags.mark_owner)
owner_mark = markup(pure_tags.owner_mark)
accessible_name = markup(pure_tags.accessible_name)


@register.simple_tag
def die(  # noqa: PLR0913 - what a template may say of a die
    value: int | None = None,
    sides: int = 8,
    state: str = "plain",
    size: int = 24,
    *,
    decorative: bool = False,
    owner: int | str | None = None,
) -> SafeString:
    """Like `sheet_die`, but complete in itself, without the page's sheet of drawings: for paper."""
    check_drawing(sides, state)
    return format_html(
        '<svg class="die die-{} die-{}{}" viewBox="0 0 {} {}" width="{}" height="{}" {}>{}{}</svg>',
        sides, "empty" if value is None else state, owned(owner), BOX, BOX, size, size,
        accessible_name(value, sides, state, decorative=decorative),
        drawing(SHAPES[sides], value, sides, state), owner_mark(owner),
    )  # fmt: skip


def check_drawing(sides: int, state: str) -> None:
    """:raises TemplateSyntaxError: if there is no drawing for this number of sides or state."""
    try:
        pure_tags.check_drawing(sides, state)
    except ValueError as unknown:
        raise template.TemplateSyntaxError(str(unknown)) from None


@register.simple_tag
def dice(  # noqa: PLR0913 - what a template may say of a throw
    values: Sequence[int] | None,
    sides: int | Sequence[int] = 8,
    state: str | Sequence[str] = "plain",
    size: int = 24,
    *,
    void: bool = False,
    owner: int | str | Sequence[int | str | None] | None = None,
) -> SafeString:
    """Like `sheet_dice`, but complete in itself, without the page's sheet of drawings."""
    drawn = (
        (die(face, its_sides, mark, size, owner=own),)
        for face, its_sides, mark, own in pure_tags.each_of(
            values or (), sides, "void" if void else state, owner
        )
    )
    return format_html('<span class="dice">{}</span>', format_html_join("", "{}", drawn))


@register.simple_tag
def die_sheet(sizes: int | Sequence[int] = 8) -> SafeString:
    """
    The drawings that `sheet_die` and `sheet_dice` refer to: for each size an outline,
    an empty place, and each face in each state.
    """
    different = dict.fromkeys([sizes] if isinstance(sizes, int) else sizes)
    return format_html(
        '<svg class="die-sheet" width="0" height="0" aria-hidden="true">{}</svg>',
        format_html_join("", "{}{}", ((outlines(size), faces(size)) for size in different)),
    )


def outlines(sides: int) -> SafeString:
    """The symbols that all faces of a die have in common, drawn once: outline and empty place."""
    shape = SHAPES[sides]
    return format_html(
        '<symbol id="die-{0}" viewBox="0 0 {1} {1}"><g class="die die-{0}">{2}</g></symbol>'
        '<symbol id="die-{0}-empty-0" viewBox="0 0 {1} {1}">'
        '<path class="die-place" d="{3}"/></symbol>',
        sides, BOX, body(shape), path(shape.outline),
    )  # fmt: skip


def faces(sides: int) -> SafeString:
    base = format_html('<use class="die-base" href="#die-{}"/>', sides)
    symbols = (
        (sides, state, value, BOX, BOX, state, mark(SHAPES[sides], base, value, sides, state))
        for state in ON_SHEET
        for value in range(1, sides + 1)
    )
    return format_html_join(
        "",
        '<symbol id="die-{}-{}-{}" viewBox="0 0 {} {}"><g class="die die-{}">{}</g></symbol>',
        symbols,
    )


def drawing(shape: Shape, value: int | None, sides: int, state: str) -> SafeString:
    if value is None or state == "empty":
        return format_html('<path class="die-place" d="{}"/>', path(shape.outline))
    return mark(shape, body(shape), value, sides, state)


def body(shape: Shape) -> SafeString:
    return format_html(
        '<path class="die-body" d="{}"/><path class="die-light" d="{}"/>'
        '<path class="die-face" d="{}"/>',
        path(shape.outline),
        lit(shape),
        path(shape.scaled(shape.face)),
    )


def mark(shape: Shape, base: SafeString, value: int, sides: int, state: str) -> SafeString:
    return format_html(
        "{}{}{}{}{}",
        ring(shape) if state == "kept" else "",
        base,
        STRIKE if state in {"out", "void"} else "",  # under the numeral, which stays readable
        pips(value) if sides == 6 else numeral(shape, value),  # noqa: PLR2004 - a cube has pips
        HOUSE if state == "home" else "",
    )


def ring(shape: Shape) -> SafeString:
    return format_html('<path class="die-ring" d="{}"/>', path(shape.scaled(RING)))


def lit(shape: Shape) -> str:
    """The lit edges of a die, as a path: those between outline and face that face up."""
    inner = shape.scaled(shape.face)
    corners = range(len(inner))
    edges = [(corner, (corner + 1) % len(inner)) for corner in corners]
    return " ".join(
        path((shape.outline[a], shape.outline[b], inner[b], inner[a]))
        for a, b in edges
        if shape.outline[a][1] + shape.outline[b][1] < 2 * shape.middle[1] - 1
    )


def numeral(shape: Shape, value: int) -> SafeString:
    single = value < 10  # noqa: PLR2004 - two figures need more room
    size = shape.numeral if single else shape.numeral * 0.78
    x, y = shape.middle
    # Inter's capitals and figures are 0.727 of the font size high.
    return format_html(
        '<text x="{}" y="{}" font-size="{}" text-anchor="middle">{}</text>',
        figure(x), figure(y + size * 0.3636), figure(size), value,
    )  # fmt: skip


def pips(value: int) -> SafeString:
    places = ((figure(24 + x * PIP_STEP), figure(24 + y * PIP_STEP)) for x, y in PIPS[value])
    return format_html_join("", '<circle class="die-pip" cx="{}" cy="{}" r="3.7"/>', places)


def path(points: Sequence[Point]) -> str:
    return "M" + " ".join(f"{figure(x)} {figure(y)}" for x, y in points) + "z"


def figure(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")
