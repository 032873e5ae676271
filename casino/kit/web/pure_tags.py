"""
Functions that templates use as filters and tags: dice as SVG, and small steps through a board's
data.

They are pure, so that a device that continues alone has them too; `templatetags/` registers them.
The SVG of dice refers to the page's sheet of drawings (`{% die_sheet %}`).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.words.presenters import words as presenter_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

T = TypeVar("T")


def places(count: int | None) -> range:
    """The numbers 1, 2, … up to `count`: the faces of a die, the places of a throw."""
    return range(1, (count or 0) + 1)


def distinct(sizes: Sequence[int]) -> list[int]:
    """Each size once, in the order of its first die."""
    return list(dict.fromkeys(sizes))


def at(items: Sequence[T], place: int) -> T:
    """The item at a place, counted from 0; the item of a list of one stands for every place."""
    return items[0] if len(items) == 1 else items[place]


def last_digit(sizes: Sequence[int]) -> int:
    """The highest face of these dice that can be entered with one digit key."""
    return min(max(sizes), 9)


def players(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """The players whom offers are for, each once."""
    return list(dict.fromkeys(row["player"] for row in rows))


def dice_of_offers(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """The dice that may be thrown according to offers, each once."""
    return list(dict.fromkeys(die for row in rows for die in row["die"]))


def without(rows: Iterable[Mapping[str, Any]], kinds: str) -> list[Mapping[str, Any]]:
    """The rows that are of none of these kinds."""
    return [row for row in rows if row["kind"] not in kinds.split()]


def hand(name: str | None, score: int | None = None) -> str:
    """The words for a hand: `{% hand "pair" 7 %}` is "pair 7"; "" without a hand."""
    return presenter_words.hand(name, score) if name else ""


def points(scored: int | str) -> str:
    """The words for points: `7|points` is "7 points", `"7/2"|points` is "3½ points"."""
    exact = Fraction(scored)
    counted = ngettext("%(points)s point", "%(points)s points", 1 if exact == 1 else 2)
    return counted % {"points": presenter_words.exactly(exact)}


# Dice as SVG.


SIZES: Final = (4, 6, 8, 10, 12)
STATES: Final = ("plain", "kept", "out", "void", "home", "empty")
BOX: Final = 48

# The mark in the corner of a die that says whose it is: a shape for each player, 13 wide around 0.
OWNERS: Final = (
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
    "M-4.6-4.6h9.2v9.2h-9.2z",
    "M0-5.6 5.6 4.4h-11.2z",
    "M0-6 6 0 0 6-6 0z",
    "M-1.9-5.6h3.8v3.7h3.7v3.8h-3.7v3.7h-3.8v-3.7h-3.7v-3.8h3.7z",
    "M0 5.6-5.6-4.4h11.2z",
    "M-3-5.4h6l3 5.4-3 5.4h-6l-3-5.4z",
    "M-5.6-3h11.2v6h-11.2z",
)
STAR: Final = "M0-6.2 1.6-2 6-1.9 2.5.8 3.7 5.1 0 2.6-3.7 5.1-2.5.8-6-1.9-1.6-2z"


def sheet_die(  # noqa: PLR0913 - what a template may say of a die
    value: int | None = None,
    sides: int = 8,
    state: str = "plain",
    size: int = 24,
    *,
    decorative: bool = False,
    owner: int | str | None = None,
) -> str:
    """
    Draw one die, `size` pixels wide.

    :param value: the face that shows; None for an empty place.
    :param state: one of `STATES`.
    :param decorative: hidden from screen readers, for a die whose face is said by words beside it.
    :param owner: the number of the player whose die it is, from 1, or "trump".
    """
    check_drawing(sides, state)
    drawing = "empty" if value is None else state
    name = accessible_name(value, sides, state, decorative=decorative)
    return (
        f'<svg class="die{mark_owner(owner)}" width="{size}" height="{size}" {name}>'
        f'<use href="#die-{sides}-{drawing}-{value or 0}"/>{corner(owner)}</svg>'
    )


def sheet_dice(  # noqa: PLR0913 - what a template may say of a throw
    values: Sequence[int] | None,
    sides: int | Sequence[int] = 8,
    state: str | Sequence[str] = "plain",
    size: int = 24,
    *,
    void: bool = False,
    owner: int | str | Sequence[int | str | None] | None = None,
) -> str:
    """
    Draw a throw: its dice side by side, struck through if the throw was voided.

    :param sides: one number for all dice, or a list with a number for each die; a list of one
        counts for all.
    :param state: one for all dice, or one for each die.
    :param owner: one for all dice, or one for each die, as in `sheet_die`.
    """
    drawn = [
        sheet_die(face, its_sides, mark, size, owner=own)
        for face, its_sides, mark, own in each_of(
            values or (), sides, "void" if void else state, owner
        )
    ]
    return f'<span class="dice">{"".join(drawn)}</span>'


def owner_sign(owner: int | str, size: int = 18) -> str:
    """The mark of a player's dice, without a die, to stand beside the player's name."""
    return (
        f'<svg class="owner{mark_owner(owner)}" viewBox="-7 -7 14 14" width="{size}"'
        f' height="{size}" aria-hidden="true">'
        f'<path class="die-owner" d="{owner_shape(owner)}"/></svg>'
    )


def check_drawing(sides: int, state: str) -> None:
    """:raises ValueError: if there is no drawing for this number of sides or this state."""
    if sides not in SIZES:
        raise ValueError(f"No drawing of a die with {sides} sides.")
    if state not in STATES:
        raise ValueError(f"A die is {', '.join(STATES)}, not {state}.")


def each_of(values: Sequence[int], sides: Any, state: Any, owner: Any) -> list[Any]:
    """The face, sides, state and owner of each die of a throw."""
    count = len(values)
    return list(
        zip(
            values, of_each(sides, count), of_each(state, count), of_each(owner, count), strict=True
        )
    )


def of_each(given: Any, count: int) -> list[Any]:
    """A list with a value for each die, from one value for all dice or from such a list."""
    if isinstance(given, (list, tuple)):
        return list(given) * count if len(given) == 1 else list(given)
    return [given] * count


def mark_owner(owner: int | str | None) -> str:
    if not owner:
        return ""
    return f" own-{escape(owner)}" if isinstance(owner, str) else f" own-{place_of(owner) + 1}"


def owner_shape(owner: int | str) -> str:
    return STAR if isinstance(owner, str) else OWNERS[place_of(owner)]


def place_of(owner: int) -> int:
    return (owner - 1) % len(OWNERS)


def owner_mark(owner: int | str | None) -> str:
    if not owner:
        return ""
    return f'<path class="die-owner" transform="translate(41 41)" d="{owner_shape(owner)}"/>'


def corner(owner: int | str | None) -> str:
    """The owner's mark in a box of its own, for a die that is drawn by reference."""
    mark = owner_mark(owner)
    return mark and f'<svg viewBox="0 0 {BOX} {BOX}" overflow="visible">{mark}</svg>'


def accessible_name(value: int | None, sides: int, state: str, *, decorative: bool) -> str:
    """The attributes that tell screen readers what to say of a die."""
    if decorative:
        return 'aria-hidden="true"'
    return f'role="img" aria-label="{escape(spoken(value, sides, state))}"'


def escape(text: str) -> str:
    """A text escaped for HTML, as Django does it."""
    return (
        text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace('"', "&quot;")
        .replace("'", "&#x27;")
    )


def spoken(value: int | None, sides: int, state: str) -> str:
    if value is None or state == "empty":
        return _("empty place for a d%(sides)s") % {"sides": sides}
    match state:
        case "kept":
            text = _("%(value)s, kept")
        case "out":
            text = _("%(value)s, out")
        case "void":
            text = _("%(value)s, void")
        case "home":
            text = _("%(value)s, home throw")
        case _:
            text = _("%(value)s")
    return text % {"value": value}
