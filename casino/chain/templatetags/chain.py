"""Template tags for pages of a chain: its rail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template
from django.urls import reverse

from casino.attendants import permissions
from casino.chain import proposals
from casino.chain.frame import SECTIONS

if TYPE_CHECKING:
    from django.template import Context

register = template.Library()


@register.inclusion_tag("chain/_rail.html", takes_context=True)
def chain_rail(context: Context) -> dict[str, Any]:
    """The navigation of a chain's pages, with the number of proposals that wait."""
    section, person = context.get("section"), context["request"].user
    waiting = proposals.waiting(person.chain)
    return {
        "sections": [
            (title, reverse(url), name == section, waiting if name == "chain-proposals" else 0)
            for name, title, url in SECTIONS
        ],
        "employed": bool(permissions.roles(person)),
        "csrf_token": context.get("csrf_token"),
        "request": context["request"],
    }
