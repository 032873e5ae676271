"""Whether each server of a cluster answers, can be written, and archives its log."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, TypedDict

from django.db import OperationalError, transaction
from psycopg.errors import QueryCanceled

from casino.engine.databases import storage_failure
from casino.engine.databases.postgresql import citus

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

PATIENCE: Final = """
    SELECT set_config('citus.node_connection_timeout', '2s', true),
        set_config('statement_timeout', '5s', true)"""
"""For a server to take a connection, and for all to answer: one that hangs never would."""
EACH: Final = f"SELECT row_to_json(storage) FROM ({storage_failure.STATEMENT}) AS storage"  # noqa: S608 - a constant
ASKED: Final = """
    SELECT groupid, success, result
    FROM run_command_on_workers(%s) JOIN pg_dist_node USING (nodename, nodeport)
    ORDER BY groupid"""
ADDRESSES: Final = """
    SELECT groupid, nodename || ':' || nodeport FROM pg_dist_node
    WHERE groupid <> 0 AND noderole = 'primary' ORDER BY groupid"""
HOUSES: Final = """
    SELECT count(*) FROM establishments_establishment AS house
        JOIN pg_dist_placement ON shardid = get_shard_id_for_distribution_column(%s, house.id)
    WHERE groupid = %s"""


class State(TypedDict):
    server: int
    """The group of the cluster's that it is (``groupid`` in pg_dist_node)."""
    says: str
    """What is wrong with it, in a sentence; "" if it is well."""
    answers: bool
    """Whether it answered at all, whatever it said."""


class Unanswered(Exception):  # noqa: N818 - names the fact
    """A server takes connections, and does not answer in time."""


def states(connection: BaseDatabaseWrapper) -> list[State]:
    """
    How each server is that holds houses, asked through the coordinator; it is no part of them.

    :raises Unanswered: if one of them hangs; nobody is told which, as all are asked at once.
    :raises DatabaseError: if the coordinator does not answer.
    """
    try:
        return _ask(connection)
    except OperationalError as error:
        if isinstance(error.__cause__, QueryCanceled):  # by the statement_timeout of PATIENCE
            raise Unanswered from error
        raise


def _ask(connection: BaseDatabaseWrapper) -> list[State]:
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        cursor.execute(PATIENCE)
        cursor.execute(ASKED, [EACH])
        answers = cursor.fetchall()
        return [
            State(
                server=group,
                says=_of(json.loads(answer)) if answered else _away(cursor, group),
                answers=answered,
            )
            for group, answered, answer in answers
        ]


def addresses(connection: BaseDatabaseWrapper) -> dict[int, str]:
    """Where the coordinator reaches each, by its number: for people of the installation."""
    with connection.cursor() as cursor:
        cursor.execute(ADDRESSES)
        return dict(cursor.fetchall())


def _of(storage: dict[str, Any]) -> str:
    return storage_failure.describe_server(**storage) or ""


def _away(cursor: Any, group: int) -> str:
    cursor.execute(HOUSES, [citus.ANCHOR, group])
    [houses] = cursor.fetchone()
    return f"It does not answer. Houses on it: {houses}."
