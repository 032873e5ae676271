"""
Servers of a distributed database, each with a synchronous standby that can take its place.

A server has one name, which is a link: whoever asks reaches the one of both that leads, as with a
name that follows it (docs/scale/distribution.md, *A server dies*). Servers speak to each other by
those names, too.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import psycopg

from tests import services
from tests.faults.links import Link
from tests.faults.parts import Part
from tests.faults.servers import RUNTIME, WAITS, _answers
from tests.processes import PATIENCE
from tests.scale.citus import build, cluster

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DATABASE = "home_throw"
SYNCHRONOUS = "synchronous_standby_names"
OF_PROTOCOL = 0.08  # share of answers that a deaf link loses
SETTINGS = {
    **cluster.SETTINGS,
    "max_wal_size": "512MB",
    "shared_buffers": "48MB",
    "wal_retrieve_retry_interval": "500ms",  # a standby is there again soon after its leader
    "citus.node_conninfo": "sslmode=disable connect_timeout=5",
}
IN_SYNC = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"


@dataclass
class Server:
    """
    One PostgreSQL with Citus.

    :param home: has the programs.
    :param folder: gets its data.
    """

    name: str
    home: Path
    folder: Path
    log: Path
    port: int = field(default_factory=services.free_port)

    def __post_init__(self) -> None:
        options = [word for each in SETTINGS.items() for word in ("-c", "=".join(each))]
        self.part = Part(
            self.name,
            (
                str(self.home / services.BINARIES / "postgres"), "-D", str(self.data),
                "-k", str(self.folder), "-h", "127.0.0.1", "-p", str(self.port), *options,
            ),
            log=self.log,
            ready=lambda: _answers(self.url("postgres")),
            ends_by=signal.SIGINT,
            crashes=f" {RUNTIME} ",
            cwd=self.folder,
            **services._identity(),
        )  # fmt: skip
        self.folder.mkdir()
        if who := services._identity():
            os.chown(self.folder, who["user"], who["group"])

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def url(self, database: str = DATABASE) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def run(
        self, statement: str, *values: Any, database: str = "postgres"
    ) -> list[tuple[Any, ...]]:
        """As the superuser, in a transaction of its own."""
        with psycopg.connect(
            self.url(database), autocommit=True, connect_timeout=WAITS
        ) as connection:
            done = connection.execute(statement.encode(), values or None)
            return done.fetchall() if done.description else []

    def initialise(self) -> None:
        """Make its data. It believes who says that he is somebody: all are on loopback."""
        self._program(
            "initdb", "-D", self.data, "-U", "postgres", "--auth=trust", "--locale=C",
            "--encoding=UTF8",
        )  # fmt: skip
        with (self.data / "postgresql.conf").open("a") as settings:
            settings.write("include_if_exists = 'synchronous.conf'\n")

    def copies(self, other: Server) -> None:
        """Become a standby of another server, with whatever that has now."""
        shutil.rmtree(self.data, ignore_errors=True)
        told = f"host=127.0.0.1 port={other.port} user=postgres application_name={self.name}"
        self._program("pg_basebackup", "-D", self.data, "-d", told, "-R", "-c", "fast")
        self.waits_for("", told=False)
        self.part.start()
        self.part.wait()

    def waits_for(self, standby: str, *, told: bool = True) -> None:
        """
        Commits are acknowledged once that standby has them; without a name, at once.

        :param told: the server runs, and reads it now.
        """
        settings = self.data / "synchronous.conf"
        settings.write_text(f"{SYNCHRONOUS} = '\"{standby}\"'\n" if standby else "")
        settings.chmod(0o644)
        if told:
            self.run("SELECT pg_reload_conf()")

    def _program(self, name: str, *words: str | Path) -> None:
        command = [self.home / services.BINARIES / name, *words]
        done = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, check=False,
            **services._identity(),
        )  # fmt: skip
        assert done.returncode == 0, done.stderr


class Node:
    """A server under one name, and its standby: each may be either."""

    def __init__(self, name: str, home: Path, folder: Path, logs: Path) -> None:
        self.name = name
        self.leads, self.stands = (
            Server(each, home, folder / each, logs / f"{each}.log")
            for each in (f"{name}-a", f"{name}-b")
        )
        self.link = Link(f"all>{name}", self.leads.port, loses=OF_PROTOCOL)
        self.followers: list[Link] = [self.link]
        """Links that lead to whichever leads."""

    @property
    def servers(self) -> tuple[Server, Server]:
        return self.leads, self.stands

    @property
    def parts(self) -> dict[str, Part]:
        return {each.name: each.part for each in self.servers}

    def begin(self) -> None:
        self.leads.initialise()
        self.leads.part.start()
        self.leads.part.wait()
        self.leads.run(f"CREATE DATABASE {DATABASE}")
        self.leads.run("CREATE EXTENSION citus", database=DATABASE)

    def with_standby(self) -> None:
        """From now on nothing is acknowledged that only one of both has."""
        self.stands.copies(self.leads)
        self.leads.waits_for(self.stands.name)
        end = time.monotonic() + PATIENCE
        while not self.in_sync():
            assert time.monotonic() < end, f"{self.stands.name} does not follow."
            time.sleep(0.1)

    def in_sync(self) -> bool:
        try:
            return self.leads.run(IN_SYNC) == [(1,)]
        except psycopg.OperationalError:
            return False

    def switch(self) -> bool:
        """
        The leader dies, and its standby takes its place and its name: as a failover manager does.

        :returns: whether it could: a standby that does not have everything is not promoted.
        """
        if not self.in_sync():
            return False
        self.leads.part.kill()
        self.leads, self.stands = self.stands, self.leads
        self.leads.run("SELECT pg_promote(true, 60)")
        for link in self.followers:
            link.upstream = self.leads.port
            link.cut()
        return True


@contextmanager
def cluster_of(names: tuple[str, ...], folder: Path) -> Iterator[dict[str, Node]]:
    """
    Nodes, not begun yet, by name; ended with the block.

    :param folder: gets their logs.
    """
    home = build.home()
    with services._folder("citus-") as place, ExitStack() as stack:
        if not services._may_run(home / services.BINARIES / "postgres", place):
            home = services._copied(home, place)
        nodes = {name: Node(name, home, place, folder) for name in names}
        for node in nodes.values():
            for server in node.servers:
                stack.callback(server.part.kill)
        yield nodes
