"""A subscription's cursor, its row locked while somebody follows the journal from there."""

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


def held(name: str, establishment: UUID, *, wait: bool = False) -> int | None:
    """Where the subscription is, its row locked to the end; None: another has it."""
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
"""A subscription, its row locked, and what is next behind its cursor, in one question."""


@dataclass(frozen=True, slots=True)
class Taken:
    """
    :param cursor: where the subscription is, its row locked to the end.
    :param seen: where it was as the question came.
    :param rows: the events behind: position, body, leaf hash, whether one of its stream is parked.
    """

    cursor: int
    seen: int
    rows: Sequence[tuple[Any, ...]]


def taken(name: str, establishment: UUID, size: int) -> Taken | None:
    """
    None: another has it.

    PostgreSQL answers from what was committed as the question came, but for the row that it locks,
    which it has as it is by then. Where that has moved meanwhile, what was parked with the move is
    not in the answer: asked once more, with the row in hand.
    """
    found = _queried(name, establishment, size)
    if found is None or found.cursor != found.seen:
        if held(name, establishment) is None:
            return None
        found = _queried(name, establishment, size)
    return found


def _queried(name: str, establishment: UUID, size: int) -> Taken | None:
    mine = establishment, name
    twice = mine if connection.vendor == "postgresql" else ()
    statement = TAKEN[connection.vendor]
    rows = keyed.rows(statement, *mine, *mine, establishment, size, *twice)
    if not rows:
        return None
    return Taken(rows[0][0], rows[0][1], [row[2:] for row in rows if row[2] is not None])
