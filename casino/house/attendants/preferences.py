"""
List preferences of a person: the order of a list and how many lines of it, stored between visits.

Filters are never stored: a list that hides something without being asked to is misleading.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import DatabaseError, transaction

from casino.house.attendants.models import ListPreference

if TYPE_CHECKING:
    from casino.house.attendants.models import Attendant


@dataclass(frozen=True, slots=True)
class Kept:
    """:param sort: "": the list's own order. :param lines: lines of a page; 0: the usual number."""

    sort: str = ""
    lines: int = 0


def of_list(person: Attendant, listing: str) -> Kept:
    found = ListPreference.objects.filter(attendant=person, listing=listing)
    row = found.values_list("sort", "lines").first()
    return Kept(*row) if row else Kept()


def keep_list(person: Attendant, listing: str, *, sort: str, lines: int) -> None:
    """Store a preference; a failure is ignored (storage may be read-only): the page is shown."""
    if of_list(person, listing) == Kept(sort, lines):
        return
    try:
        with transaction.atomic():
            ListPreference.objects.update_or_create(
                attendant=person, listing=listing, defaults={"sort": sort, "lines": lines}
            )
    except DatabaseError:
        return
