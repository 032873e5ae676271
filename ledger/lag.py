"""Lag: how many events subscribers are behind the ledger."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections

from ledger import keyed


class Named(Protocol):
    """A subscriber, as far as this module needs it: something with a name."""

    @property
    def name(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Lag:
    establishment: UUID
    subscription: str
    lag: int


BEHIND = """
    SELECT coalesce((
        SELECT position FROM ledger_event WHERE establishment = %s
        ORDER BY position DESC LIMIT 1
    ), -1) - coalesce((
        SELECT position FROM ledger_subscription WHERE establishment = %s AND name = %s
    ), -1)"""


def lag(subscriber_name: str, *, establishment: UUID) -> int:
    """How many events of the house a subscriber has not read yet."""
    [(behind,)] = keyed.rows(BEHIND, establishment, establishment, subscriber_name)
    return int(behind)


PLACES = """
    SELECT name, position, (
        SELECT position FROM ledger_event WHERE establishment = %s ORDER BY position DESC LIMIT 1
    )
    FROM ledger_subscription WHERE establishment = %s"""


def lags(subscribers: Iterable[Named], *, establishment: UUID) -> bool:
    """Whether any of the subscribers lags in a house. One query."""
    rows = keyed.rows(PLACES, establishment, establishment)
    level = {name for name, position, head in rows if head is None or position >= head}
    return not {subscriber.name for subscriber in subscribers} <= level


LAGGING = """
    WITH subscriber (name) AS (VALUES {names})
    SELECT establishment, name, lag FROM (
        SELECT house.establishment, subscriber.name AS name, (
            SELECT max(event.position) FROM ledger_event AS event
            WHERE event.establishment = house.establishment
        ) - coalesce((
            SELECT seen.position FROM ledger_subscription AS seen
            WHERE seen.establishment = house.establishment AND seen.name = subscriber.name
        ), -1) AS lag
        FROM {houses} CROSS JOIN subscriber WHERE {which}
    ) AS lags
    WHERE lag > 0 ORDER BY establishment, name"""
"""
All is asked by house: where the ledger is distributed, each server answers for its own. Subqueries,
not joins: of a list that is nearly always empty a planner knows nothing, and would join all houses.
"""

LISTED = {"houses": "ledger_unread AS house", "which": "TRUE"}
BEGUN = {"houses": "ledger_event AS house", "which": "house.position = 0"}
"""A house that has begun has an event at position 0, of which there is an index of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """How far a subscriber is behind, over all houses. Events, but for `houses` and `lagging`."""

    subscription: str
    houses: int
    """Houses that have begun."""
    recorded: int
    """Events of all their ledgers."""
    lagging: int
    """Houses with unread events."""
    behind: int
    """Unread events of all houses."""
    worst: int
    """Unread events of the house with most."""
    oldest: datetime | None
    """When the oldest unread event was recorded; None if all are read."""


TOTALS = """
    WITH subscriber (name) AS (VALUES {names})
    SELECT name, count(*), sum(head + 1), count(oldest),
        sum(head - seen), max(head - seen), min(oldest)
    FROM (
        SELECT name, head, seen, CASE WHEN head > seen THEN (
            SELECT unread.recorded_at FROM ledger_event AS unread
            WHERE unread.establishment = heads.establishment AND unread.position = seen + 1
        ) END AS oldest
        FROM (
            SELECT begun.establishment, subscriber.name AS name,
                max(coalesce(read.position, -1)) AS seen, max((
                    SELECT max(event.position) FROM ledger_event AS event
                    WHERE event.establishment = begun.establishment
                )) AS head
            FROM ledger_event AS begun CROSS JOIN subscriber
            LEFT JOIN ledger_subscription AS read
                ON read.establishment = begun.establishment AND read.name = subscriber.name
            WHERE begun.position = 0
            GROUP BY begun.establishment, subscriber.name
        ) AS heads
    ) AS places
    GROUP BY name ORDER BY name"""
"""
As `LAGGING`; where the ledger is distributed each server adds up its houses. They are grouped so
that PostgreSQL looks for a head once, and not for each place where it is named.
"""


def totals(subscribers: Iterable[Named]) -> list[Total]:
    """
    How far each subscriber is behind in all houses together; empty before the first event. One
    query, with two index look-ups for each house and subscriber, and a third for those that lag.
    """
    names = [subscriber.name for subscriber in subscribers]
    if not names:
        return []
    statement = TOTALS.format(names=", ".join(["(%s)"] * len(names)))
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(statement, names)
        return [
            Total(
                subscription=name,
                houses=houses,
                recorded=int(recorded),  # a sum of bigints is a numeric
                lagging=lagging,
                behind=int(behind),
                worst=worst,
                oldest=_moment(oldest),
            )
            for name, houses, recorded, lagging, behind, worst, oldest in cursor.fetchall()
        ]


def _moment(value: datetime | str | None) -> datetime | None:
    """SQLite keeps text, of UTC without saying so."""
    if not isinstance(value, str):
        return value
    return datetime.fromisoformat(value).replace(tzinfo=UTC)


def lagging(subscribers: Iterable[Named], *, everywhere: bool = False) -> list[Lag]:
    """
    The subscribers that lag, in the houses with something unread (`ledger.unread`).

    One query, with two index look-ups for each of these houses, however long the ledgers are and
    however many houses are quiet.

    :param everywhere: in all houses, as `unread.look_over` needs it.
    """
    names = [subscriber.name for subscriber in subscribers]
    if not names:
        return []
    where = BEGUN if everywhere else LISTED
    statement = LAGGING.format(names=", ".join(["(%s)"] * len(names)), **where)
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(statement, names)
        return [
            Lag(establishment=as_uuid(house), subscription=name, lag=behind)
            for house, name, behind in cursor.fetchall()
        ]


def as_uuid(value: UUID | str) -> UUID:
    """A UUID as the database returns it."""
    return value if isinstance(value, UUID) else UUID(value)  # SQLite keeps text
