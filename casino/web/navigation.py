"""The sections of the office that a role sees in the navigation on the left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.urls import reverse
from django.utils.module_loading import import_string

from casino.attendants import permissions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

    from django.utils.functional import _StrPromise

    from casino.attendants.permissions import Act
    from casino.establishments.models import Establishment


@dataclass(frozen=True, slots=True)
class Section:
    """
    A section of the office.

    :param name: the section's name, which its pages give.
    :param url: the name of its first page.
    :param act: people who may do this see the section.
    :param other: people who may do this see the section too.
    :param apart: whether a new group begins here, with a line above it.
    :param waiting: how many things wait there for somebody, at a house.
    """

    name: str
    title: _StrPromise
    url: str
    act: Act
    waiting: Callable[[UUID], int] | None = None
    other: Act | None = None
    apart: bool = False

    def opens_for(self, role: str) -> bool:
        return any(each and role in permissions.ALLOWED[each] for each in (self.act, self.other))


@dataclass(frozen=True, slots=True)
class Entry:
    name: str
    title: str
    url: str
    waiting: int
    apart: bool


def sections() -> tuple[Section, ...]:
    """The sections in the order of the navigation; the setting ``OFFICE_SECTIONS`` names them."""
    found: tuple[Section, ...] = import_string(settings.OFFICE_SECTIONS)
    return found


def entries(house: Establishment, role: str) -> Iterator[Entry]:
    """The entries of the navigation for a role at a house."""
    apart = False
    for each in sections():
        apart = apart or each.apart
        if each.opens_for(role):
            waiting = each.waiting(house.pk) if each.waiting else 0
            yield Entry(each.name, str(each.title), reverse(each.url), waiting, apart)
            apart = False
