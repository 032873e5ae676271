"""Lag: how many events subscribers are behind the ledger, and which houses have any unread."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections, transaction

from ledger import keyed
from ledger.models import Unread

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


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
    The subscribers that lag, in the houses with something unread (`ledger.lag`).

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


# The list of houses with something unread, for sweeps: they cost what is on it, not what there is.
# Append puts a house on the list, in the transaction of its events; the row is there already while
# the house plays, and nothing writes to it then. A cursor that is put back does the same, by a
# trigger. Only `rest_of_list` takes a house off: under the lock of append it sees that every
# subscriber is at the head. So a house that lags is always on the list, whatever becomes of wakes
# and workers. A subscriber that is new with this version is behind in every house: for that
# `look_over_list` asks for all of them, now and then.


def unread_houses() -> list[UUID]:
    """The houses on the list. One query."""
    return list(Unread.objects.order_by("establishment").values_list("establishment", flat=True))


def put_on_list(establishments: Iterable[UUID]) -> None:
    """Put houses on the list."""
    rows = [Unread(establishment=each) for each in establishments]
    Unread.objects.bulk_create(rows, ignore_conflicts=True)


def look_over_list(subscribers: Iterable[Named]) -> list[UUID]:
    """
    Put every house in which a subscriber lags on the list, and return those that were not there.

    One query, with two index look-ups for each house that there is.
    """
    behind = {each.establishment for each in lagging(subscribers, everywhere=True)}
    missing = sorted(behind - set(unread_houses()))
    put_on_list(missing)
    return missing


HEAD = """(
    SELECT max(position) FROM ledger_event
    WHERE ledger_event.establishment = ledger_unread.establishment
)"""
READ = """
    SELECT establishment, head FROM (
        SELECT house.establishment, (
            SELECT max(event.position) FROM ledger_event AS event
            WHERE event.establishment = house.establishment
        ) AS head, (
            SELECT count(*) FROM ledger_subscription AS seen
            WHERE seen.establishment = house.establishment AND seen.name IN ({marks})
                AND seen.position >= (
                    SELECT max(event.position) FROM ledger_event AS event
                    WHERE event.establishment = house.establishment)
        ) AS readers
        FROM ledger_unread AS house
    ) AS houses
    WHERE readers = {number}"""


def read_list(subscribers: Collection[Named]) -> dict[UUID, int]:
    """The houses on the list that every subscriber has read, with the head of each. One query."""
    names = [each.name for each in subscribers]
    statement = READ.format(marks=keyed.marks(names), number=len(names))
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(statement, names)
        return {as_uuid(house): head for house, head in cursor.fetchall()}


REST = {
    "postgresql": "SELECT ledger_rest(%s, ARRAY[{marks}]::text[], %s)",
    "sqlite": """
        DELETE FROM ledger_unread
        WHERE establishment = %s
            AND {number} = (
                SELECT count(*) FROM ledger_subscription
                WHERE ledger_subscription.establishment = ledger_unread.establishment
                    AND name IN ({marks}) AND position >= {head})
            AND %s = {head}
        RETURNING 1""",
}


def rest_of_list(establishment: UUID, subscribers: Collection[Named], *, head: int) -> bool:
    """
    Take a house off the list if its ledger still ends at `head` and every subscriber has read that.

    :param subscribers: all that any sweep asks for.
    :param head: the last position before the caller looked for whatever else keeps the house on the
        list: what happened since is not overlooked.
    :returns: whether it is off the list. False also while somebody appends.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    names = [each.name for each in subscribers]
    statement = REST[connection.vendor].format(
        marks=keyed.marks(names), number=len(names), head=HEAD
    )
    with transaction.atomic():  # on SQLite its lock is that of append
        found = keyed.rows(statement, establishment, *names, head)
    return bool(found and found[0][0])
