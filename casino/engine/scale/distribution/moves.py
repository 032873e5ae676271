"""
A house's place on a cluster: where it is, a shard of its own, and the way to another server.

Citus moves a shard by logical replication while the house plays: its rows are copied, what is
written meanwhile is sent after them, and writing waits only for the last of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from casino.engine.databases.postgresql import citus

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.backends.base.base import BaseDatabaseWrapper

Mode = Literal["auto", "block_writes"]
"""How rows move: while the house plays, or with its writes waiting until all are there."""

WHERE: Final = """
    SELECT shardid, nodename, nodeport, shardminvalue = shardmaxvalue
    FROM pg_dist_shard JOIN pg_dist_placement USING (shardid) JOIN pg_dist_node USING (groupid)
    WHERE shardid = get_shard_id_for_distribution_column(%s, %s::uuid)
        AND noderole = 'primary'"""


class NotMoved(RuntimeError):  # noqa: N818 - names the fact
    """The house cannot go there; the message says why. It is where it was."""


@dataclass(frozen=True, slots=True)
class HousePlace:
    """
    Where the rows of a house are.

    :param shard: the number of the shard of its events; those of other tables go with it.
    :param alone: whether the shard holds this house only.
    """

    shard: int
    host: str
    port: int
    alone: bool

    @property
    def server(self) -> str:
        return f"{self.host}:{self.port}"


def find_place(connection: BaseDatabaseWrapper, house: UUID) -> HousePlace:
    """:raises NotMoved: if the database is not distributed."""
    if not citus.is_distributed(connection):
        raise NotMoved("This database is not distributed: manage.py distribute makes it so.")
    with connection.cursor() as cursor:
        cursor.execute(WHERE, [citus.ANCHOR, str(house)])
        return HousePlace(*cursor.fetchone())


def isolate(connection: BaseDatabaseWrapper, house: UUID) -> HousePlace:
    """
    Give a house a shard of its own, so that it can move without those beside it.

    Writes of the houses in its shard wait meanwhile. Splitting a shard without that does not end
    with Citus 14 on PostgreSQL 18 once one of them changes a row: the parts are replicated without
    the columns that identify it.
    """
    at = find_place(connection, house)
    if at.alone:
        return at
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT isolate_tenant_to_new_shard(%s, %s::uuid, 'CASCADE', 'block_writes')",
            [citus.ANCHOR, str(house)],
        )
    return find_place(connection, house)


def move(
    connection: BaseDatabaseWrapper, house: UUID, host: str, port: int, *, mode: Mode = "auto"
) -> HousePlace:
    """
    Move the shard of a house to another server, with whatever houses are in it.

    :raises NotMoved: if that server is none of the cluster's that hold houses.
    """
    at = find_place(connection, house)
    if (at.host, at.port) == (host, port):
        return at
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_dist_node WHERE nodename = %s AND nodeport = %s"
            " AND isactive AND shouldhaveshards)",
            [host, port],
        )
        if cursor.fetchone() != (True,):
            raise NotMoved(f"{host}:{port} is no server of this cluster that holds houses.")
        # A server that was just added has no copy yet of the tables that every server has.
        cursor.execute("SELECT replicate_reference_tables(%s)", [mode])
        cursor.execute(
            "SELECT citus_move_shard_placement(%s, %s, %s, %s, %s, %s)",
            [at.shard, at.host, at.port, host, port, mode],
        )
    return find_place(connection, house)
