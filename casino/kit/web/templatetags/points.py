"""The template filter for points of a scoreboard, whole or in exact fractions."""

from django import template

from casino.kit.web.pure_tags import points

__all__ = ["points"]

register = template.Library()
register.filter(points)
