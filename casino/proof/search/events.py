"""
Finds events of the ledger by type, by who recorded them, and by what they belong to.

Without a filter a page is read from the ledger itself; otherwise from the block index of one
criterion, looking at no more than `WINDOW` events. Causes are followed by the ids that
events carry, a few steps up and down.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from django.db import connection
from django.db.models import Max, Min

from casino.proof.search.models import EventBlock, EventTerm
from ledger import keyed
from ledger.models import CommandReceipt, Event
from ledger.wire import read_event

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from datetime import date, datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from ledger.wire import StoredEvent


#
# An index of the ledger by values of its events: who recorded them, their stream, their cause.
#
# After every `BLOCK` positions the subscriber ``house`` writes, for each value that events of the
# block have, which of them have it: a row of a few bytes that is never changed. Events that are in
# no block yet are near the ledger's head and are read from the ledger itself, so the index is never
# behind. docs/decisions/0049-search-marks-and-plans.md.


Facet = Literal["kind", "stream", "event_type", "actor", "device", "correlation", "causation"]
COLUMNS: Final[dict[Facet, str]] = {
    "kind": "stream", "stream": "stream", "event_type": "event_type", "actor": "actor",
    "device": "device", "correlation": "correlation_id", "causation": "causation_id",
}  # fmt: skip

BLOCK: Final = 1024  # positions; an offset has to fit into two bytes
BLOCKS_AT_ONCE: Final = 16  # blocks of one value that are read at once
NO_END: Final = 1 << 53  # higher than any position
STREAMS_AT_ONCE: Final = 400  # streams per query: SQLite takes 500 SELECTs in one


def value_of(facet: Facet, column: Any) -> Any:
    """The value of a facet in its column. The kind is the beginning of the stream's name."""
    return column.partition("/")[0] if facet == "kind" else column


def term(facet: Facet, value: object) -> bytes:
    """The key of a value in the index: 16 bytes of a hash, unique in practice."""
    return sha256(f"{facet}:{value}".encode()).digest()[:16]


# --- Written -----------------------------------------------------------------------------------


def handle(event: StoredEvent) -> None:
    if (event.position + 1) % BLOCK == 0:
        catch_up(event.establishment, event.position)


def catch_up(establishment: UUID, position: int) -> None:
    """Write the blocks that are full at a position and not written yet."""
    for block in range(_count_blocks(establishment), (position + 1) // BLOCK):
        _write(establishment, block)


def _write(establishment: UUID, block: int) -> None:
    events = _between(establishment, block * BLOCK, (block + 1) * BLOCK)
    found: dict[bytes, array[int]] = {}
    for position, *columns in events.values_list("position", *COLUMNS.values()):
        for facet, column in zip(COLUMNS, columns, strict=True):
            if column is not None:
                offsets = found.setdefault(term(facet, value_of(facet, column)), array("H"))
                offsets.append(position % BLOCK)
    clock = events.aggregate(first=Min("recorded_at"), last=Max("recorded_at"))
    EventBlock.objects.create(
        establishment_id=establishment, block=block, first_at=clock["first"], last_at=clock["last"]
    )
    EventTerm.objects.bulk_create(
        EventTerm(establishment_id=establishment, term=one, block=block, offsets=_pack(offsets))
        for one, offsets in sorted(found.items())
    )


def _pack(offsets: array[int]) -> bytes:
    """Offsets as two bytes each, little-endian on every machine."""
    return b"".join(each.to_bytes(2, "little") for each in offsets)


def _positions(block: int, offsets: bytes | memoryview) -> list[int]:
    packed = bytes(offsets)
    return [
        block * BLOCK + int.from_bytes(packed[at : at + 2], "little")
        for at in range(0, len(packed), 2)
    ]


def _count_blocks(establishment: UUID) -> int:
    """How many blocks are written."""
    last = EventBlock.objects.filter(establishment=establishment).order_by("-block")
    block = last.values_list("block", flat=True).first()
    return 0 if block is None else block + 1


def _between(establishment: UUID, first: int, stop: int) -> Any:
    """The events from a position to the one before `stop`, in order."""
    return Event.objects.filter(
        establishment=establishment, position__gte=first, position__lt=stop
    ).order_by("position")


# --- Read --------------------------------------------------------------------------------------


def newest(
    establishment: UUID,
    facet: Facet,
    values: Collection[object],
    *,
    since: int = 0,
    stop: int = NO_END,
) -> Iterator[int]:
    """Positions from `since` to before `stop` of events with one of the values, newest first."""
    written = _count_blocks(establishment)
    first = max(since, written * BLOCK)
    for position, column in _unwritten(establishment, COLUMNS[facet], first, stop):
        if value_of(facet, column) in values:
            yield position
    terms = [term(facet, value) for value in values]
    page = BLOCKS_AT_ONCE if len(terms) == 1 else None
    before = min(written, -(-stop // BLOCK))
    while before > since // BLOCK:
        rows = EventTerm.objects.filter(
            establishment=establishment, term__in=terms, block__lt=before,
            block__gte=since // BLOCK,
        )  # fmt: skip
        last = list(rows.order_by("-block").values_list("block", "offsets")[:page])
        found = {each for block, offsets in last for each in _positions(block, offsets)}
        yield from sorted((each for each in found if since <= each < stop), reverse=True)
        if page is None or len(last) < page:
            return
        before = last[-1][0]


def _unwritten(
    establishment: UUID, column: str, first: int, stop: int
) -> Iterator[tuple[int, Any]]:
    """Events that are in no block yet: from `first` to before `stop`, the last first."""
    while stop > first:
        rows = _between(establishment, first, stop).reverse().values_list("position", column)
        some = list(rows[:BLOCK])
        yield from some
        if len(some) < BLOCK:
            return
        stop = some[-1][0]


def lasts(establishment: UUID, streams: Collection[str], position: int) -> dict[str, int]:
    """
    The position of each stream's last event up to a position; streams without one are left out.

    The number of queries does not depend on how many streams there are.
    """
    found: dict[str, int] = {}
    written = _count_blocks(establishment)
    for each, stream in _unwritten(establishment, "stream", written * BLOCK, position + 1):
        if stream in streams:
            found.setdefault(stream, each)
            if len(found) == len(streams):
                return found
    if written and position >= 0:
        missing = [stream for stream in streams if stream not in found]
        part = "block <= %s ORDER BY block DESC LIMIT 2"
        for stream, each in _in_blocks(establishment, missing, part, position // BLOCK):
            if each <= position:
                found[stream] = max(each, found.get(stream, -1))
    return found


def nexts(establishment: UUID, streams: Collection[str], position: int) -> dict[str, int]:
    """The position of each stream's first event after a position, for streams that have one."""
    found: dict[str, int] = {}
    first = _count_blocks(establishment) * BLOCK
    if position + 1 < first:
        part = "block >= %s ORDER BY block LIMIT 2"
        for stream, each in _in_blocks(establishment, streams, part, (position + 1) // BLOCK):
            if each > position:
                found[stream] = min(each, found.get(stream, each))
    first = max(first, position + 1)
    while len(found) < len(streams):
        rows = _between(establishment, first, first + BLOCK).values_list("position", "stream")
        if not (some := list(rows)):
            break
        for each, stream in some:
            if stream in streams:
                found.setdefault(stream, each)
        first += BLOCK
    return found


def _in_blocks(
    establishment: UUID, streams: Iterable[str], part: str, block: int
) -> Iterator[tuple[str, int]]:
    """
    Positions of the streams' events in the blocks that `part` selects, all streams in one query. It
    selects two blocks, because all that the first has may lie on the other side of the position.
    """
    house = keyed.key(connection, establishment)
    table = EventTerm._meta.db_table  # noqa: SLF001
    each = (
        f"SELECT * FROM (SELECT term, block, offsets FROM {table}"  # noqa: S608 - our own table
        f" WHERE establishment_id = %s AND term = %s AND {part}) AS one"
    )
    of = {term("stream", stream): stream for stream in streams}
    terms = list(of)
    for start in range(0, len(terms), STREAMS_AT_ONCE):
        some = terms[start : start + STREAMS_AT_ONCE]
        with connection.cursor() as cursor:
            cursor.execute(
                " UNION ALL ".join([each] * len(some)),
                [value for one in some for value in (house, one, block)],
            )
            rows = cursor.fetchall()
        for one, found, offsets in rows:
            for position in _positions(found, offsets):
                yield of[bytes(one)], position


def last_event_by(establishment: UUID, at: datetime) -> int | None:
    """
    The position of the last event recorded by a time; None if there was none.

    Times are those of the recording clocks; where a clock was put back, the later time counts.
    """
    blocks = EventBlock.objects.filter(establishment=establishment)
    whole = blocks.filter(last_at__lte=at).order_by("-last_at", "-block")[:1]
    some = [*whole, *blocks.filter(first_at__lte=at, last_at__gt=at)]
    found = [
        row
        for rows in _of_blocks(establishment, some)
        for row in rows.filter(recorded_at__lte=at)
        .order_by("-recorded_at", "-position")
        .values_list("recorded_at", "position")[:1]
    ]
    return max(found)[1] if found else None


def first_event_from(establishment: UUID, at: datetime) -> int | None:
    """The position of the first event recorded from a time on; None if there was none."""
    blocks = EventBlock.objects.filter(establishment=establishment)
    whole = blocks.filter(first_at__gte=at).order_by("first_at", "block")[:1]
    some = [*whole, *blocks.filter(first_at__lt=at, last_at__gte=at)]
    found = [
        row
        for rows in _of_blocks(establishment, some)
        for row in rows.filter(recorded_at__gte=at)
        .order_by("recorded_at", "position")
        .values_list("recorded_at", "position")[:1]
    ]
    return min(found)[1] if found else None


def _of_blocks(establishment: UUID, blocks: Iterable[EventBlock]) -> Iterator[Any]:
    """The events of some blocks, and those that are in no block yet."""
    for each in blocks:
        yield _between(establishment, each.block * BLOCK, (each.block + 1) * BLOCK)
    yield _between(establishment, _count_blocks(establishment) * BLOCK, NO_END)


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
    first, stop = 0, NO_END if before is None else max(0, before)
    if criteria.since is not None:
        since = first_event_from(establishment, criteria.since - CLOCK_SKEW)
        first = stop if since is None else since
    if criteria.until is not None:
        last = last_event_by(establishment, criteria.until + CLOCK_SKEW)
        stop = min(stop, 0 if last is None else last + 1)
    return range(first, stop)


def _driver(establishment: UUID, criteria: Criteria, span: range) -> Iterator[int]:
    """The positions to look at within a span, newest first, by the narrowest criterion."""
    for facet in BY:
        if wanted := getattr(criteria, facet):
            return newest(establishment, facet, [wanted], since=span.start, stop=span.stop)
    rows = Event.objects.filter(establishment=establishment)
    if criteria.day is not None:
        return _down(rows.filter(gaming_day=criteria.day), span)
    if criteria.kind:
        return newest(establishment, "kind", [criteria.kind], since=span.start, stop=span.stop)
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
    columns = [COLUMNS[facet] for facet in wanted]
    return [
        position
        for position, *values in rows.order_by("-position").values_list("position", *columns)
        if all(
            value_of(facet, column) == value
            for (facet, value), column in zip(wanted.items(), values, strict=True)
        )
    ]


position_at = last_event_by


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
        children = newest(
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
