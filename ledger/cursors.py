"""Cursors of subscriptions: locks the cursor's row and reads the next events behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import connection

from ledger import keyed
from ledger.models import Subscription

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

HELD = "SELECT position FROM ledger_subscription WHERE establishment = %s AND name = %s"


def lock(name: str, establishment: UUID, *, wait: bool = False) -> int | None:
    """
    Lock the subscription's row until the transaction ends; the position of its cursor.

    :param wait: wait for another worker that has locked it. Else the result is None then.
    """
    lock = "" if connection.vendor == "sqlite" else " FOR UPDATE" + ("" if wait else " SKIP LOCKED")
    if not (found := keyed.rows(HELD + lock, establishment, name)):
        if lock and keyed.rows(HELD, establishment, name):
            return None
        fresh = Subscription(establishment=establishment, name=name)
        Subscription.objects.bulk_create([fresh], ignore_conflicts=True)
        found = keyed.rows(HELD + lock, establishment, name)
    return found[0][0] if found else None


IS_PARKED = """EXISTS (
    SELECT 1 FROM ledger_parkedevent AS waits WHERE waits.establishment = %s
    AND waits.subscription = %s AND waits.stream = event.stream
)"""
TAKEN = {
    "postgresql": f"""
        WITH held AS (
            SELECT position FROM ledger_subscription
            WHERE establishment = %s AND name = %s FOR UPDATE SKIP LOCKED
        )
        SELECT held.position, seen.position, event.position, body, leaf_hash, {IS_PARKED}
        FROM held CROSS JOIN ledger_subscription AS seen LEFT JOIN LATERAL (
            SELECT position, body, leaf_hash, stream FROM ledger_event
            WHERE establishment = %s AND position > held.position
            ORDER BY position LIMIT %s
        ) AS event ON TRUE
        WHERE seen.establishment = %s AND seen.name = %s
        ORDER BY event.position""",  # noqa: S608 - of ours
    "sqlite": f"""
        WITH held AS (
            SELECT position FROM ledger_subscription WHERE establishment = %s AND name = %s
        )
        SELECT held.position, held.position, event.position, body, leaf_hash, {IS_PARKED}
        FROM held LEFT JOIN ledger_event AS event
            ON event.establishment = %s AND event.position > held.position
        ORDER BY event.position LIMIT %s""",  # noqa: S608 - of ours
}
"""Locks the row of a subscription and reads the next events behind its cursor, in one query."""


@dataclass(frozen=True, slots=True)
class Taken:
    """
    A locked subscription and the next events for it.

    :param cursor: the position of the cursor; its row is locked until the transaction ends.
    :param seen: the position of the cursor when the query began.
    :param rows: the next events: position, body, leaf hash, whether an event of its stream is
        parked.
    """

    cursor: int
    seen: int
    rows: Sequence[tuple[Any, ...]]


def lock_and_read(name: str, establishment: UUID, size: int) -> Taken | None:
    """
    Lock a subscription and read its next events, `size` at most; None: another worker has it.

    PostgreSQL answers from what was committed when the query began, except for the row that it
    locks: that row it reads in its newest version. If the cursor moved in between, events that were
    parked with the move are missing from the answer, so the query is made again with the row
    locked.
    """
    found = _query(name, establishment, size)
    if found is None or found.cursor != found.seen:
        if lock(name, establishment) is None:
            return None
        found = _query(name, establishment, size)
    return found


def _query(name: str, establishment: UUID, size: int) -> Taken | None:
    mine = establishment, name
    twice = mine if connection.vendor == "postgresql" else ()
    statement = TAKEN[connection.vendor]
    rows = keyed.rows(statement, *mine, *mine, establishment, size, *twice)
    if not rows:
        return None
    return Taken(rows[0][0], rows[0][1], [row[2:] for row in rows if row[2] is not None])
