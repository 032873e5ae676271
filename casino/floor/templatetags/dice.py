"""
Dice, drawn: one small SVG for keys, logs, replays and paper.

Shape and colour say the size of the die, a ring that it was kept, a bar through it that it does
not count, the small house that it was part of a home throw. Colours come from the style sheet
(`.die-4` … `.die-12`, `.die-kept` …); nothing is drawn by colour alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians, sin

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

register = template.Library()

Point = tuple[float, float]

BOX = 48
STATES = ("plain", "kept", "out", "void", "home", "empty")
ON_SHEET = ("plain", "void", "home")
RING = 1.17  # the ring of a kept die, as a multiple of its outline


@dataclass(frozen=True, slots=True)
class Shape:
    """An outline in a 48 by 48 box, the face inside it, and where the numeral stands."""

    outline: tuple[Point, ...]
    middle: Point
    face: float  # the face's size as a part of the outline's
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

# Where the pips of a six-sided die lie, on a grid of -1, 0, 1.
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


@register.simple_tag
def die(
    value: int | None = None,
    sides: int = 8,
    state: str = "plain",
    size: int = 24,
    *,
    decorative: bool = False,
) -> SafeString:
    """
    Draw one die, `size` pixels wide.

    :param value: the face that shows; none for an empty place.
    :param state: one of `STATES`.
    :param decorative: hidden from screen readers, where words beside it already say the face.
    """
    if sides not in SHAPES:
        raise template.TemplateSyntaxError(f"No drawing of a die with {sides} sides.")
    if state not in STATES:
        raise template.TemplateSyntaxError(f"A die is {', '.join(STATES)}, not {state!r}.")
    return format_html(
        '<svg class="die die-{} die-{}" viewBox="0 0 {} {}" width="{}" height="{}" {}>{}</svg>',
        sides, "empty" if value is None else state, BOX, BOX, size, size,
        mark_safe('aria-hidden="true"')
        if decorative
        else format_html('role="img" aria-label="{}"', spoken(value, sides, state)),
        drawing(SHAPES[sides], value, sides, state),
    )  # fmt: skip


@register.simple_tag
def dice(  # noqa: PLR0913 - what a template may say of a throw
    values: Sequence[int] | None,
    sides: int = 8,
    state: str = "plain",
    size: int = 24,
    *,
    void: bool = False,
    sheet: bool = False,
) -> SafeString:
    """
    Draw a throw: its dice side by side, struck when the throw was made void.

    :param sheet: refer to the drawings of a `die_sheet` on the same page, where there are many.
    """
    draw = referred if sheet else die
    drawn = ((draw(value, sides, "void" if void else state, size),) for value in values or ())
    return format_html('<span class="dice">{}</span>', format_html_join("", "{}", drawn))


@register.simple_tag
def die_sheet(sides: int = 8) -> SafeString:
    """The drawings that `{% dice … sheet=True %}` refers to: each face, in each state of a log."""
    shape = SHAPES[sides]
    symbols = (
        (sides, value, state, BOX, BOX, sides, state, drawing(shape, value, sides, state))
        for state in ON_SHEET
        for value in range(1, sides + 1)
    )
    return format_html(
        '<svg class="die-sheet" width="0" height="0" aria-hidden="true">{}</svg>',
        format_html_join(
            "",
            '<symbol id="die-{}-{}-{}" viewBox="0 0 {} {}">'
            '<g class="die die-{} die-{}">{}</g></symbol>',
            symbols,
        ),
    )


def referred(value: int, sides: int, state: str, size: int) -> SafeString:
    """A die that a `die_sheet` has drawn already."""
    return format_html(
        '<svg class="die" width="{}" height="{}" role="img" aria-label="{}">'
        '<use href="#die-{}-{}-{}"/></svg>',
        size, size, spoken(value, sides, state), sides, value, state,
    )  # fmt: skip


def spoken(value: int | None, sides: int, state: str) -> str:
    if value is None or state == "empty":
        return _("empty place for a d%(sides)s") % {"sides": sides}
    words = {
        "plain": _("%(value)s"),
        "kept": _("%(value)s, kept"),
        "out": _("%(value)s, out"),
        "void": _("%(value)s, void"),
        "home": _("%(value)s, home throw"),
    }
    return words[state] % {"value": value}


def drawing(shape: Shape, value: int | None, sides: int, state: str) -> SafeString:
    if value is None or state == "empty":
        return format_html('<path class="die-place" d="{}"/>', path(shape.outline))
    return format_html(
        '{}<path class="die-body" d="{}"/><path class="die-light" d="{}"/>'
        '<path class="die-face" d="{}"/>{}{}{}',
        ring(shape) if state == "kept" else "",
        path(shape.outline),
        lit(shape),
        path(shape.scaled(shape.face)),
        STRIKE if state in {"out", "void"} else "",  # under the numeral, which stays readable
        pips(value) if sides == 6 else numeral(shape, value),  # noqa: PLR2004 - a cube has pips
        HOUSE if state == "home" else "",
    )


def ring(shape: Shape) -> SafeString:
    return format_html('<path class="die-ring" d="{}"/>', path(shape.scaled(RING)))


def lit(shape: Shape) -> str:
    """The edges that face up, between outline and face: the light comes from above."""
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


@register.filter
def places(count: int | None) -> range:
    """1, 2, … up to `count`: the faces of a die, the places of a throw."""
    return range(1, (count or 0) + 1)
