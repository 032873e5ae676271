"""
The navigation of the office: at most ten main entries, each with the sections that belong to it.

A role sees the sections whose first page it may open. What waits in a section for somebody has a
number beside it, and beside its main entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.urls import reverse
from django.utils.module_loading import import_string

from casino.house.attendants import permissions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from uuid import UUID

    from django.utils.functional import _StrPromise

    from casino.house.attendants.permissions import Act
    from casino.house.establishments.models import Establishment

GROUPS_MOST: Final = 10
"""How many main entries there may be: as many as people find at a glance."""


@dataclass(frozen=True, slots=True)
class Section:
    """
    A section of the office.

    :param name: the section's name, which its pages give.
    :param url: the name of its first page.
    :param act: people who may do this see the section.
    :param other: people who may do this see the section too.
    :param waiting: how many things wait there for somebody, at a house.
    :param words: other words by which people look for it, separated by spaces.
    """

    name: str
    title: _StrPromise
    url: str
    act: Act
    waiting: Callable[[UUID], int] | None = None
    other: Act | None = None
    words: _StrPromise | str = ""

    def opens_for(self, role: str) -> bool:
        return any(each and role in permissions.ALLOWED[each] for each in (self.act, self.other))


@dataclass(frozen=True, slots=True)
class Group:
    """A main entry of the navigation. Its first section that a role sees is where it leads."""

    name: str
    title: _StrPromise
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A section as one person sees it."""

    name: str
    title: str
    url: str
    waiting: int
    group: Group


@dataclass(frozen=True, slots=True)
class MainEntry:
    """
    A main entry as one person sees it.

    :param entries: its sections that the person sees; only those of the group that is `open` are
        shown below it. Empty if there is no choice between several.
    :param open: whether the current page belongs to it.
    :param current: the section of the current page, among `entries`.
    """

    title: str
    url: str
    waiting: int
    entries: Sequence[Entry]
    open: bool
    current: Entry | None


def groups() -> tuple[Group, ...]:
    """The main entries in their order; the setting ``OFFICE_SECTIONS`` names them."""
    found: tuple[Group, ...] = import_string(settings.OFFICE_SECTIONS)
    return found


def entries(house: Establishment, role: str) -> Iterator[Entry]:
    """The sections that a role sees at a house, in order, with what waits in each."""
    for group in groups():
        for each in group.sections:
            if each.opens_for(role):
                waiting = each.waiting(house.pk) if each.waiting else 0
                yield Entry(each.name, str(each.title), reverse(each.url), waiting, group)


def main_entries(found: Sequence[Entry], section: str, path: str) -> list[MainEntry]:
    """
    The sections of a person as main entries, with the one open that the current page belongs to.

    :param section: which the current page gives.
    :param path: of the current page. The section whose address it begins with is the current one,
        because several sections may have pages in common.
    """
    here = _current(found, section, path)
    made = []
    for group in groups():
        mine = [each for each in found if each.group is group]
        if not mine:
            continue
        alone = len(mine) == 1
        # The only one that a role sees of several is called by its own name.
        own_name = alone and mine[0].name != group.sections[0].name
        is_open = here is not None and here.group is group
        made.append(
            MainEntry(
                title=mine[0].title if own_name else str(group.title),
                url=mine[0].url,
                waiting=sum(each.waiting for each in mine),
                entries=() if alone else mine,
                open=is_open,
                current=here if is_open else None,
            )
        )
    return made


def _current(found: Sequence[Entry], section: str, path: str) -> Entry | None:
    """The entry whose address the path begins with, the longest; else the one of that name."""
    start = reverse("start")
    within = [each for each in found if each.url != start and path.startswith(each.url)]
    if within:
        return max(within, key=lambda each: len(each.url))
    return next((each for each in found if each.name == section), None)
