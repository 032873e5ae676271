"""The newest event of a stream, in many houses: for sweeps and for checks of the whole."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections

from ledger.lag import BEGUN, LISTED

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
    something unread (`ledger.unread`).

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
