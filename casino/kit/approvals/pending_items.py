"""
Things that wait for somebody on other pages: a large prize for its witness, a dispute for its end.

`config.parts` registers what an area has of such lists. The queue of requests
shows its items and links to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from casino.engine.processes import registrations

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from uuid import UUID

    from casino.house.attendants.permissions import Act
    from casino.house.establishments.models import Establishment


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingItem:
    """One thing that waits: what it is, since when, about how many coins, and where it is done."""

    title: str
    sentence: str
    since: datetime
    address: str
    amount: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """
    A list of things that wait, as an area registers it.

    :param act: people who may do this see the list.
    :param count: how many wait at a house, in one cheap query; None where the area shows its number
        itself.
    :param items: the oldest of them, up to a given number, with names put in.
    """

    name: str
    act: Act
    count: Callable[[UUID], int] | None
    items: Callable[[Establishment, int], Sequence[PendingItem]]


_SOURCES: dict[str, Source] = {}


def register(source: Source) -> None:
    """Register a source, from `config.parts`. Repeated calls change nothing."""
    _SOURCES.setdefault(source.name, source)


def sources() -> Sequence[Source]:
    registrations.everything()
    return tuple(_SOURCES.values())


def waiting(establishment: UUID) -> int:
    return sum(source.count(establishment) for source in sources() if source.count)


def items(house: Establishment, allowed: Callable[[Act], bool], *, most: int) -> list[PendingItem]:
    """What waits on other pages for somebody with these permissions, the oldest first."""
    found = [
        item for source in sources() if allowed(source.act) for item in source.items(house, most)
    ]
    return sorted(found, key=lambda item: item.since)[:most]
