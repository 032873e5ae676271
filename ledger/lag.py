"""Lag: how many events subscribers are behind the ledger."""

from collections.abc import Iterable
from dataclasses import dataclass
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
    WITH RECURSIVE house (establishment) AS (
        SELECT * FROM (
            SELECT establishment FROM ledger_event ORDER BY establishment LIMIT 1
        ) AS first_house
        UNION ALL
        SELECT (
            SELECT later.establishment FROM ledger_event AS later
            WHERE later.establishment > house.establishment
            ORDER BY later.establishment LIMIT 1
        ) FROM house WHERE house.establishment IS NOT NULL
    ), headed AS (
        SELECT establishment, (
            SELECT max(position) FROM ledger_event
            WHERE ledger_event.establishment = house.establishment
        ) AS head
        FROM house WHERE establishment IS NOT NULL
    ), subscriber (name) AS (VALUES {names})
    SELECT headed.establishment, subscriber.name,
           headed.head - coalesce(ledger_subscription.position, -1)
    FROM headed CROSS JOIN subscriber
    LEFT JOIN ledger_subscription
        ON ledger_subscription.establishment = headed.establishment
        AND ledger_subscription.name = subscriber.name
    WHERE headed.head > coalesce(ledger_subscription.position, -1)
    ORDER BY headed.establishment, subscriber.name"""


def lagging(subscribers: Iterable[Named]) -> list[Lag]:
    """
    The subscribers that lag, in every house. One query, with two index look-ups per house, however
    long the ledgers are. Only this function looks at all houses; a sweep of one house uses `lag`.
    """
    names = [subscriber.name for subscriber in subscribers]
    if not names:
        return []
    statement = LAGGING.format(names=", ".join(["(%s)"] * len(names)))
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(statement, names)
        return [
            Lag(establishment=_uuid(house), subscription=name, lag=behind)
            for house, name, behind in cursor.fetchall()
        ]


def _uuid(value: UUID | str) -> UUID:
    return value if isinstance(value, UUID) else UUID(value)  # SQLite keeps text
