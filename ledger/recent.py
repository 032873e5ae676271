"""Reads the last events of many streams at once, of one house or of many."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection, connections

from ledger import journal, keyed
from ledger.lag import BEGUN, LISTED
from ledger.wire import read_content, read_events

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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


# The newest event of a stream, in many houses: for sweeps and for checks of the whole.


NEWEST = """
    SELECT establishment, event_type, body FROM (
        SELECT house.establishment, {event_type} AS event_type, {body} AS body
        FROM {houses} WHERE {which}
    ) AS houses
    WHERE event_type IS NOT NULL ORDER BY establishment"""
COLUMN = """(
    SELECT newest.{column} FROM ledger_event AS newest
    WHERE newest.establishment = house.establishment AND newest.stream = %s
        AND newest.stream_version = (
            SELECT max(event.stream_version) FROM ledger_event AS event
            WHERE event.establishment = house.establishment AND event.stream = %s)
)"""
"""A subquery, not a join: see `ledger.lag`."""


def newest(stream: str, *, everywhere: bool = False) -> list[tuple[UUID, str, bytes]]:
    """
    House, event type and body of the last event that each house has in a stream, by house.

    One query: four index look-ups for a house, however long its ledger is. It asks the houses with
    something unread (`ledger.lag`).

    :param everywhere: ask all houses.
    """
    columns = {name: COLUMN.format(column=name) for name in ("event_type", "body")}
    statement = NEWEST.format(**columns, **(BEGUN if everywhere else LISTED))
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(statement, [stream] * statement.count("%s"))
        return [_read(row) for row in cursor.fetchall()]


def _read(row: tuple[Any, ...]) -> tuple[UUID, str, bytes]:
    house, event_type, body = row
    return house if isinstance(house, UUID) else UUID(house), event_type, bytes(body)
