"""Points of a scoreboard, whole or in exact parts."""

from fractions import Fraction

from django import template
from django.utils.translation import ngettext

from casino.play.telling import words

register = template.Library()


@register.filter
def points(scored: int | str) -> str:
    """`7|points` is "7 points", `"7/2"|points` is "3½ points"."""
    exact = Fraction(scored)
    said = ngettext("%(points)s point", "%(points)s points", 1 if exact == 1 else 2)
    return said % {"points": words.exactly(exact)}
