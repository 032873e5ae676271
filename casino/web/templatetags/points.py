"""Points of a scoreboard, whole or in exact parts."""

from django import template

from casino.web.steps import points

__all__ = ["points"]

register = template.Library()
register.filter(points)
