"""Small steps between a board's rows and the parts that draw them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

register = template.Library()


@register.filter
def players(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Whom offers are for, once each."""
    return list(dict.fromkeys(row["player"] for row in rows))


@register.filter
def thrown(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """The dice that offers let be thrown, once each."""
    return list(dict.fromkeys(die for row in rows for die in row["die"]))


@register.filter
def without(rows: Iterable[Mapping[str, Any]], kinds: str) -> list[Mapping[str, Any]]:
    """The rows that are of none of these kinds."""
    return [row for row in rows if row["kind"] not in kinds.split()]


@register.filter
def words(text: str) -> list[str]:
    """The words of a text."""
    return text.split()


@register.filter
def sides(size: str) -> int:
    """`"d8"|sides` is 8."""
    return int(size.removeprefix("d"))


@register.filter
def shown_by_rank(throws: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """River's shown hands, the highest first, each with marks for its hole dice and those laid."""
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
