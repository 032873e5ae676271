"""Template filters for figures beside plots, in the house's locale."""

from django import template

from casino.kit.web.plots.charts import large
from casino.words.languages import locales

register = template.Library()

LEAST = 0.001  # a smaller probability is shown as "< 0.001"


@register.filter
def thousands(figure: int | None) -> str:
    """`22000|thousands` is "22,000", by the house's locale; "" for None."""
    return "" if figure is None else locales.number(figure)


@register.filter
def decimals(value: float, places: int) -> str:
    """`1.5|decimals:2` is "1.50", by the house's locale."""
    return locales.decimal(value, places)


@register.filter
def figure(value: float) -> str:
    """A figure of any size, written as in plots."""
    return large(value)


@register.filter
def probability(value: float) -> str:
    """The p-value of a test: "0.031", or "< 0.001"."""
    figure = locales.decimal(max(value, LEAST), 3)
    return figure if value >= LEAST else f"< {figure}"
