"""Template tags for pages of a chain: its rail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template
from django.urls import reverse

from casino.chain import proposals
from casino.chain.frame import SECTIONS
from casino.chain.models import ChainHouse, ChainMember
from casino.house.attendants import permissions

if TYPE_CHECKING:
    from django.template import Context

    from casino.house.establishments.models import Establishment

register = template.Library()


@register.inclusion_tag("chain/_of_house.html")
def chain_of_house(house: Establishment) -> dict[str, Any]:
    """For a house's own people: to which chain it belongs, and who of it sees its figures (D1)."""
    row = ChainHouse.objects.filter(establishment=house).select_related("chain").first()
    if row is None:
        return {"row": None}
    members = ChainMember.objects.filter(chain=row.chain, until__isnull=True)
    return {"row": row, "members": members.select_related("attendant").order_by("since", "id")}


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
