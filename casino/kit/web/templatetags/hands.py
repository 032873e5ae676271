"""The template tag for names of hands, as people at the table say them."""

from django import template

from casino.kit.web.steps import hand

__all__ = ["hand"]

register = template.Library()
register.simple_tag(hand)
