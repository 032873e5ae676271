"""A template tag that says how much waits for approval, for pages without the rail: the floor's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template

from casino.house.attendants import permissions
from casino.kit.approvals import queries

if TYPE_CHECKING:
    from django.template import Context

register = template.Library()


@register.inclusion_tag("kit/approvals/_waiting.html", takes_context=True)
def waiting_approvals(context: Context) -> dict[str, Any]:
    """How many things wait, for a person who may approve here; 0 for anybody else."""
    house, user = context.get("house"), context.get("user")
    if house is None or user is None or not permissions.may(user, "approve", house.pk):
        return {"waiting": 0}
    return {"waiting": queries.waiting(house.pk)}
