"""A tag for the state of a payout, or of a step of its history: ``{% payout_state "held" %}``."""

from __future__ import annotations

from typing import Any

from django import template

from casino.money.payouts.listings import SIGNS

register = template.Library()


@register.inclusion_tag("kit/web/_sign.html")
def payout_state(state: str) -> dict[str, Any]:
    """The state as a sign with a shape and a word."""
    return {"sign": SIGNS[state]}
