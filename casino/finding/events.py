"""
The ledger as people browse it: events by what they are, who recorded them and what they belong to.

Unfiltered it is read from the ledger itself; else down one index of `EventLine`, at most `WINDOW`
events a page. Causes are followed by the ids that events carry, a few steps either way.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from casino.finding.models import EventLine
from ledger.models import CommandReceipt, Event
from ledger.wire import read_event

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date, datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from ledger.wire import StoredEvent

PAGE: Final = 50
WINDOW: Final = 5000  # events that a page looks at
APART: Final = timedelta(seconds=5)  # by how much clocks of one house differ, at most
STEPS: Final = 8  # causes that are followed upwards
LEVELS: Final = 3  # generations that are followed downwards
BROOD: Final = 20  # events that are shown of a generation


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """What is asked for; all of it must be so. `since` and `until`: when it was recorded."""

    kind: str = ""
    stream: str = ""
    event_type: str = ""
    actor: str = ""
    device: str = ""
    day: date | None = None
    since: datetime | None = None
    until: datetime | None = None
    correlation: UUID | None = None
    causation: UUID | None = None

    @property
    def is_empty(self) -> bool:
        return self == Sought()


@dataclass(frozen=True, slots=True)
class Listing:
    """
    :param events: the newest first.
    :param older: the position before which the next page begins; None: there is nothing older.
    :param looked: whether the page ends because enough was looked at, not because it is full.
    """

    events: Sequence[StoredEvent]
    older: int | None = None
    looked: bool = False


def listed(establishment: UUID, sought: Sought, *, before: int | None = None) -> Listing:
    """A page of the events that fit, the newest first."""
    rows = Event.objects.filter(establishment=establishment)
    if sought.is_empty:
        if before is not None:
            rows = rows.filter(position__lt=before)
        found = _read(establishment, rows.order_by("-position")[: PAGE + 1])
        return _full(found) or Listing(found)
    driver = _driver(establishment, sought)
    if before is not None:
        driver = driver.filter(position__lt=before)
    window = driver.order_by("-position").values("position")[:WINDOW]
    fitting = _fitting(establishment, sought).filter(position__in=window)
    positions = list(fitting.order_by("-position").values_list("position", flat=True)[: PAGE + 1])
    found = at(establishment, positions)
    if full := _full(found):
        return full
    end = list(driver.order_by("-position").values_list("position", flat=True)[WINDOW - 1 :][:2])
    return Listing(found, end[0], looked=True) if len(end) > 1 else Listing(found)


def _full(found: Sequence[StoredEvent]) -> Listing | None:
    return Listing(found[:PAGE], found[PAGE - 1].position) if len(found) > PAGE else None


def _driver(establishment: UUID, sought: Sought) -> QuerySet[Any]:
    """The rows of the index that is read: by the narrowest of what is asked for."""
    lines = EventLine.objects.filter(establishment=establishment)
    for name in ("causation", "correlation", "stream", "event_type", "device", "actor"):
        if wanted := getattr(sought, name):
            return _in_time(establishment, lines.filter(**{name: wanted}), sought)
    if sought.day is not None:
        days = Event.objects.filter(establishment=establishment, gaming_day=sought.day)
        return _in_time(establishment, days, sought)
    return _in_time(establishment, lines.filter(kind=sought.kind) if sought.kind else lines, sought)


def _in_time(establishment: UUID, rows: QuerySet[Any], sought: Sought) -> QuerySet[Any]:
    """From and to the positions that were recorded then, give or take what clocks differ by."""
    if sought.since is not None:
        after = _recorded(establishment).filter(recorded_at__gte=sought.since - APART)
        first = after.order_by("recorded_at", "position").values_list("position", flat=True).first()
        rows = rows.none() if first is None else rows.filter(position__gte=first)
    if sought.until is not None:
        last = position_at(establishment, sought.until + APART)
        rows = rows.none() if last is None else rows.filter(position__lte=last)
    return rows


def _recorded(establishment: UUID) -> QuerySet[EventLine]:
    return EventLine.objects.filter(establishment=establishment)


def position_at(establishment: UUID, at: datetime) -> int | None:
    """The last position that was recorded by then; None: nothing was."""
    before = _recorded(establishment).filter(recorded_at__lte=at)
    return before.order_by("-recorded_at", "-position").values_list("position", flat=True).first()


def _fitting(establishment: UUID, sought: Sought) -> QuerySet[EventLine]:
    given = {
        "kind": sought.kind,
        "stream": sought.stream,
        "event_type": sought.event_type,
        "actor": sought.actor,
        "device": sought.device,
        "gaming_day": sought.day,
        "recorded_at__gte": sought.since,
        "recorded_at__lte": sought.until,
        "correlation": sought.correlation,
        "causation": sought.causation,
    }
    wanted = {name: value for name, value in given.items() if value}
    return EventLine.objects.filter(establishment=establishment, **wanted)


def at(establishment: UUID, positions: Iterable[int]) -> list[StoredEvent]:
    """Events by their positions, the newest first."""
    rows = Event.objects.filter(establishment=establishment, position__in=list(positions))
    return _read(establishment, rows.order_by("-position"))


def one(establishment: UUID, position: int) -> StoredEvent | None:
    found = at(establishment, [position])
    return found[0] if found else None


def _read(establishment: UUID, rows: QuerySet[Event]) -> list[StoredEvent]:
    return [
        read_event(establishment, position, bytes(body), bytes(leaf))
        for position, body, leaf in rows.values_list("position", "body", "leaf_hash")
    ]


# --- Who caused what ---------------------------------------------------------------------------


def causes(establishment: UUID, event: StoredEvent) -> list[StoredEvent]:
    """What brought an event about, the nearest first: at most `STEPS` of them."""
    found: list[StoredEvent] = []
    cause = event.provenance.causation_id
    while cause is not None and len(found) < STEPS:
        rows = Event.objects.filter(establishment=establishment, event_id=cause)
        caused = _read(establishment, rows)
        if not caused or caused[0].position in {each.position for each in found}:
            break
        found.append(caused[0])
        cause = caused[0].provenance.causation_id
    return found


def effects(establishment: UUID, event: StoredEvent) -> list[list[StoredEvent]]:
    """What an event brought about, by generation: children, what those brought about, and so on."""
    generations: list[list[StoredEvent]] = []
    parents = [event]
    while parents and len(generations) < LEVELS:
        lines = EventLine.objects.filter(
            establishment=establishment, causation__in=[each.event_id for each in parents]
        )
        positions = lines.order_by("position").values_list("position", flat=True)[:BROOD]
        parents = at(establishment, list(positions))[::-1]
        if parents:
            generations.append(parents)
    return generations


def of_command(establishment: UUID, command: UUID) -> list[StoredEvent]:
    """All that one command recorded, in order."""
    rows = Event.objects.filter(establishment=establishment, command_id=command)
    return _read(establishment, rows.order_by("command_seq")[: BROOD + 1])


def receipt(establishment: UUID, command: UUID) -> CommandReceipt | None:
    """The answer that the command got."""
    return CommandReceipt.objects.filter(establishment=establishment, command_id=command).first()


def beside(establishment: UUID, event: StoredEvent) -> dict[str, int]:
    """The positions of the events before and after, in its stream and in the ledger."""
    rows = Event.objects.filter(
        establishment=establishment,
        stream=event.stream,
        stream_version__in=(event.stream_version - 1, event.stream_version + 1),
    )
    versions = dict(rows.values_list("stream_version", "position"))
    found = {}
    if event.stream_version - 1 in versions:
        found["stream_before"] = versions[event.stream_version - 1]
    if event.stream_version + 1 in versions:
        found["stream_after"] = versions[event.stream_version + 1]
    return found
