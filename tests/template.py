"""
One migrated database a run, of which every test process and every house of a test gets a copy.

``python -m tests`` makes it and names it in the environment. Whoever runs pytest by itself has
none: then pytest-django migrates, as ever.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock
from urllib.parse import urlsplit, urlunsplit

from django.core import management
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.creation import BaseDatabaseCreation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).resolve().parent.parent
VARIABLE = "HOME_THROW_TEMPLATE"  # a file of SQLite, or a database of PostgreSQL's server
NAME = "house.sqlite3"
PARTITIONED = "HOME_THROW_TEST_PARTITIONED"
"""Set, the tests run on PostgreSQL with tables in partitions."""
PIECES = ("--parts=2", "--step=5")  # so few positions that most houses of tests have two pieces
SHARDS = 4  # of a house of tests on Citus: two on each server
CREATE_TEST_DB = BaseDatabaseCreation.create_test_db


class NotMigrated(RuntimeError):  # noqa: N818 - names the fact
    """The template could not be made; the message is what migrate said."""


@contextmanager
def made(env: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """That environment, with a migrated template of its database in it."""
    if "DATABASE_URL" in env:
        with database(env["DATABASE_URL"]) as url:
            migrate({**env, "DATABASE_URL": url})
            if "CITUS_WORKERS" in env:
                manage({**env, "DATABASE_URL": url}, "distribute", f"--shards={SHARDS}")
                let_keys_be_checked(env["CITUS_WORKERS"], url)
            if PARTITIONED in env:
                manage({**env, "DATABASE_URL": url}, "partition", *PIECES)
            yield {**env, VARIABLE: urlsplit(url).path.removeprefix("/")}
        return
    with tempfile.TemporaryDirectory(prefix="home-throw-template-") as folder:
        migrate({**env, "HOME_THROW_DATA": folder})
        plain = Path(folder, "template.sqlite3")
        with closing(sqlite3.connect(Path(folder, NAME))) as connection:
            # Without WAL, which a copy in memory could not have.
            connection.execute("VACUUM INTO ?", (str(plain),))
        yield {**env, VARIABLE: str(plain)}


def let_keys_be_checked(ports: str, url: str) -> None:
    from tests.scale.citus import cluster  # noqa: PLC0415 - only where there is one

    cluster.let_keys_be_checked(ports, urlsplit(url).path.removeprefix("/"))


def migrate(env: Mapping[str, str]) -> None:
    manage(env, "migrate", "--verbosity=0", "--skip-checks")


def manage(env: Mapping[str, str], *words: str) -> None:
    command = [sys.executable, "manage.py", *words]
    done = subprocess.run(command, cwd=ROOT, env=env, check=False, text=True, capture_output=True)
    if done.returncode:
        raise NotMigrated(done.stderr[-2000:])


@contextmanager
def database(server: str, template: str = "") -> Iterator[str]:
    """A new database on a server that lets us make one; it goes in the end."""
    import psycopg  # noqa: PLC0415 - on SQLite nobody needs it
    from psycopg import sql  # noqa: PLC0415

    name = f"house_{secrets.token_hex(6)}"
    if ports := os.environ.get("CITUS_WORKERS"):
        from tests.scale.citus import cluster  # noqa: PLC0415 - only where there is one

        cluster.make(ports, name, template)
        try:
            yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
        finally:
            cluster.drop(ports, name)
        return
    made_of = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
        sql.Identifier(name), sql.Identifier(template or "template1")
    )
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(made_of)
    try:
        yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
    finally:
        drop = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(drop)


def put(data: Path) -> None:
    """The database of an embedded house on that folder, where there is a template for it."""
    given = os.environ.get(VARIABLE)
    if given and not os.environ.get("DATABASE_URL"):
        data.mkdir(parents=True, exist_ok=True)
        shutil.copy(given, data / NAME)


@contextmanager
def copied() -> Iterator[None]:
    """While it lasts, what Django makes for tests is a copy of the template."""
    given = os.environ.get(VARIABLE)
    with ExitStack() as stack:
        if given:
            test = connections[DEFAULT_DB_ALIAS].settings_dict["TEST"]
            if ports := os.environ.get("CITUS_WORKERS"):
                stack.enter_context(on_each_server(ports, given))
            elif connections[DEFAULT_DB_ALIAS].vendor == "postgresql":
                stack.enter_context(mock.patch.dict(test, {"TEMPLATE": given}))
            stack.enter_context(
                mock.patch.object(BaseDatabaseCreation, "create_test_db", create_test_db)
            )
        yield


@contextmanager
def on_each_server(ports: str, template: str) -> Iterator[None]:
    """While it lasts, Django makes and drops databases of tests on all servers of a cluster."""
    from tests.scale.citus import cluster  # noqa: PLC0415 - only where there is one

    def create(self: Any, *_: Any) -> None:
        name = self._get_test_db_name()
        cluster.drop(ports, name)
        cluster.make(ports, name, template)

    def destroy(_self: BaseDatabaseCreation, name: str, _verbosity: int) -> None:
        cluster.drop(ports, name)

    kind = type(connections[DEFAULT_DB_ALIAS].creation)
    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(kind, "_execute_create_test_db", create))
        stack.enter_context(mock.patch.object(kind, "_destroy_test_db", destroy))
        yield


def create_test_db(self: BaseDatabaseCreation, *args: Any, **options: Any) -> str:
    with mock.patch.object(management, "call_command", filled):
        return CREATE_TEST_DB(self, *args, **options)


def filled(command: str, **options: Any) -> None:
    """In place of the commands by which Django fills a new database: PostgreSQL has copied it."""
    connection = connections[options["database"]]
    if command == "migrate" and connection.vendor == "sqlite":
        connection.ensure_connection()
        with closing(sqlite3.connect(os.environ[VARIABLE])) as template:
            template.backup(connection.connection)
