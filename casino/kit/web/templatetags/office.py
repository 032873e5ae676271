"""Template tags for pages of the office: navigation, single-button forms, look-alike names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template
from django.urls import reverse

from casino.house.attendants import permissions
from casino.kit.web import navigation
from casino.kit.web.keyways import KEYSETS
from casino.words.text import lookalikes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.forms import Form
    from django.template import Context

register = template.Library()


@register.inclusion_tag("web/_navigation.html", takes_context=True)
def office_rail(context: Context) -> dict[str, Any]:
    """The navigation: the sections that the person may see, with how much waits in each."""
    house, request = context["house"], context["request"]
    role = context.get("role") or permissions.roles(request.user).get(house.pk, "")
    # A page that itself shows what waits has computed the entries already.
    found = context.get("rail_entries") or list(navigation.entries(house, role))
    main = navigation.main_entries(found, str(context.get("section", "")), request.path)
    return {
        "main_entries": main,
        "here": next((each for each in main if each.open), None),
        "waiting": sum(each.waiting for each in main),
        "house": house,
        "houses": context.get("houses", ()),
        "many_houses": context.get("many_houses", 0),
        "of_chain": getattr(request.user, "chain", None) is not None,
        "csrf_token": context.get("csrf_token"),
        "request": request,
    }


@register.inclusion_tag("web/_keyways.html", takes_context=True)
def keyways(context: Context, more: str = "") -> Mapping[str, Any]:
    """
    The list of what may be done by keyboard, which the page's scripts read too.

    :param more: a template with a game's own rows, which gets the context of the page.
    """
    page: Any = context.flatten()
    return {**page, "keysets": KEYSETS, "more": more}


@register.inclusion_tag("web/_one_tap.html")
def one_tap(
    to: str,
    button: str,
    *,
    form: Form | None = None,
    look: str = "button",
    do: str = "",
    **where: Any,
) -> dict[str, Any]:
    """
    A form that is one button.

    :param to: the name of the page it is sent to, with the arguments of its address in `where`; ""
        is the current page.
    :param form: a form that is sent with it; only its hidden fields are rendered.
    :param do: which act it is, if the page has several.
    """
    action = reverse(to, kwargs=where) if to else ""
    return {"action": action, "button": button, "form": form, "look": look, "do": do}


@register.inclusion_tag("web/_looks_like.html")
def looks_like(
    name: Any,
    alike: Mapping[Any, Sequence[str]],
    key: Any,
    perhaps: Mapping[Any, Sequence[str]] | None = None,
) -> dict[str, Any]:
    """
    A warning beside a name about names that look the same (`lookalikes.namesakes`), and about those
    that may be another spelling of it (`lookalikes.perhaps_the_same`).
    """
    return {
        "others": alike.get(key, ()),
        "borrowed": lookalikes.foreign_lookalikes(str(name)),
        "perhaps": (perhaps or {}).get(key, ()),
    }
