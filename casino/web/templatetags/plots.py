"""Figures beside plots, as the house writes them."""

from django import template

from casino.languages import locales
from casino.web.plots.figures import large

register = template.Library()

LEAST = 0.001  # below this a probability says no more than that


@register.filter
def thousands(figure: int | None) -> str:
    """`22000|thousands` is "22,000", by the house's locale; nothing is an empty text."""
    return "" if figure is None else locales.number(figure)


@register.filter
def decimals(value: float, places: int) -> str:
    """`1.5|decimals:2` is "1.50", by the house's locale."""
    return locales.decimal(value, places)


@register.filter
def figure(value: float) -> str:
    """A figure of whatever size, as plots tell it."""
    return large(value)


@register.filter
def probability(value: float) -> str:
    """Of a test: "0.031", or "< 0.001"."""
    figure = locales.decimal(max(value, LEAST), 3)
    return figure if value >= LEAST else f"< {figure}"
