"""Template tags for pages of the office: navigation, single-button forms, look-alike names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django import template
from django.urls import reverse
from django.utils.translation import gettext_lazy

from casino.house.attendants import permissions
from casino.kit.web import navigation
from casino.words.languages import names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.forms import Form
    from django.template import Context
    from django.utils.functional import _StrPromise

register = template.Library()


@register.inclusion_tag("kit/web/_navigation.html", takes_context=True)
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


@register.inclusion_tag("kit/web/_keyways.html", takes_context=True)
def keyways(context: Context, more: str = "") -> Mapping[str, Any]:
    """
    The list of what may be done by keyboard, which the page's scripts read too.

    :param more: a template with a game's own rows, which gets the context of the page.
    """
    page: Any = context.flatten()
    return {**page, "keysets": KEYSETS, "more": more}


@register.inclusion_tag("kit/web/_one_tap.html")
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


@register.inclusion_tag("kit/web/_looks_like.html")
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
        "borrowed": names.foreign_lookalikes(str(name)),
        "perhaps": (perhaps or {}).get(key, ()),
    }


# What may be done by keyboard: one table, from which pages write the list under ``?``.
#
# The scripts read their keys from the same list (`static/js/keyways.js`): what is written there is
# what works. A row whose script a page does not have is not shown on that page. The names of keys
# are those of ``KeyboardEvent.key``; a capital letter means Shift.


SHOWN: Final = {
    "ArrowUp": "↑", "ArrowDown": "↓", "ArrowLeft": "←", "ArrowRight": "→", "Escape": "Esc",
    "Control+k": "Ctrl K", "Meta+k": "⌘ K",
}  # fmt: skip
"""How keys are written whose names are not on them; others as a capital letter or as they are."""
DIGITS: Final = "0 1 2 3 4 5 6 7 8 9"


@dataclass(frozen=True, slots=True)
class Keyway:
    """
    Something that is done by keys.

    :param name: the name by which a script asks for it.
    :param keys: any of these does it, separated by spaces.
    :param only: those of the keys that are shown; "": all of them.
    """

    name: str
    keys: str
    title: _StrPromise
    only: str = ""

    @property
    def shown(self) -> list[str]:
        """The keys as they are written on keyboards."""
        return [_write_key(key) for key in (self.only or self.keys).split()]


@dataclass(frozen=True, slots=True)
class Keyset:
    """The keys of one place, under a heading."""

    name: str
    title: _StrPromise
    keyways: tuple[Keyway, ...]


def _write_key(key: str) -> str:
    return SHOWN.get(key) or (key.upper() if len(key) == 1 else key)


KEYSETS: Final[tuple[Keyset, ...]] = (
    Keyset("table", gettext_lazy("At the table"), (
        Keyway("dice-back", "Backspace - Delete", gettext_lazy("take the last die back"),
               only="Backspace -"),
        Keyway("enter", "Enter", gettext_lazy("the main key of the moment")),
        Keyway("stand", "s +", gettext_lazy("stand: take the hand")),
        Keyway("undo", "u /", gettext_lazy("undo the last throw")),
        Keyway("no-throw", "n *",
               gettext_lazy("no throw, then 1 cocked, 2 off the table, 3 interference")),
        Keyway("void", "v", gettext_lazy("void from an entry further back")),
        Keyway("void-further", "ArrowDown", gettext_lazy("to an older entry")),
        Keyway("void-nearer", "ArrowUp", gettext_lazy("to a newer entry")),
        Keyway("pause", "p", gettext_lazy("break: pause the table")),
        Keyway("buy-in", "i", gettext_lazy("who is out buys in")),
    )),
    Keyset("hall", gettext_lazy("In the hall"), (
        Keyway("hall-number", DIGITS, gettext_lazy("open the table of this number"), only="1 … 9"),
        Keyway("hall-open", "Enter", gettext_lazy("open it at once")),
        Keyway("hall-before", "ArrowLeft", gettext_lazy("to the table before")),
        Keyway("hall-next", "ArrowRight", gettext_lazy("to the next table")),
        Keyway("hall-up", "ArrowUp", gettext_lazy("to the table above")),
        Keyway("hall-down", "ArrowDown", gettext_lazy("to the table below")),
        Keyway("hall-needs", "n", gettext_lazy("only tables that need somebody")),
    )),
    Keyset("lists", gettext_lazy("In lists and rounds"), (
        Keyway("find-here", "/", gettext_lazy("to the search box of this page")),
        Keyway("row-next", "j", gettext_lazy("to the next row")),
        Keyway("row-before", "k", gettext_lazy("to the row before")),
        Keyway("row-open", "Enter", gettext_lazy("open the row")),
        Keyway("step-before", "ArrowLeft", gettext_lazy("one step back")),
        Keyway("step-next", "ArrowRight", gettext_lazy("one step on")),
    )),
    Keyset("everywhere", gettext_lazy("Everywhere"), (
        Keyway("find", "Control+k Meta+k", gettext_lazy("find or do anything")),
        Keyway("find-slash", "/", gettext_lazy("the same, on a page without a search box")),
        Keyway("keys", "?", gettext_lazy("this list")),
        Keyway("close", "Escape", gettext_lazy("close what is open")),
    )),
)  # fmt: skip
