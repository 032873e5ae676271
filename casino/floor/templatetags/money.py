"""Amounts as the house writes them: whole smallest coins and the currency's sign."""

from django import template
from django.utils.formats import number_format

register = template.Library()

NO_BREAK = "\N{NO-BREAK SPACE}"
MINUS = "\N{MINUS SIGN}"


@register.filter
def money(amount: int | None, currency: str = "") -> str:
    """`1250|money:"r"` is "1,250 r", by the reader's locale; nothing is a dash."""
    if amount is None:
        return "\N{EN DASH}"
    figures = number_format(abs(amount), decimal_pos=0, use_l10n=True, force_grouping=True)
    sign = MINUS if amount < 0 else ""
    return f"{sign}{figures}{NO_BREAK}{currency}".rstrip(NO_BREAK)
