"""
A Citus cluster on loopback: a coordinator and workers, ordinary processes, gone in the end.

    python -m tests.scale.citus.cluster -- pytest tests/ledger

runs a command with ``DATABASE_URL`` set to the coordinator, ``CITUS_WORKERS`` to the ports of the
others and ``REDIS_URL`` to a Valkey. What pytest makes for its tests is then distributed by house
(tests/template.py).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import psycopg
from psycopg import sql

from tests import services
from tests.scale.citus import build

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

WORKERS: Final = "CITUS_WORKERS"  # ports, the first is the coordinator's
NODES: Final = "CITUS_NODES"
COPYING: Final = 0x636F_7079  # "copy": the advisory lock of who copies a template
SETTINGS: Final = {
    "shared_preload_libraries": "citus",
    "wal_level": "logical",
    "max_connections": "300",
    "max_prepared_transactions": "600",
    "max_worker_processes": "40",
    "max_wal_senders": "20",
    "max_replication_slots": "20",
    "citus.enable_unsafe_triggers": "on",
    "citus.multi_shard_modify_mode": "sequential",
    "citus.max_cached_conns_per_worker": "4",
    "citus.recover_2pc_interval": "5s",
    "output_plugin_libraries": "pgoutput,citus",
}
OPTIONS: Final = tuple(word for each in SETTINGS.items() for word in ("-c", "=".join(each)))


STARTED: Final[list[subprocess.Popen[bytes]]] = []
"""Servers go on when whoever speaks of them is forgotten."""
UNSYNCED: Final = ("-c", "fsync=off", "-c", "full_page_writes=off")
"""
Not `services.QUICK`: with ``synchronous_commit=off`` a shard that moves loses what was acknowledged
last. Citus waits for the position to which the log is written, and such commits are behind it.
"""


class Node:
    """
    One server of a cluster.

    Servers speak to each other as the role that asked, of whose password the others know nothing:
    on loopback they believe it (``trust``). Production has certificates
    (docs/scale/distribution.md).
    """

    def __init__(self, home: Path, folder: Path, options: Sequence[str], port: int = 0) -> None:
        """:param port: of one that is there already; otherwise its data is made."""
        self.home, self.folder, self.options = home, folder, list(options)
        self.port = port or services.free_port()
        if not port:
            initdb: list[str | Path] = [
                self.home / services.BINARIES / "initdb", "-D", folder / "data", "-U", "postgres",
                "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync",
            ]  # fmt: skip
            subprocess.run(
                initdb, cwd=folder, check=True, capture_output=True, **services._identity()
            )

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        """Start the server and wait until it answers."""
        log = self.folder / "log"
        command = [
            str(self.home / services.BINARIES / "postgres"), "-D", str(self.folder / "data"),
            "-k", str(self.folder), "-h", "127.0.0.1", "-p", str(self.port), *OPTIONS,
            *self.options,
        ]  # fmt: skip
        with log.open("wb") as output:
            server = subprocess.Popen(
                command, cwd=self.folder, stdout=output, stderr=output, start_new_session=True,
                **services._identity(),
            )  # fmt: skip
        STARTED.append(server)
        services._wait_for(server, log)

    def program(self, name: str, *words: str | Path) -> None:
        """
        A program, PostgreSQL's or another, as the one that the server runs as, in its folder.

        :raises CalledProcessError: if it fails; with what it said.
        """
        services.done(self.home, self.folder, name, *words)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End the server: SIGINT ends sessions first, SIGKILL nothing; its children notice."""
        try:
            pid = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
            os.kill(pid, how)
        except (FileNotFoundError, ProcessLookupError):
            return
        end = time.monotonic() + services.PATIENCE
        while time.monotonic() < end and _runs(pid):
            time.sleep(0.05)
        # Who started it may not have noticed yet: then its number is still somebody's.
        for lock in (self.folder / "data" / "postmaster.pid", *self.folder.glob(".s.PGSQL.*.lock")):
            lock.unlink(missing_ok=True)

    def run(
        self, statement: str, database: str = "postgres", *values: Any
    ) -> list[tuple[Any, ...]]:
        """A statement as the superuser, in a transaction of its own; its rows."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            done = connection.execute(statement, values or None)
            return done.fetchall() if done.description else []


def _runs(pid: int) -> bool:
    """Whether a process is there; one that has ended and is not reaped yet is not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


class Cluster:
    """A coordinator and the servers that hold houses."""

    def __init__(self, coordinator: Node, workers: Sequence[Node]) -> None:
        self.coordinator, self.workers = coordinator, list(workers)

    @property
    def nodes(self) -> list[Node]:
        return [self.coordinator, *self.workers]

    @property
    def ports(self) -> str:
        return " ".join(str(node.port) for node in self.nodes)

    @property
    def described(self) -> str:
        """For `attached`, in another process."""
        return json.dumps(
            [[str(each.home), str(each.folder), each.options, each.port] for each in self.nodes]
        )

    def database(self, name: str) -> str:
        """A new database on all servers that knows of them; its URL at the coordinator."""
        make(self.ports, name)
        return self.coordinator.url(name)


def make(ports: str, name: str, template: str = "") -> None:
    """
    A database of this name on each server, an empty cluster of its own or a copy of another one.

    A copy knows the same servers and the same shards: Citus finds a database by the name of the one
    that it is in.

    :param ports: of all servers, the coordinator's first.
    """
    numbers = [int(port) for port in ports.split()]
    for port in numbers:
        with psycopg.connect(_url(port, "postgres"), autocommit=True) as connection:
            made_of = sql.Identifier(template or "template1")
            if template:  # Citus's own process is in it, and nobody else is to come
                # Of two who copy it at once one would fail: each waits, until its connection ends.
                connection.execute("SELECT pg_advisory_lock(%s)", [COPYING])
                connection.execute(
                    sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(made_of)
                )
                connection.execute(
                    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                    " WHERE datname = %s",
                    [template],
                )
            connection.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), made_of)
            )
    if template:
        return
    for port in numbers:
        with psycopg.connect(_url(port, name), autocommit=True) as connection:
            connection.execute("CREATE EXTENSION citus")
    with psycopg.connect(_url(numbers[0], name), autocommit=True) as connection:
        connection.execute("SELECT citus_set_coordinator_host('127.0.0.1', %s)", [numbers[0]])
        for port in numbers[1:]:
            connection.execute("SELECT citus_add_node('127.0.0.1', %s)", [port])


def let_keys_be_checked(ports: str, name: str) -> None:
    """
    ``SELECT tests.keys_checked() FROM tests.everywhere``, for `tests.support.on_citus`.

    Citus passes on no ``SET CONSTRAINTS``. Asked of rows of which each server has some, it is done
    by each within the transaction that asks.
    """
    function = """
        CREATE FUNCTION tests.keys_checked() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
            SET CONSTRAINTS ALL IMMEDIATE;
            SET CONSTRAINTS ALL DEFERRED;
        END $$"""
    with psycopg.connect(
        _url(int(ports.split(maxsplit=1)[0]), name), autocommit=True
    ) as connection:
        connection.execute("CREATE SCHEMA tests")
        connection.execute("CREATE TABLE tests.everywhere (number integer PRIMARY KEY)")
        connection.execute(
            "SELECT create_distributed_table("
            "'tests.everywhere', 'number', colocate_with := 'none', shard_count := 4)"
        )
        connection.execute("INSERT INTO tests.everywhere SELECT generate_series(1, 16)")
        connection.execute(function)
        connection.execute("SELECT create_distributed_function('tests.keys_checked()')")


def drop(ports: str, name: str) -> None:
    """Drop a database on each server, whoever is in it."""
    for port in ports.split():
        with psycopg.connect(_url(int(port), "postgres"), autocommit=True) as connection:
            connection.execute(
                sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
            )


def _url(port: int, database: str) -> str:
    return f"postgresql://postgres@127.0.0.1:{port}/{database}"


def attached() -> Cluster:
    """The cluster on which the tests of this process run."""
    nodes = [
        Node(Path(home), Path(folder), options, port)
        for home, folder, options, port in json.loads(os.environ[NODES])
    ]
    return Cluster(nodes[0], nodes[1:])


@contextmanager
def running(
    workers: int = 2,
    *,
    durable: bool = False,
    prepared: Callable[[Node], None] = lambda _node: None,
) -> Iterator[Cluster]:
    """
    A cluster for as long as it is needed.

    :param durable: wait for the disk at every commit, as production does.
    :param prepared: what is done with each server before it is started.
    :raises NotBuilt: if this machine has no Citus and cannot make one.
    """
    home = build.home()
    options = () if durable else UNSYNCED
    with services._folder("citus-") as folder, ExitStack() as stack:
        if not services._may_run(home / services.BINARIES / "postgres", folder):
            home = services._copied(home, folder)
        nodes = []
        for number in range(workers + 1):
            node = _node(home, folder / f"node{number}", options)
            prepared(node)
            node.start()
            stack.callback(node.stop)
            nodes.append(node)
        yield Cluster(nodes[0], nodes[1:])


def another(cluster: Cluster) -> Node:
    """One more server beside those of a cluster, started; the cluster does not know it yet."""
    last = cluster.nodes[-1]
    node = _node(last.home, last.folder.parent / f"node{len(cluster.nodes)}", last.options)
    node.start()
    return node


def _node(home: Path, folder: Path, options: Sequence[str]) -> Node:
    folder.mkdir()
    if identity := services._identity():
        os.chown(folder, identity["user"], identity["group"])
    return Node(home, folder, options)


def main(arguments: Sequence[str]) -> int:
    try:
        with running() as cluster, services.redis() as redis:
            cluster_is = {WORKERS: cluster.ports, NODES: cluster.described}
            return services.run_within(
                arguments, DATABASE_URL=cluster.coordinator.url(), REDIS_URL=redis, **cluster_is
            )
    except build.NotBuilt as why:
        sys.stderr.write(f"{why}\n")
        return 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
