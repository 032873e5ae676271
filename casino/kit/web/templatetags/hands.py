"""The template tag for names of hands, as people at the table say them."""

from django import template

from casino.kit.web.pure_tags import hand

__all__ = ["hand"]

register = template.Library()
register.simple_tag(hand)
