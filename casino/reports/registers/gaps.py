"""
Gaps in the sequence numbers of floor devices (E5), so that no missing entry stays unnoticed.

A gap is recorded once. The device log of its game says whether the gap was filled or closed by the
position.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.kit.documents.report import Column, Figure, Line, Report, Table
from casino.play.devices import device_log, queries
from casino.play.devices.models import GapRow
from casino.reports.registers import history

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.db.models import QuerySet

    from casino.kit.documents.report import Query

ENDS: Final = (device_log.GAP_FILLED, device_log.GAP_CLOSED)
OPEN, FILLED, CLOSED = "open", "filled", "closed"
STATES: Final = {
    OPEN: gettext_lazy("open"),
    FILLED: gettext_lazy("arrived after all"),
    CLOSED: gettext_lazy("closed"),
}


@dataclass(slots=True)
class Then:
    """The state of a gap at the position: how many numbers had arrived, and where it was closed."""

    filled: int = 0
    closed: int | None = None


def rows(query: Query) -> QuerySet[GapRow]:
    found = history.of_period(GapRow.objects.select_related("table"), query)
    if table := query.chosen.get("table"):
        found = found.filter(table=UUID(table))
    return found


def became(query: Query, part: Sequence[GapRow]) -> dict[tuple[UUID, int], Then]:
    """The state of each gap, by game and number of the gap; one query for all of them."""
    found: dict[tuple[str, int], Then] = defaultdict(Then)
    streams = {device_log.stream_of(row.game) for row in part}
    for event in history.events(query.house, streams, ENDS, query.through):
        then = found[event.data["game"], event.data["gap"]]
        if event.event_type == device_log.GAP_CLOSED:
            then.closed = event.position
        else:
            then.filled += len(event.data["numbers"])
    return {(row.game, row.number): found[str(row.game), row.number] for row in part}


def state(row: GapRow, then: Then) -> str:
    if then.closed is not None:
        return CLOSED
    return FILLED if then.filled > row.last - row.first else OPEN


def lines(query: Query) -> Iterator[Line]:
    for part in history.chunks(rows(query)):
        known = became(query, part)
        for card in queries.gap_cards(query.house, part):
            row, then = card.row, known[card.row.game, card.row.number]
            status = state(row, then)
            closed = status == CLOSED
            yield Line(
                cells=(
                    row.gaming_day,
                    row.found_at,
                    card.table,
                    card.title,
                    row.device,
                    row.first,
                    row.last,
                    card.count,
                    then.filled,
                    card.held_by,
                    str(STATES[status]),
                    card.closed_by if closed else "",
                    card.reason if closed else "",
                    then.closed,
                ),
                position=row.position,
            )


def figures(query: Query) -> Sequence[Figure]:
    found = missing = 0
    for part in history.chunks(rows(query)):
        known = became(query, part)
        for row in part:
            then = known[row.game, row.number]
            found += 1
            missing += row.last - row.first + 1 - then.filled if state(row, then) == OPEN else 0
    return (
        Figure(name="gaps", title=_("Gaps found"), value=found),
        Figure(name="missing", title=_("Entries still missing"), value=missing),
    )


REPORT: Final = Report(
    name="gaps",
    title=gettext_lazy("Sequence gaps"),
    about=gettext_lazy(
        "Numbers that a device skipped: found when, by whose entry, and whether they arrived or"
        " somebody closed the gap, with the reason."
    ),
    controls=("E5",),
    filters=(history.TABLE,),
    figures=figures,
    tables=(
        Table(
            name="gaps",
            title=gettext_lazy("Gaps"),
            columns=(
                Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day"),
                Column(name="found_at", title=gettext_lazy("Found"), kind="moment"),
                Column(name="table", title=gettext_lazy("Table")),
                Column(name="game", title=gettext_lazy("Game")),
                Column(name="device", title=gettext_lazy("Device")),
                Column(name="first", title=gettext_lazy("From"), kind="number"),
                Column(name="last", title=gettext_lazy("To"), kind="number"),
                Column(name="entries", title=gettext_lazy("Entries"), kind="number", total=True),
                Column(name="arrived", title=gettext_lazy("Arrived"), kind="number", total=True),
                Column(name="held_by", title=gettext_lazy("Entered by")),
                Column(name="state", title=gettext_lazy("State")),
                Column(name="closed_by", title=gettext_lazy("Closed by")),
                Column(name="reason", title=gettext_lazy("Reason")),
                Column(name="closed_at_position", title=gettext_lazy("Closed at"), kind="number"),
            ),
            lines=lines,
            size=lambda query: rows(query).count(),
            empty=gettext_lazy("No number of any device is missing in these days."),
        ),
    ),
)
