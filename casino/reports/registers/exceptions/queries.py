"""
Queries of the exception report (C2): what was void, overridden, late, changed, approved or alone.

The report has one line for each exceptional entry of the ledger, newest first. It reads two
projections: what `casino.kit.approvals` lists, and the entries that `casino.reports.gaming_days`
finds late. An entry that is in both is one line that says so. Counts that came out right, tables
handed over and tables opened again are in order, and not in the report.

A page costs the same however long the record is: positions are found by index, and what the lines
need is looked up for the whole page at once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q

from casino.kit.approvals.models import ExceptionRow
from casino.kit.web.listings.keyset import Numbered
from casino.reports.gaming_days.models import LateEntry
from casino.reports.registers.exceptions.lines import LATE, OFFLINE, QUEUED, SKEW, LineBuilder, What

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment
    from casino.reports.registers.exceptions.lines import Line

LATENESS: Final = {
    LATE: (LateEntry.Kind.LATE, LateEntry.Kind.BOOKED),
    OFFLINE: (LateEntry.Kind.SKEW,),
    SKEW: (LateEntry.Kind.SKEW,),
}
SENT_LATER: Final = Q(seconds__gt=0, device__startswith=QUEUED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Criteria:
    """
    The filters of the report.

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
    """The entries that meet the criteria, by position."""

    house: Establishment
    criteria: Criteria

    def narrowed(self, **criteria: Any) -> Entries:
        return Entries(self.house, replace(self.criteria, **criteria))

    def behind(self, number: int | None, *, falls: bool, most: int) -> list[int]:
        """
        The first `most` positions beyond a number, in one direction.

        They are among the first `most` of each source, so each source is queried separately.
        """
        found: set[int] = set()
        for rows in self._sources():
            if number is not None:
                beyond = "position__lt" if falls else "position__gt"
                rows = rows.filter(**{beyond: number})  # noqa: PLW2901 - narrowed
            ordered = rows.order_by("-position" if falls else "position")
            found.update(ordered.values_list("position", flat=True)[:most])
        return sorted(found, reverse=falls)[:most]

    def _sources(self) -> Iterator[QuerySet[Any]]:
        criteria = self.criteria
        for rows in _sources(self.house, criteria):
            if criteria.since:
                rows = rows.filter(gaming_day__gte=criteria.since)  # noqa: PLW2901 - narrowed
            if criteria.until:
                rows = rows.filter(gaming_day__lte=criteria.until)  # noqa: PLW2901 - narrowed
            yield rows


def page(
    house: Establishment, criteria: Criteria, *, most: int, before: int | None = None
) -> tuple[list[Line], int | None]:
    """At most `most` lines before a position, newest first; and the position to go on from."""
    found = Entries(house, criteria).behind(before, falls=True, most=most + 1)
    listed = found[:most]
    return LineBuilder(house, listed).lines(), listed[-1] if len(found) > most else None


def newest(house: Establishment, most: int) -> list[int]:
    """The positions of the newest entries."""
    return Entries(house, Criteria()).behind(None, falls=True, most=most)


def address(line: Line, *, audits: bool) -> str:
    """The page of a line's subject; "" if the role may not open it (D1)."""
    return line.address if audits or line.kind != What.CONFIGURATION else ""


def _sources(house: Establishment, criteria: Criteria) -> Iterator[QuerySet[Any]]:
    """The criteria as several queries, each of which an index supports."""
    rows = ExceptionRow.objects.filter(establishment=house)
    late = LateEntry.objects.filter(establishment=house)
    if criteria.kind not in LATENESS:
        if criteria.kind:
            rows = rows.filter(what=criteria.kind)
        if criteria.person:
            yield rows.filter(actor=criteria.person)
            yield rows.filter(asked_by=criteria.person)
        else:
            yield rows
    if criteria.kind in LATENESS:
        late = late.filter(kind__in=LATENESS[criteria.kind])
    if criteria.kind == OFFLINE:
        late = late.filter(SENT_LATER)
    if criteria.kind == SKEW:
        late = late.exclude(SENT_LATER)
    if not criteria.kind or criteria.kind in LATENESS:
        yield late.filter(actor=criteria.person) if criteria.person else late
