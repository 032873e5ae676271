"""
Voids, overrides and adjustments (C1, C2): what was corrected, by whom, and why.

Each line has the coins that settlement moved back because of the correction.
"""

from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from django.db.models import Q, Sum
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.kit.approvals.models import ExceptionRow
from casino.kit.documents.report import Column, Figure, Filter, Line, Report, Table
from casino.play.settlement.entries import NAMESPACE
from casino.play.settlement.settled import SETTLEMENT
from casino.reports.registers import history
from casino.reports.registers.exceptions.lines import KINDS, LineBuilder, What
from ledger import journal
from ledger.models import Event, Transfer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment
    from casino.kit.documents.report import Query
    from casino.reports.registers.exceptions import lines as exception_lines

LISTED: Final = (What.VOID, What.OVERRIDE, What.ADJUSTMENT, What.ALONE, What.REVIEW, What.PAYOUTS)
BACK: Final = "G4"
"""The reason (a rule number) of every transfer by which a void moves coins back."""


def rows(query: Query) -> QuerySet[ExceptionRow]:
    found = history.of_period(ExceptionRow.objects.all(), query)
    kind = query.chosen.get("kind")
    return found.filter(what__in=[kind] if kind else LISTED)


def lines(query: Query) -> Iterator[Line]:
    for part in history.chunks(rows(query).values_list("position", flat=True)):
        back = coins_moved_back(query, part)
        reviewed = _positions_reviewed(query, part)
        for line in LineBuilder(query.house, part).lines():
            seen = line.position in reviewed
            known = line if seen else replace(line, reviewed_by=None, in_order=None)
            yield _line(known, back.get(line.position))


def _line(line: exception_lines.Line, back: int | None) -> Line:
    decided = line.decided_by.name if line.decided_by else ""
    return Line(
        cells=(
            line.gaming_day,
            line.recorded_at,
            line.title,
            line.what if line.what != line.title else "",
            line.where,
            line.amount,
            back,
            line.asked_by.name,
            _("nobody: done alone") if line.alone and not decided else decided,
            _review(line),
            line.reason,
            line.decision,
        ),
        position=line.position,
        address=line.address,
    )


def _review(line: exception_lines.Line) -> str:
    if not line.reviewed_by:
        return _("not yet") if line.alone else ""
    found = _("in order") if line.in_order else _("not in order")
    return f"{line.reviewed_by.name}: {found}"


def _positions_reviewed(query: Query, positions: Collection[int]) -> set[int]:
    """The positions of acts done alone that were reviewed by the position, and of the reviews."""
    reviews = ExceptionRow.objects.filter(
        establishment=query.house,
        what=What.REVIEW,
        position__range=(min(positions), query.through),
    ).filter(Q(before__in=list(positions)) | Q(position__in=list(positions)))
    found = reviews.values_list("before", "position")
    return {at for pair in found for at in pair if at is not None}


def coins_moved_back(query: Query, positions: Collection[int]) -> Mapping[int, int]:
    """The coins that were moved back because of these events, by position; three queries."""
    causes = Event.objects.filter(establishment=query.house.pk, position__in=list(positions))
    commands = {
        uuid.uuid5(NAMESPACE, f"{SETTLEMENT}/{event}"): position
        for event, position in causes.values_list("event_id", "position")
    }
    effects = journal.between(
        Event.objects.filter(establishment=query.house.pk, command_id__in=list(commands)),
        through=query.through,
    )
    found = {at: commands[command] for at, command in effects.values_list("position", "command_id")}
    back: Counter[int] = Counter()
    for at, coins in _reversals(query.house.pk, list(found)):
        back[found[at]] += coins
    return back


def _reversals(house: UUID, positions: list[int]) -> list[tuple[int, int]]:
    moved = Transfer.objects.filter(
        establishment=house, position__in=positions, reverses__isnull=False
    )
    sums = moved.order_by().values_list("position").annotate(coins=Sum("amount"))
    return [(at, int(coins)) for at, coins in sums]


def by_ledger(query: Query) -> int:
    """The coins that the ledger's reversing transfers moved back for voids of these days."""
    first, _last = history.stretch(query)
    moved = Transfer.objects.filter(
        establishment=query.house.pk,
        reverses__isnull=False,
        reason=BACK,
        position__range=(first, query.through),
    )
    whole = 0
    sums = moved.order_by().values_list("position").annotate(coins=Sum("amount"))
    for part in history.chunks(sums):
        causes = Event.objects.filter(
            establishment=query.house.pk, position__in=[at for at, _coins in part]
        )
        of_event = dict(causes.values_list("position", "causation_id"))
        days = Event.objects.filter(
            establishment=query.house.pk,
            event_id__in=[each for each in of_event.values() if each],
            gaming_day__range=(query.since, query.until),
        )
        mine = set(days.values_list("event_id", flat=True))
        whole += sum(int(coins) for at, coins in part if of_event[at] in mine)
    return whole


def figures(query: Query) -> Sequence[Figure]:
    kinds = Counter(rows(query).order_by().values_list("what", flat=True))
    back = sum(
        sum(coins_moved_back(query, part).values())
        for part in history.chunks(rows(query).values_list("position", flat=True))
    )
    only = query.chosen.get("kind")
    return (
        *(
            Figure(name=str(kind), title=KINDS[kind][0], value=kinds[kind])
            for kind in LISTED
            if only in {None, kind}
        ),
        Figure(
            name="taken_back", title=_("Coins moved back"), kind="money", value=back,
            agrees=None if only else back == by_ledger(query),
        ),
    )  # fmt: skip


def _choices(_house: Establishment) -> Sequence[tuple[str, str]]:
    return [(str(kind), str(KINDS[kind][0])) for kind in LISTED]


REPORT: Final = Report(
    name="voids",
    title=gettext_lazy("Voids and overrides"),
    about=gettext_lazy(
        "What was voided, overridden, adjusted or done alone: who asked, who decided, why, and what"
        " was moved back."
    ),
    controls=("C1", "C2"),
    filters=(Filter(name="kind", title=gettext_lazy("Kind"), choices=_choices),),
    figures=figures,
    tables=(
        Table(
            name="voids",
            title=gettext_lazy("Voids and overrides"),
            columns=(
                Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day"),
                Column(name="recorded_at", title=gettext_lazy("Recorded"), kind="moment"),
                Column(name="kind", title=gettext_lazy("Kind")),
                Column(name="what", title=gettext_lazy("What")),
                Column(name="where", title=gettext_lazy("Where")),
                Column(name="amount", title=gettext_lazy("Amount"), kind="money"),
                Column(name="back", title=gettext_lazy("Moved back"), kind="money", total=True),
                Column(name="asked_by", title=gettext_lazy("Asked or done by")),
                Column(name="decided_by", title=gettext_lazy("Decided by")),
                Column(name="review", title=gettext_lazy("Review")),
                Column(name="reason", title=gettext_lazy("Reason")),
                Column(name="decision", title=gettext_lazy("Decision")),
            ),
            lines=lines,
            size=lambda query: rows(query).count(),
            empty=gettext_lazy("Nothing was voided or overridden in these days."),
        ),
    ),
)
