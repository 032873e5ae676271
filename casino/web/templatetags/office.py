"""The frame of the office, for every page that extends it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template

from casino.attendants import permissions
from casino.platform import lookalikes
from casino.web import navigation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.template import Context

register = template.Library()


@register.inclusion_tag("web/_navigation.html", takes_context=True)
def office_rail(context: Context) -> dict[str, Any]:
    """The sections open to whoever looks, with what waits in each."""
    house, request = context["house"], context["request"]
    role = context.get("role") or permissions.roles(request.user).get(house.pk, "")
    return {
        # A page that shows what waits itself has looked already.
        "entries": context.get("rail_entries") or list(navigation.entries(house, role)),
        "section": context.get("section", ""),
        "opens_admin": role in permissions.ALLOWED["audit"],
        "house": house,
        "houses": context.get("houses", ()),
        "csrf_token": context.get("csrf_token"),
    }


@register.inclusion_tag("web/_looks_like.html")
def looks_like(name: Any, alike: Mapping[Any, Sequence[str]], key: Any) -> dict[str, Any]:
    """Beside a name: whoever of the house has one that looks the same (`lookalikes.namesakes`)."""
    return {"others": alike.get(key, ()), "borrowed": lookalikes.borrowed(str(name))}
