"""Everything that fits what somebody typed, in groups, for one person at one house."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy

from casino.kit.web import navigation
from casino.office.dashboard.palette import destinations, numbers, things
from casino.office.dashboard.palette.acts import Acts
from casino.office.dashboard.palette.found import Found, Typed, fitting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from casino.kit.web.pages import Page
    from casino.office.dashboard.palette.found import Kind

TITLES: Final[Mapping[Kind, Any]] = {
    "number": gettext_lazy("By this number"),
    "do": gettext_lazy("To do now"),
    "player": gettext_lazy("Players"),
    "table": gettext_lazy("Tables"),
    "game": gettext_lazy("Games"),
    "person": gettext_lazy("People who work here"),
    "report": gettext_lazy("Reports"),
    "setting": gettext_lazy("Settings"),
    "page": gettext_lazy("Pages"),
}
"""The groups in their order: what is exact first, then what is urgent, pages last."""
MOST: Final[Mapping[Kind, int]] = {"do": 8}
"""How many of a group are shown; `things.EACH_MOST` of the others."""


@dataclass(frozen=True, slots=True)
class Group:
    kind: Kind
    title: str
    found: Sequence[Found]


def find(page: Page, text: str) -> list[Group]:
    """
    What fits the text, by group, without empty groups. Without text: what waits, and all pages.

    The queries do not depend on how much the house has.
    """
    typed = Typed(text)
    if text.strip() and (named := list(numbers.find(page, typed.text))):
        return [_group("number", named)]
    entries = list(navigation.entries(page.house, page.role))
    acts = Acts(page, entries)
    found: dict[Kind, Sequence[Found]] = {
        "do": acts.fitting(typed),
        "page": fitting(typed, destinations.pages(entries, page.role)),
    }
    if not typed:
        sections = {each.url for each in entries}
        found["page"] = [each for each in found["page"] if each.url in sections]
        return [_group(kind, found[kind], len(entries)) for kind in TITLES if found.get(kind)]
    found |= {
        "player": things.players(page, typed),
        "table": things.tables(typed, acts.tables),
        "game": things.games(page, typed),
        "person": things.people(page, typed),
        "report": fitting(typed, destinations.reports(page.role)),
        "setting": fitting(typed, destinations.settings(page.role)),
    }
    return [_group(kind, found[kind]) for kind in TITLES if found.get(kind)]


def _group(kind: Kind, found: Sequence[Found], most: int = 0) -> Group:
    most = most if kind == "page" and most else MOST.get(kind, things.EACH_MOST)
    return Group(kind, str(TITLES[kind]), found[:most])
