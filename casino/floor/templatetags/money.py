"""Amounts as the house writes them: whole smallest coins and the currency's sign."""

from django import template

from casino.languages import locales

register = template.Library()

NO_BREAK = "\N{NO-BREAK SPACE}"
MINUS = "\N{MINUS SIGN}"


@register.filter
def money(amount: int | None, currency: str = "") -> str:
    """`1250|money:"r"` is "1,250 r", by the house's locale; nothing is a dash."""
    if amount is None:
        return "\N{EN DASH}"
    figures = locales.number(abs(amount))
    sign = MINUS if amount < 0 else ""
    return f"{sign}{figures}{NO_BREAK}{currency}".rstrip(NO_BREAK)
