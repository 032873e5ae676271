"""Template filters for the rows of a board's data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template

from casino.kit.web import pure_tags

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

register = template.Library()
register.filter(pure_tags.players)
register.filter("thrown", pure_tags.dice_of_offers)
register.filter(pure_tags.without)


@register.filter
def sides(size: str) -> int:
    """`"d8"|sides` is 8."""
    return int(size.removeprefix("d"))


@register.filter
def by_rank(throws: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Shown hands, the highest first, each with the states of its hole dice and laid dice."""
    hands = sorted((throw for throw in throws if throw.get("rank")), key=lambda each: each["rank"])
    return [
        {
            **hand,
            "hole_marks": ["out" if size in hand["replaced"] else "plain" for size in hand["laid"]],
            "laid_marks": [
                "kept" if size in hand["replaced"] else "plain" for size in hand["laid"]
            ],
        }
        for hand in hands
    ]
