"""The hands' names, as they are said at the table."""

from django import template

from casino.web.steps import hand

__all__ = ["hand"]

register = template.Library()
register.simple_tag(hand)
