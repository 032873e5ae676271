"""
The list of houses with something unread, for sweeps: they cost what is on it, not what there is.

Append puts a house on the list, in the transaction of its events; the row is there already while
the house plays, and nothing writes to it then. A cursor that is put back does the same, by a
trigger. Only `rest` takes a house off: under the lock of append it sees that every subscriber is at
the head. So a house that lags is always on the list, whatever becomes of wakes and workers. A
subscriber that is new with this version is behind in every house: for that `look_over` asks for
all of them, now and then.
"""

from collections.abc import Collection, Iterable
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections, transaction

from ledger import keyed, lag
from ledger.models import Unread


def houses() -> list[UUID]:
    """The houses on the list. One query."""
    return list(Unread.objects.order_by("establishment").values_list("establishment", flat=True))


def put(establishments: Iterable[UUID]) -> None:
    """Put houses on the list."""
    rows = [Unread(establishment=each) for each in establishments]
    Unread.objects.bulk_create(rows, ignore_conflicts=True)


def look_over(subscribers: Iterable[lag.Named]) -> list[UUID]:
    """
    Put every house in which a subscriber lags on the list, and return those that were not there.

    One query, with two index look-ups for each house that there is.
    """
    behind = {each.establishment for each in lag.lagging(subscribers, everywhere=True)}
    missing = sorted(behind - set(houses()))
    put(missing)
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


def read(subscribers: Collection[lag.Named]) -> dict[UUID, int]:
    """The houses on the list that every subscriber has read, with the head of each. One query."""
    names = [each.name for each in subscribers]
    statement = READ.format(marks=keyed.marks(names), number=len(names))
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(statement, names)
        return {lag.as_uuid(house): head for house, head in cursor.fetchall()}


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


def rest(establishment: UUID, subscribers: Collection[lag.Named], *, head: int) -> bool:
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
