"""
Dice, drawn: one small SVG for keys, logs, replays and paper.

Shape and colour say the size of the die, a ring that it was kept, a bar through it that it does
not count, the small house that it was part of a home throw. Where each player has dice of their
own, colour and a mark in the corner say whose it is. Colours come from the style sheet (`.die-4` …
`.die-12`, `.die-kept` …, `.own-1` …); nothing is drawn by colour alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians, sin
from typing import TypeVar

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

register = template.Library()

Point = tuple[float, float]
T = TypeVar("T", int, str, int | str | None)

BOX = 48
STATES = ("plain", "kept", "out", "void", "home", "empty")
ON_SHEET = ("plain", "void", "home", "kept", "out")
TRUMP = "trump"
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

# Whose die it is: for each player a shape in the corner, in a circle of 13 by 13 around 0.
OWNERS = (
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
    "M-4.6-4.6h9.2v9.2h-9.2z",
    "M0-5.6 5.6 4.4h-11.2z",
    "M0-6 6 0 0 6-6 0z",
    "M-1.9-5.6h3.8v3.7h3.7v3.8h-3.7v3.7h-3.8v-3.7h-3.7v-3.8h3.7z",
    "M0 5.6-5.6-4.4h11.2z",
    "M-3-5.4h6l3 5.4-3 5.4h-6l-3-5.4z",
    "M-5.6-3h11.2v6h-11.2z",
)
STAR = "M0-6.2 1.6-2 6-1.9 2.5.8 3.7 5.1 0 2.6-3.7 5.1-2.5.8-6-1.9-1.6-2z"

STRIKE = mark_safe('<path class="die-strike" d="M5 43 43 5"/>')
HOUSE = mark_safe('<path class="die-house" d="M38 28.5 46.5 36.5V46h-17v-9.5z"/>')


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
    """
    Draw one die, `size` pixels wide.

    :param value: the face that shows; none for an empty place.
    :param state: one of `STATES`.
    :param decorative: hidden from screen readers, where words beside it already say the face.
    :param owner: the number of the player whose die it is, from 1, or `TRUMP`.
    """
    known(sides, state)
    return format_html(
        '<svg class="die die-{} die-{}{}" viewBox="0 0 {} {}" width="{}" height="{}" {}>{}{}</svg>',
        sides, "empty" if value is None else state, owned(owner), BOX, BOX, size, size,
        hidden_or(spoken(value, sides, state), hidden=decorative),
        drawing(SHAPES[sides], value, sides, state), owner_mark(owner),
    )  # fmt: skip


@register.simple_tag
def sheet_die(  # noqa: PLR0913 - as `die`
    value: int | None = None,
    sides: int = 8,
    state: str = "plain",
    size: int = 24,
    *,
    decorative: bool = False,
    owner: int | str | None = None,
) -> SafeString:
    """The same die where the page has a `die_sheet`: a fraction of the bytes."""
    known(sides, state)
    return format_html(
        '<svg class="die{}" width="{}" height="{}" {}><use href="#die-{}-{}-{}"/>{}</svg>',
        owned(owner), size, size, hidden_or(spoken(value, sides, state), hidden=decorative),
        sides, "empty" if value is None else state, value or 0,
        corner(owner_mark(owner)),
    )  # fmt: skip


def known(sides: int, state: str) -> None:
    """:raises TemplateSyntaxError: if there is no such drawing."""
    if sides not in SHAPES:
        raise template.TemplateSyntaxError(f"No drawing of a die with {sides} sides.")
    if state not in STATES:
        raise template.TemplateSyntaxError(f"A die is {', '.join(STATES)}, not {state!r}.")


def hidden_or(words: str, *, hidden: bool) -> SafeString:
    if hidden:
        return mark_safe('aria-hidden="true"')
    return format_html('role="img" aria-label="{}"', words)


@register.simple_tag
def dice(  # noqa: PLR0913 - what a template may say of a throw
    values: Sequence[int] | None,
    sides: int | Sequence[int] = 8,
    state: str | Sequence[str] = "plain",
    size: int = 24,
    *,
    void: bool = False,
    sheet: bool = False,
    owner: int | str | Sequence[int | str | None] | None = None,
) -> SafeString:
    """
    Draw a throw: its dice side by side, struck when the throw was made void.

    :param sides: of all, or one number for each die; a list of one counts for all.
    :param state: of all, or one for each die.
    :param owner: likewise; as of `die`.
    :param sheet: refer to the drawings of a `die_sheet` on the same page, where there are many.
    """
    thrown = values or ()
    states = ["void"] * len(thrown) if void else of_each(state, len(thrown))
    draw = sheet_die if sheet else die
    owners = of_each(owner, len(thrown))
    drawn = (
        (draw(face, its_sides, mark, size, owner=own),)
        for face, its_sides, mark, own in zip(
            thrown, of_each(sides, len(thrown)), states, owners, strict=True
        )
    )
    return format_html('<span class="dice">{}</span>', format_html_join("", "{}", drawn))


def of_each(said: T | Sequence[T], count: int) -> list[T]:
    """What is said once of all dice, said of each."""
    if isinstance(said, Sequence) and not isinstance(said, str):
        return list(said) * count if len(said) == 1 else list(said)
    return [said] * count


@register.simple_tag
def die_sheet(sizes: int | Sequence[int] = 8) -> SafeString:
    """
    The drawings that `sheet_die` and `{% dice … sheet=True %}` refer to: for each size an outline,
    an empty place, and each face in each state.
    """
    different = dict.fromkeys([sizes] if isinstance(sizes, int) else sizes)
    return format_html(
        '<svg class="die-sheet" width="0" height="0" aria-hidden="true">{}</svg>',
        format_html_join("", "{}{}", ((outlines(size), faces(size)) for size in different)),
    )


def outlines(sides: int) -> SafeString:
    """What all faces of a die have in common, drawn once."""
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
        (sides, state, value, BOX, BOX, state, marked(SHAPES[sides], base, value, sides, state))
        for state in ON_SHEET
        for value in range(1, sides + 1)
    )
    return format_html_join(
        "",
        '<symbol id="die-{}-{}-{}" viewBox="0 0 {} {}"><g class="die die-{}">{}</g></symbol>',
        symbols,
    )


@register.simple_tag
def owner_sign(owner: int | str, size: int = 18) -> SafeString:
    """The mark of a player's dice alone, to stand beside the name."""
    return format_html(
        '<svg class="owner{}" viewBox="-7 -7 14 14" width="{}" height="{}" aria-hidden="true">'
        '<path class="die-owner" d="{}"/></svg>',
        owned(owner), size, size, owner_shape(owner),
    )  # fmt: skip


def owned(owner: int | str | None) -> str:
    if not owner:
        return ""
    return f" own-{owner}" if isinstance(owner, str) else f" own-{(owner - 1) % len(OWNERS) + 1}"


def owner_shape(owner: int | str) -> str:
    return STAR if isinstance(owner, str) else OWNERS[(owner - 1) % len(OWNERS)]


def owner_mark(owner: int | str | None) -> SafeString:
    if not owner:
        return mark_safe("")
    return format_html(
        '<path class="die-owner" transform="translate(41 41)" d="{}"/>', owner_shape(owner)
    )


def corner(mark: SafeString) -> SafeString:
    """A mark where the die beside it is drawn in a box of any size."""
    if not mark:
        return mark
    return format_html('<svg viewBox="0 0 {} {}" overflow="visible">{}</svg>', BOX, BOX, mark)


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
    return marked(shape, body(shape), value, sides, state)


def body(shape: Shape) -> SafeString:
    return format_html(
        '<path class="die-body" d="{}"/><path class="die-light" d="{}"/>'
        '<path class="die-face" d="{}"/>',
        path(shape.outline),
        lit(shape),
        path(shape.scaled(shape.face)),
    )


def marked(shape: Shape, base: SafeString, value: int, sides: int, state: str) -> SafeString:
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


@register.filter
def distinct(sizes: Sequence[int]) -> list[int]:
    """Each size once, in the order of its first die."""
    return list(dict.fromkeys(sizes))


@register.filter
def at(items: Sequence[int], place: int) -> int:
    """The one at a place, counted from 0; a list of one counts for all."""
    return items[0] if len(items) == 1 else items[place]


@register.filter
def last_digit(sizes: Sequence[int]) -> int:
    """The highest face of these dice that a single key enters."""
    return min(max(sizes), 9)
