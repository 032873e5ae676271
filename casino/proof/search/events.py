"""
Browsing the ledger: events by type, by who recorded them, and by what they belong to.

Without a filter a page is read from the ledger itself; otherwise from the block index of one
criterion (`terms`), looking at no more than `WINDOW` events. Causes are followed by the ids that
events carry, a few steps up and down.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING, Final, get_args

from casino.proof.search import terms
from casino.proof.search.terms import Facet
from ledger.models import CommandReceipt, Event
from ledger.wire import read_event

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date, datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from ledger.wire import StoredEvent

PAGE: Final = 50
WINDOW: Final = 5000  # events that a page looks at
AT_ONCE: Final = 250  # events per query
CLOCK_SKEW: Final = timedelta(seconds=5)  # the most by which clocks of one house differ
STEPS: Final = 8  # causes that are followed upwards, at most
LEVELS: Final = 3  # generations of effects, at most
EFFECTS_MAX: Final = 20  # events shown of a generation, at most
FACETS: Final[tuple[Facet, ...]] = get_args(Facet)
BY: Final[tuple[Facet, ...]] = (
    "causation", "correlation", "stream", "event_type", "device", "actor",
)  # fmt: skip
"""The criteria by which a page can be driven, the narrowest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Criteria:
    """The criteria of a search; all must hold. `since` and `until` are times of recording."""

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
        return self == Criteria()


@dataclass(frozen=True, slots=True)
class Listing:
    """
    A page of events.

    :param events: the newest first.
    :param older: the position before which the next page begins; None if there is nothing older.
    :param looked: whether the page ends because `WINDOW` events were looked at, not because it is
        full.
    """

    events: Sequence[StoredEvent]
    older: int | None = None
    looked: bool = False


def list_events(
    establishment: UUID, criteria: Criteria, *, before: int | None = None, limit: int | None = None
) -> Listing:
    """A page of the events that fit the criteria, the newest first."""
    limit = limit or PAGE
    if criteria.is_empty:
        rows = Event.objects.filter(establishment=establishment)
        if before is not None:
            rows = rows.filter(position__lt=before)
        found = _read(establishment, rows.order_by("-position")[: limit + 1])
        return _full(found, limit) or Listing(found)
    driver = _driver(establishment, criteria, _span(establishment, criteria, before))
    fitting: list[int] = []
    looked, last = 0, 0
    while len(fitting) <= limit and (some := list(islice(driver, min(AT_ONCE, WINDOW - looked)))):
        looked, last = looked + len(some), some[-1]
        fitting += _fitting(establishment, criteria, some)
    found = at(establishment, fitting[: limit + 1])
    if full := _full(found, limit):
        return full
    return Listing(found, last, looked=True) if next(driver, None) is not None else Listing(found)


def _full(found: Sequence[StoredEvent], limit: int) -> Listing | None:
    return Listing(found[:limit], found[limit - 1].position) if len(found) > limit else None


def _span(establishment: UUID, criteria: Criteria, before: int | None) -> range:
    """The positions recorded in the period, widened by what clocks may differ."""
    first, stop = 0, terms.NO_END if before is None else max(0, before)
    if criteria.since is not None:
        since = terms.first_event_from(establishment, criteria.since - CLOCK_SKEW)
        first = stop if since is None else since
    if criteria.until is not None:
        last = terms.last_event_by(establishment, criteria.until + CLOCK_SKEW)
        stop = min(stop, 0 if last is None else last + 1)
    return range(first, stop)


def _driver(establishment: UUID, criteria: Criteria, span: range) -> Iterator[int]:
    """The positions to look at within a span, newest first, by the narrowest criterion."""
    for facet in BY:
        if wanted := getattr(criteria, facet):
            return terms.newest(establishment, facet, [wanted], since=span.start, stop=span.stop)
    rows = Event.objects.filter(establishment=establishment)
    if criteria.day is not None:
        return _down(rows.filter(gaming_day=criteria.day), span)
    if criteria.kind:
        return terms.newest(
            establishment, "kind", [criteria.kind], since=span.start, stop=span.stop
        )
    return _down(rows, span)


def _down(rows: QuerySet[Event], span: range) -> Iterator[int]:
    stop = span.stop
    while stop > span.start:
        some = rows.filter(position__gte=span.start, position__lt=stop).order_by("-position")
        found = list(some.values_list("position", flat=True)[:AT_ONCE])
        yield from found
        stop = found[-1] if found else span.start


def _fitting(establishment: UUID, criteria: Criteria, positions: Iterable[int]) -> list[int]:
    """Those of the events that fit all criteria, in the same order."""
    wanted = {facet: value for facet in FACETS if (value := getattr(criteria, facet))}
    if len(wanted) == 1 and criteria == Criteria(**wanted):
        return list(positions)  # they were found by that criterion
    rows = Event.objects.filter(establishment=establishment, position__in=positions)
    if criteria.day is not None:
        rows = rows.filter(gaming_day=criteria.day)
    if criteria.since is not None:
        rows = rows.filter(recorded_at__gte=criteria.since)
    if criteria.until is not None:
        rows = rows.filter(recorded_at__lte=criteria.until)
    columns = [terms.COLUMNS[facet] for facet in wanted]
    return [
        position
        for position, *values in rows.order_by("-position").values_list("position", *columns)
        if all(
            terms.value_of(facet, column) == value
            for (facet, value), column in zip(wanted.items(), values, strict=True)
        )
    ]


position_at = terms.last_event_by


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
    """The events that led to an event, the nearest first, at most `STEPS` of them."""
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
    """The events that an event caused, by generation: children, what they caused, and so on."""
    generations: list[list[StoredEvent]] = []
    parents = [event]
    while parents and len(generations) < LEVELS:
        children = terms.newest(
            establishment, "causation", [each.event_id for each in parents],
            since=min(each.position for each in parents),
        )  # fmt: skip
        positions = sorted(children)[:EFFECTS_MAX]
        parents = at(establishment, positions)[::-1]
        if parents:
            generations.append(parents)
    return generations


def of_command(establishment: UUID, command: UUID) -> list[StoredEvent]:
    """All events that one command recorded, in order."""
    rows = Event.objects.filter(establishment=establishment, command_id=command)
    return _read(establishment, rows.order_by("command_seq")[: EFFECTS_MAX + 1])


def receipt(establishment: UUID, command: UUID) -> CommandReceipt | None:
    """The answer to a command."""
    return CommandReceipt.objects.filter(establishment=establishment, command_id=command).first()


def neighbours(establishment: UUID, event: StoredEvent) -> dict[str, int]:
    """The positions of the events before and after this one, in its stream and in the ledger."""
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
