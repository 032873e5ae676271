"""The state of a payout, or of a step that it came by: ``{% payout_state "held" %}``."""

from __future__ import annotations

from typing import Any

from django import template

from casino.payouts.listings import SIGNS

register = template.Library()


@register.inclusion_tag("web/_sign.html")
def payout_state(state: str) -> dict[str, Any]:
    """By shape and word."""
    return {"sign": SIGNS[state]}
