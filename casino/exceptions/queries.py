"""
The exception report (C2): what was void, overridden, late, changed, approved or done alone.

One line for each entry of the ledger that is out of the ordinary, newest first. Two read models
bear it: what `casino.approvals` lists, and the entries that `casino.gaming_days` finds late; where
an entry stands in both, it is one line that says so. Counts that came out right, tables handed over
and tables opened again are in order, and not here.

A page costs the same however long the record is: positions are found by index, and all that the
lines speak of is looked up for the whole page at once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q

from casino.approvals.models import ExceptionRow
from casino.exceptions.lines import LATE, OFFLINE, QUEUED, SKEW, Told, What
from casino.gaming_days.models import LateEntry
from casino.web.listings.keyset import Numbered

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from django.db.models import QuerySet

    from casino.establishments.models import Establishment
    from casino.exceptions.lines import Line

LATENESS: Final = {
    LATE: (LateEntry.Kind.LATE, LateEntry.Kind.BOOKED),
    OFFLINE: (LateEntry.Kind.SKEW,),
    SKEW: (LateEntry.Kind.SKEW,),
}
SENT_LATER: Final = Q(seconds__gt=0, device__startswith=QUEUED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """
    What of the report somebody asks for.

    :param since: the first gaming day; `until`: the last.
    :param kind: one of `KINDS`, or "" for all.
    :param person: the id of who asked, did or decided it, or "" for everybody.
    """

    since: date | None = None
    until: date | None = None
    kind: str = ""
    person: str = ""


@dataclass(frozen=True, slots=True)
class Entries(Numbered):
    """The entries that are wanted, by position."""

    house: Establishment
    wanted: Wanted

    def narrowed(self, **wanted: Any) -> Entries:
        return Entries(self.house, replace(self.wanted, **wanted))

    def behind(self, number: int | None, *, falls: bool, most: int) -> list[int]:
        """Of each source so many are looked up by themselves: the first of all are among them."""
        found: set[int] = set()
        for rows in self._sources():
            if number is not None:
                beyond = "position__lt" if falls else "position__gt"
                rows = rows.filter(**{beyond: number})  # noqa: PLW2901 - narrowed
            ordered = rows.order_by("-position" if falls else "position")
            found.update(ordered.values_list("position", flat=True)[:most])
        return sorted(found, reverse=falls)[:most]

    def _sources(self) -> Iterator[QuerySet[Any]]:
        wanted = self.wanted
        for rows in _sources(self.house, wanted):
            if wanted.since:
                rows = rows.filter(gaming_day__gte=wanted.since)  # noqa: PLW2901 - narrowed
            if wanted.until:
                rows = rows.filter(gaming_day__lte=wanted.until)  # noqa: PLW2901 - narrowed
            yield rows


def page(
    house: Establishment, wanted: Wanted, *, most: int, before: int | None = None
) -> tuple[list[Line], int | None]:
    """Lines before a position, newest first, `most` of them; and where the older ones begin."""
    found = Entries(house, wanted).behind(before, falls=True, most=most + 1)
    listed = found[:most]
    return Told(house, listed).lines(), listed[-1] if len(found) > most else None


def newest(house: Establishment, most: int) -> list[int]:
    """The positions of the newest entries."""
    return Entries(house, Wanted()).behind(None, falls=True, most=most)


def address(line: Line, *, audits: bool) -> str:
    """The page of what a line is about, where a role may open it; "" else (D1)."""
    return line.address if audits or line.kind != What.CONFIGURATION else ""


def _sources(house: Establishment, wanted: Wanted) -> Iterator[QuerySet[Any]]:
    """What is wanted, in queries that an index bears each."""
    rows = ExceptionRow.objects.filter(establishment=house)
    late = LateEntry.objects.filter(establishment=house)
    if wanted.kind not in LATENESS:
        if wanted.kind:
            rows = rows.filter(what=wanted.kind)
        if wanted.person:
            yield rows.filter(actor=wanted.person)
            yield rows.filter(asked_by=wanted.person)
        else:
            yield rows
    if wanted.kind in LATENESS:
        late = late.filter(kind__in=LATENESS[wanted.kind])
    if wanted.kind == OFFLINE:
        late = late.filter(SENT_LATER)
    if wanted.kind == SKEW:
        late = late.exclude(SENT_LATER)
    if not wanted.kind or wanted.kind in LATENESS:
        yield late.filter(actor=wanted.person) if wanted.person else late
