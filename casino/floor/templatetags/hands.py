"""The hands' names, as they are said at the table."""

from django import template

from casino.play.telling import words

register = template.Library()


@register.simple_tag
def hand(name: str | None, score: int | None = None) -> str:
    """`{% hand "pair" 7 %}` is "pair 7"; no hand, no word."""
    return words.hand(name, score) if name else ""
