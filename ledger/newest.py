"""The newest event of a stream, in many houses: for sweeps and for checks of the whole."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections

from ledger.lag import BEGUN, LISTED

NEWEST = """
    SELECT newest.establishment, newest.event_type, newest.body FROM {houses}
    JOIN ledger_event AS newest
        ON newest.establishment = house.establishment AND newest.stream = %s
        AND newest.stream_version = (
            SELECT max(event.stream_version) FROM ledger_event AS event
            WHERE event.establishment = house.establishment AND event.stream = %s)
    WHERE {which} ORDER BY newest.establishment"""


def newest(stream: str, *, everywhere: bool = False) -> list[tuple[UUID, str, bytes]]:
    """
    House, event type and body of the last event that each house has in a stream, by house.

    One query: two index look-ups for a house, however long its ledger is. It asks the houses with
    something unread (`ledger.unread`).

    :param everywhere: ask all houses.
    """
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(NEWEST.format(**(BEGUN if everywhere else LISTED)), [stream, stream])
        return [_read(row) for row in cursor.fetchall()]


def _read(row: tuple[Any, ...]) -> tuple[UUID, str, bytes]:
    house, event_type, body = row
    return house if isinstance(house, UUID) else UUID(house), event_type, bytes(body)
