"""
An index of the ledger by values of its events: who recorded them, their stream, their cause.

After every `BLOCK` positions the subscriber ``house`` writes, for each value that events of the
block have, which of them have it: a row of a few bytes that is never changed. Events that are in no
block yet are near the ledger's head and are read from the ledger itself, so the index is never
behind.
docs/decisions/0049-search-marks-and-plans.md.
"""

from __future__ import annotations

from array import array
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, Literal

from django.db import connection
from django.db.models import Max, Min

from casino.proof.search.models import EventBlock, EventTerm
from ledger import keyed
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from datetime import datetime
    from uuid import UUID

    from ledger.wire import StoredEvent

Facet = Literal["kind", "stream", "event_type", "actor", "device", "correlation", "causation"]
COLUMNS: Final[dict[Facet, str]] = {
    "kind": "stream", "stream": "stream", "event_type": "event_type", "actor": "actor",
    "device": "device", "correlation": "correlation_id", "causation": "causation_id",
}  # fmt: skip

BLOCK: Final = 1024  # positions; an offset has to fit into two bytes
PAGE: Final = 16  # blocks of one value that are read at once
NO_END: Final = 1 << 53  # higher than any position
AT_ONCE: Final = 400  # streams per query: SQLite takes 500 SELECTs in one


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
    page = PAGE if len(terms) == 1 else None
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
    for start in range(0, len(terms), AT_ONCE):
        some = terms[start : start + AT_ONCE]
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
