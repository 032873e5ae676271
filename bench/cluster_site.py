"""
A house's real processes on one, two or three database servers, and what each of them spends.

The servers are those of `tests.scale.citus.cluster`: the first is the coordinator. A form says how
many there are, and through which of them the house's processes speak to the database.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import psycopg
from redis import Redis

from bench import processor, production
from tests import services
from tests.scale.citus import cluster

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from bench.production import House

NAME: Final = "bench_nodes"  # the database, the same on each server
WHERE: Final = """
    SELECT nodeport FROM citus_shards
    WHERE shardid = get_shard_id_for_distribution_column('ledger_event', %s::uuid)"""
COUNTERS: Final = """
    SELECT pg_current_wal_lsn() - '0/0'::pg_lsn,
        (SELECT coalesce(sum(fsyncs), 0) FROM pg_stat_io WHERE object = 'wal'),
        (SELECT tup_inserted + tup_updated + tup_deleted FROM pg_stat_database WHERE datname = %s),
        (SELECT xact_commit FROM pg_stat_database WHERE datname = %s)"""
SESSIONS: Final = """
    SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND datname = %s"""
COUNTED: Final = ("WAL", "fsyncs", "rows", "transactions")


@dataclass(frozen=True)
class Form:
    """
    :param servers: how many databases there are, the coordinator among them.
    :param citus: without it, it is one plain PostgreSQL.
    :param through: the server that the house's processes speak to; 0 is the coordinator.
    """

    servers: int
    citus: bool = True
    through: int = 0


FORMS: Final[Mapping[str, Form]] = {
    "plain": Form(1, citus=False),
    "1": Form(1),
    "2": Form(2),
    "3": Form(3),
    "3 direct": Form(3, through=1),
}


@dataclass(frozen=True)
class Site:
    """
    A house that answers on its servers.

    :param houses: what `bench.furnishing` printed of each house.
    :param places: the name of the server that each house is on.
    """

    form: Form
    house: House
    nodes: cluster.Cluster
    houses: list[dict[str, Any]]
    places: Mapping[str, str]

    def servers(self) -> dict[str, cluster.Node]:
        return {_name(number): node for number, node in enumerate(self.nodes.nodes)}

    def pids(self) -> dict[str, int]:
        """The first process of each program and server, by name."""
        theirs = {
            name: int((node.folder / "data" / "postmaster.pid").read_text().split()[0])
            for name, node in self.servers().items()
        }
        redis = {"Redis": processor.of_redis(self.house.env["REDIS_URL"])}
        return {**{name: each.pid for name, each in self.house.running.items()}, **theirs, **redis}

    def used(self) -> dict[str, float]:
        """Seconds of processor so far, by program and server; children that ended count."""
        return {name: processor.used(pid) for name, pid in self.pids().items()}

    def counters(self) -> dict[str, dict[str, float]]:
        """By server: bytes of WAL, waits for the disk, changed rows and transactions so far."""
        return {
            name: dict(
                zip(COUNTED, map(float, node.run(COUNTERS, NAME, NAME, NAME)[0]), strict=True)
            )
            for name, node in self.servers().items()
        }

    def sessions(self) -> dict[str, int]:
        """How many sessions each server has, those from other servers among them."""
        return {
            name: int(node.run(SESSIONS, NAME, NAME)[0][0]) for name, node in self.servers().items()
        }

    def redis_commands(self) -> int:
        with Redis.from_url(self.house.env["REDIS_URL"]) as client:
            stats: Any = client.info("stats")
        return int(stats["total_commands_processed"])

    def events(self) -> int:
        [[count]] = self.house.rows("SELECT count(*) FROM ledger_event")
        return int(count)


def _name(number: int) -> str:
    return f"server {number + 1}"


@contextmanager
def running(folder: Path, form: Form, *, houses: int, tables: int) -> Iterator[Site]:
    """
    That many houses on the form's servers, through the coordinator, ready to be played in.

    :raises NotBuilt: if this machine has no Citus and cannot make one.
    """
    with cluster.running(form.servers - 1, durable=True) as nodes, services.redis() as redis:
        address = _database(nodes, form)
        words = ("distribute --shards=32",) if form.citus else ()
        with production.served(
            folder, production.SEPARATE, then=words, DATABASE_URL=address, REDIS_URL=redis,
            DJANGO_SETTINGS_MODULE="casino.config.settings",
        ) as house:  # fmt: skip
            made = house.json_of("bench.furnishing", str(tables), str(houses))
            house.managed("ledger_keys", "--make")
            yield Site(form, house, nodes, made, _places(nodes, form, made))


@contextmanager
def through(site: Site, folder: Path, form: Form) -> Iterator[Site]:
    """The same houses, whose processes speak to another server; the first processes end."""
    site.house.stop()
    env = {**site.house.env, "DATABASE_URL": site.nodes.nodes[form.through].url(NAME)}
    with production.answering(folder, production.SEPARATE, env) as house:
        yield replace(site, form=form, house=house)


def _database(nodes: cluster.Cluster, form: Form) -> str:
    """A new database; on a coordinator without workers, it holds the houses itself."""
    coordinator = nodes.coordinator
    if not form.citus:
        coordinator.run(f"CREATE DATABASE {NAME}")
        return coordinator.url(NAME)
    address = nodes.database(NAME)
    if form.servers == 1:
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(
                "SELECT citus_set_node_property('127.0.0.1', %s, 'shouldhaveshards', true)",
                [coordinator.port],
            )
    return address


def _places(nodes: cluster.Cluster, form: Form, houses: list[dict[str, Any]]) -> dict[str, str]:
    ports = {node.port: _name(number) for number, node in enumerate(nodes.nodes)}
    if not form.citus:
        return {each["house"]: _name(0) for each in houses}
    return {
        each["house"]: ports[nodes.coordinator.run(WHERE, NAME, each["house"])[0][0]]
        for each in houses
    }
