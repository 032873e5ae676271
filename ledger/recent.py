"""Reads many streams of a house at once: one query for all of them, not one for each."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from django.db import connection

from ledger import journal, keyed
from ledger.wire import read_content, read_events

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from uuid import UUID

    from ledger.wire import EventContent, StoredEvent

AT_ONCE: Final = 400  # streams in a query: SQLite takes 500 SELECTs in one


def lasts(establishment: UUID, streams: Iterable[str]) -> dict[str, StoredEvent]:
    """The last event of each stream that has any."""
    part = "SELECT * FROM ({} ORDER BY stream_version DESC LIMIT 1) AS last"
    wanted = [((stream,), "stream = %s") for stream in streams]
    return {event.stream: event for event in _find(establishment, part, wanted)}


def after(establishment: UUID, versions: Mapping[str, int]) -> dict[str, list[StoredEvent]]:
    """The events of each stream after a given version. Streams without such events are left out."""
    wanted = [((name, known), "stream = %s AND stream_version > %s")
              for name, known in versions.items()]  # fmt: skip
    found: dict[str, list[StoredEvent]] = {}
    for event in _find(establishment, "{}", wanted):
        found.setdefault(event.stream, []).append(event)
    for events in found.values():
        events.sort(key=lambda event: event.stream_version)
    return found


def ends(establishment: UUID, streams: Iterable[str]) -> dict[str, int]:
    """The position of the last event of each stream that has any."""
    part = "SELECT * FROM ({} ORDER BY stream_version DESC LIMIT 1) AS last"
    wanted = [((stream,), "stream = %s") for stream in streams]
    return dict(_rows(establishment, part, wanted, "stream, position"))


def contents(
    establishment: UUID, streams: Iterable[str], through: int
) -> dict[str, list[EventContent]]:
    """The contents of each stream's events up to a position. Streams without any are left out."""
    # No index has the sum, so SQLite finds a stream's events by the stream (see `journal.between`).
    wanted = [((name, through), "stream = %s AND position + 0 <= %s") for name in streams]
    found: dict[str, list[EventContent]] = {}
    for stream, position, body in _rows(establishment, "{}", wanted, "stream, position, body"):
        found.setdefault(stream, []).append(read_content(position, bytes(body)))
    for events in found.values():
        events.sort(key=attrgetter("position"))
    return found


def _find(
    establishment: UUID, part: str, wanted: Sequence[tuple[tuple[Any, ...], str]]
) -> list[StoredEvent]:
    return read_events(establishment, _rows(establishment, part, wanted))


def _rows(
    establishment: UUID,
    part: str,
    wanted: Sequence[tuple[tuple[Any, ...], str]],
    columns: str = journal.COLUMNS,
) -> list[tuple[Any, ...]]:
    """One SELECT per stream, joined by UNION ALL, so that each uses the index by stream."""
    house = keyed.key(connection, establishment)
    of_house = f"SELECT {columns} FROM ledger_event WHERE establishment = %s"  # noqa: S608 - ours
    rows: list[tuple[Any, ...]] = []
    for start in range(0, len(wanted), AT_ONCE):
        some = wanted[start : start + AT_ONCE]
        selects = [part.format(f"{of_house} AND {where}") for _params, where in some]
        params = [value for given, _where in some for value in (house, *given)]
        with connection.cursor() as cursor:
            cursor.execute(" UNION ALL ".join(selects), params)
            rows += cursor.fetchall()
    return rows
