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
