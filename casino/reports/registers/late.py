"""
Reports of late and offline entries (E5, B4), and of gaps in the numbers of devices' entries.

An entry is late if it was recorded later than it happened. Also the entries that devices sent too
late to be put to the game without a supervisor, with their states at the position.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.kit.documents.report import Column, Figure, Filter, Line, Report, Table
from casino.play.devices import device_log, queries
from casino.play.devices.models import GapRow, LateRow
from casino.reports.gaming_days.models import LateEntry
from casino.reports.registers import history
from casino.reports.registers.exceptions.queries import (
    KINDS,
    LATE,
    LATENESS,
    OFFLINE,
    QUEUED,
    SENT_LATER,
    SKEW,
    LineBuilder,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment
    from casino.kit.documents.report import Query

State = LateRow.State
LISTED: Final = (LATE, OFFLINE, SKEW)
LATE_STATES: Final = {
    State.WAITING: gettext_lazy("waiting"),
    State.PUT: gettext_lazy("put to the game"),
    State.DISMISSED: gettext_lazy("dismissed"),
    State.DROPPED: gettext_lazy("dropped on its device"),
}


def rows_of_entries(query: Query) -> QuerySet[LateEntry]:
    found = history.of_period(LateEntry.objects.all(), query)
    kind = query.chosen.get("kind")
    if kind in LATENESS:
        found = found.filter(kind__in=LATENESS[kind])
    if kind == OFFLINE:
        found = found.filter(SENT_LATER)
    if kind == SKEW:
        found = found.exclude(SENT_LATER)
    return found


def kind_of(row: LateEntry) -> str:
    if row.kind != LateEntry.Kind.SKEW:
        return LATE
    return OFFLINE if row.seconds > 0 and row.device.startswith(QUEUED) else SKEW


def entry_lines(query: Query) -> Iterator[Line]:
    for part in history.chunks(rows_of_entries(query)):
        described = LineBuilder(query.house, [row.position for row in part]).lines()
        for row, line in zip(part, described, strict=True):
            title, control = KINDS[kind_of(row)]
            yield Line(
                cells=(
                    row.gaming_day,
                    row.meant_for,
                    row.occurred_at,
                    row.recorded_at,
                    row.seconds,
                    str(title),
                    control,
                    line.what,
                    line.where,
                    row.device,
                    line.asked_by.name,
                ),
                position=row.position,
                address=line.address,
            )


def late_rows(query: Query) -> QuerySet[LateRow]:
    found = history.of_period(LateRow.objects.select_related("table"), query)
    if table := query.chosen.get("table"):
        found = found.filter(table=UUID(table))
    return found


def then(query: Query, part: Sequence[LateRow]) -> list[LateRow]:
    """The rows as of the position: later attempts and decisions are removed."""
    streams = {device_log.stream_of(row.game) for row in part}
    tries: Counter[tuple[str, int]] = Counter()
    refused: dict[tuple[str, int], str] = {}
    for event in history.events(query.house, streams, [device_log.REFUSED], query.through):
        key = event.data["game"], event.data["entry"]
        tries[key] += 1
        refused[key] = event.data["refused"]
    for row in part:
        key = str(row.game), row.number
        if row.tries != tries[key]:
            row.tries, row.refused = tries[key], refused.get(key, "")
        if history.behind(query, row.decided_position):
            row.state, row.decided_by, row.reason = State.WAITING, "", ""
            row.decided_at = row.decided_position = None
    return list(part)


def late_lines(query: Query) -> Iterator[Line]:
    for part in history.chunks(late_rows(query)):
        for card in queries.late_cards(query.house, then(query, part)):
            row = card.row
            yield Line(
                cells=(
                    row.gaming_day,
                    row.made_at,
                    row.listed_at,
                    card.table,
                    card.title,
                    row.device,
                    row.seq,
                    card.made_by,
                    card.taken_over_by,
                    card.taken_over_why,
                    row.tries,
                    str(LATE_STATES[State(row.state)]),
                    card.decided_by,
                    card.reason,
                    row.decided_position,
                ),
                position=row.position,
            )


def late_figures(query: Query) -> Sequence[Figure]:
    kinds: Counter[str] = Counter()
    most = 0
    for row in rows_of_entries(query).iterator(chunk_size=history.CHUNK):
        kinds[kind_of(row)] += 1
        most = max(most, row.seconds)
    states = Counter(
        row.state for part in history.chunks(late_rows(query)) for row in then(query, part)
    )
    return (
        *(Figure(name=kind, title=KINDS[kind][0], value=kinds[kind]) for kind in LISTED),
        Figure(name="longest", title=_("Longest delay"), kind="seconds", value=most),
        Figure(
            name="waiting", title=_("Kept for a supervisor, and waiting"),
            value=states[State.WAITING],
        ),
    )  # fmt: skip


def _choices(_house: Establishment) -> Sequence[tuple[str, str]]:
    return [(kind, str(KINDS[kind][0])) for kind in LISTED]


LATE_ENTRIES: Final = Report(
    name="late",
    title=gettext_lazy("Late and offline entries"),
    about=gettext_lazy(
        "Entries whose time at the table and time on record lie apart, and entries that devices"
        " sent too late to be put without a supervisor."
    ),
    controls=("B4", "E3", "E5"),
    filters=(
        Filter(name="kind", title=gettext_lazy("Kind"), choices=_choices),
        history.TABLE,
    ),
    figures=late_figures,
    tables=(
        Table(
            name="late",
            title=gettext_lazy("Entries on record later than they happened"),
            columns=(
                Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day"),
                Column(name="meant_for", title=gettext_lazy("Happened on"), kind="day"),
                Column(name="occurred_at", title=gettext_lazy("At the table"), kind="moment"),
                Column(name="recorded_at", title=gettext_lazy("Recorded"), kind="moment"),
                Column(name="seconds", title=gettext_lazy("Later by"), kind="seconds"),
                Column(name="kind", title=gettext_lazy("Kind")),
                Column(name="control", title=gettext_lazy("Control")),
                Column(name="what", title=gettext_lazy("What")),
                Column(name="where", title=gettext_lazy("Where")),
                Column(name="device", title=gettext_lazy("Device")),
                Column(name="by", title=gettext_lazy("By")),
            ),
            lines=entry_lines,
            size=lambda query: rows_of_entries(query).count(),
            empty=gettext_lazy("Everything of these days was recorded as it happened."),
        ),
        Table(
            name="kept",
            title=gettext_lazy("Kept for a supervisor"),
            columns=(
                Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day"),
                Column(name="made_at", title=gettext_lazy("Made"), kind="moment"),
                Column(name="listed_at", title=gettext_lazy("Arrived"), kind="moment"),
                Column(name="table", title=gettext_lazy("Table")),
                Column(name="game", title=gettext_lazy("Game")),
                Column(name="device", title=gettext_lazy("Device")),
                Column(name="number", title=gettext_lazy("Number"), kind="number"),
                Column(name="made_by", title=gettext_lazy("Made by")),
                Column(name="taken_over_by", title=gettext_lazy("Taken over by")),
                Column(name="taken_over_why", title=gettext_lazy("Why it was taken over")),
                Column(name="tries", title=gettext_lazy("Refused"), kind="number"),
                Column(name="state", title=gettext_lazy("State")),
                Column(name="decided_by", title=gettext_lazy("Decided by")),
                Column(name="reason", title=gettext_lazy("Reason")),
                Column(name="decided_at_position", title=gettext_lazy("Decided at"), kind="number"),
            ),
            lines=late_lines,
            empty=gettext_lazy("No entry waited for a supervisor in these days."),
        ),
    ),
)


#
# Gaps in the sequence numbers of floor devices (E5), so that no missing entry stays unnoticed.
#
# A gap is recorded once. The device log of its game says whether the gap was filled or closed by
# the position.


ENDS: Final = (device_log.GAP_FILLED, device_log.GAP_CLOSED)
OPEN, FILLED, CLOSED = "open", "filled", "closed"
GAP_STATES: Final = {
    OPEN: gettext_lazy("open"),
    FILLED: gettext_lazy("arrived after all"),
    CLOSED: gettext_lazy("closed"),
}


@dataclass(slots=True)
class GapThen:
    """The state of a gap at the position: how many numbers had arrived, and where it was closed."""

    filled: int = 0
    closed: int | None = None


def gap_rows(query: Query) -> QuerySet[GapRow]:
    found = history.of_period(GapRow.objects.select_related("table"), query)
    if table := query.chosen.get("table"):
        found = found.filter(table=UUID(table))
    return found


def became(query: Query, part: Sequence[GapRow]) -> dict[tuple[UUID, int], GapThen]:
    """The state of each gap, by game and number of the gap; one query for all of them."""
    found: dict[tuple[str, int], GapThen] = defaultdict(GapThen)
    streams = {device_log.stream_of(row.game) for row in part}
    for event in history.events(query.house, streams, ENDS, query.through):
        then = found[event.data["game"], event.data["gap"]]
        if event.event_type == device_log.GAP_CLOSED:
            then.closed = event.position
        else:
            then.filled += len(event.data["numbers"])
    return {(row.game, row.number): found[str(row.game), row.number] for row in part}


def gap_state(row: GapRow, then: GapThen) -> str:
    if then.closed is not None:
        return CLOSED
    return FILLED if then.filled > row.last - row.first else OPEN


def gap_lines(query: Query) -> Iterator[Line]:
    for part in history.chunks(gap_rows(query)):
        known = became(query, part)
        for card in queries.gap_cards(query.house, part):
            row, then = card.row, known[card.row.game, card.row.number]
            status = gap_state(row, then)
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
                    str(GAP_STATES[status]),
                    card.closed_by if closed else "",
                    card.reason if closed else "",
                    then.closed,
                ),
                position=row.position,
            )


def gap_figures(query: Query) -> Sequence[Figure]:
    found = missing = 0
    for part in history.chunks(gap_rows(query)):
        known = became(query, part)
        for row in part:
            then = known[row.game, row.number]
            found += 1
            missing += row.last - row.first + 1 - then.filled if gap_state(row, then) == OPEN else 0
    return (
        Figure(name="gaps", title=_("Gaps found"), value=found),
        Figure(name="missing", title=_("Entries still missing"), value=missing),
    )


GAPS: Final = Report(
    name="gaps",
    title=gettext_lazy("Sequence gaps"),
    about=gettext_lazy(
        "Numbers that a device skipped: found when, by whose entry, and whether they arrived or"
        " somebody closed the gap, with the reason."
    ),
    controls=("E5",),
    filters=(history.TABLE,),
    figures=gap_figures,
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
            lines=gap_lines,
            size=lambda query: gap_rows(query).count(),
            empty=gettext_lazy("No number of any device is missing in these days."),
        ),
    ),
)
