"""
Small functions that templates of the board use as filters and tags; `templatetags/` registers them.

They are pure, so that a device that continues alone has them too.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

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
