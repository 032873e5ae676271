"""
The databases of a run: one PostgreSQL and one SQLite, made for the run and deleted after it.

PostgreSQL is set up as in production: fsync on, the owner migrates, and the house runs as a role
that can write to the ledger only through its function. If ``DATABASE_URL`` is set (with a role that
may make databases and roles), that server is used instead of one of our own; what is measured has a
database of its own there, too.

*In memory* means that the files are on a RAM disk: programs wait for it as for a disk, but it takes
no time. So programs are compared, and not the disk with itself.
"""

import os
import secrets
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg.sql import SQL, Identifier
from psycopg.sql import Literal as Quoted

from tests import services

Vendor = Literal["postgresql", "sqlite"]
Medium = Literal["memory", "disk"]
RAM_DISK = Path("/dev/shm")  # noqa: S108  only as tempfile uses it

OF_A_HOUSE = (
    "DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "HOME_THROW_DATA", "SECRET_KEY", "DEBUG",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Database:
    """
    A database to measure on.

    :param address: the owner's connection string, or the folder of the SQLite files.
    :param environment: the environment variables of a house's process.
    :param about: version and settings, for the heading of a table.
    """

    vendor: Vendor
    name: str
    address: str
    environment: Mapping[str, str]
    about: str


@contextmanager
def opened(vendor: Vendor, medium: Medium) -> Iterator[Database]:
    """
    Start a database for the time of the block.

    :raises NotStarted: if there is no PostgreSQL, or no RAM disk.
    """
    with _temporary_files(medium), postgresql() if vendor == "postgresql" else sqlite() as database:
        yield database


@contextmanager
def _temporary_files(medium: Medium) -> Iterator[None]:
    """Set the folder in which this program, and servers that it starts, make temporary files."""
    if medium == "memory" and not RAM_DISK.is_dir():
        raise services.NotStarted(f"this machine has no {RAM_DISK}")
    before = tempfile.tempdir
    tempfile.tempdir = str(RAM_DISK) if medium == "memory" else before
    try:
        yield
    finally:
        tempfile.tempdir = before


@contextmanager
def postgresql() -> Iterator[Database]:
    with ExitStack() as stack:
        server = os.environ.get("DATABASE_URL") or stack.enter_context(
            services.postgresql(durable=True)
        )
        owner, house = stack.enter_context(_own_database(server))
        broker, wakes = _broker(stack)
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-"))
        yield Database(
            vendor="postgresql",
            name="PostgreSQL",
            address=owner,
            environment=_environment(
                folder, DATABASE_URL=house, DATABASE_OWNER_URL=owner, REDIS_URL=broker
            ),
            about=f"{_about(owner)}; {wakes}",
        )


@contextmanager
def sqlite() -> Iterator[Database]:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        yield Database(
            vendor="sqlite",
            name="SQLite",
            address=folder,
            environment=_environment(folder),
            about="WAL, synchronous=FULL; wakes go to the broker in the process",
        )


@contextmanager
def _own_database(server: str) -> Iterator[tuple[str, str]]:
    """A new database with a role that runs the house: the URLs of its owner and of that role."""
    name, secret = f"bench_{secrets.token_hex(4)}", secrets.token_hex(16)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
        role = SQL("CREATE ROLE {} LOGIN PASSWORD {}")
        connection.execute(role.format(Identifier(name), Quoted(secret)))
    try:
        parts = urlsplit(server)
        there = f"{parts.hostname}:{parts.port or 5432}"
        yield (
            urlunsplit(parts._replace(path=f"/{name}")),
            urlunsplit(parts._replace(path=f"/{name}", netloc=f"{name}:{secret}@{there}")),
        )
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            for statement in ("DROP DATABASE {} WITH (FORCE)", "DROP ROLE {}"):
                connection.execute(SQL(statement).format(Identifier(name)))


def _broker(stack: ExitStack) -> tuple[str, str]:
    """Start a broker. ``REDIS_URL`` is never used: queues are emptied between measurements."""
    try:
        address = stack.enter_context(services.redis())
    except services.NotStarted as reason:
        return "", f"wakes go to a broker in the process ({reason})"
    return address, "wakes go to a Redis-protocol server beside it"


def _about(address: str) -> str:
    with psycopg.connect(address) as connection:
        cursor = connection.execute(
            "SELECT current_setting('server_version'), current_setting('fsync'),"
            " current_setting('synchronous_commit')"
        )
        version, fsync, synchronous = cursor.fetchone() or ("?", "?", "?")
    return f"version {version}, fsync {fsync}, synchronous_commit {synchronous}"


def _environment(folder: str, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in OF_A_HOUSE}
    return {
        **kept,
        "DJANGO_SETTINGS_MODULE": "casino.config.settings",
        "HOME_THROW_DATA": folder,
        "SECRET_KEY": secrets.token_hex(),
        "LOG_LEVEL": "ERROR",
        **more,
    }
