"""A database that cannot be written, made so for real and put right again, on either kind."""

from __future__ import annotations

import resource
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import psycopg
from django.db import connection

from casino.engine.databases import storage_failure
from tests import services
from tests.scale.citus import cluster
from tests.support.on_citus import ON_CITUS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from django.db.backends.base.base import BaseDatabaseWrapper

    StorageFault = Callable[[], AbstractContextManager[None]]

ON_POSTGRESQL = connection.vendor == "postgresql"
REACH = ("host", "port", "user", "password", "dbname")
NO_LIMIT = 4_294_967_294  # pages, SQLite's own
LOG_MAX = 100_000  # bytes: more than tests say, and less than a few commands write


def execute(statement: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return list(cursor.fetchall()) if cursor.description else []


# --- SQLite -----------------------------------------------------------------------------------


@contextmanager
def no_more_pages() -> Iterator[None]:
    """SQLITE_FULL at the first page too many, as where the disk has none left."""
    execute("PRAGMA max_page_count = 1")  # which SQLite takes for: as many as there are
    try:
        yield
    finally:
        execute(f"PRAGMA max_page_count = {NO_LIMIT}")


@contextmanager
def query_only() -> Iterator[None]:
    """SQLITE_READONLY."""
    execute("PRAGMA query_only = ON")
    try:
        yield
    finally:
        execute("PRAGMA query_only = OFF")


@contextmanager
def files_end_here() -> Iterator[None]:
    """SQLITE_IOERR: the kernel lets no file grow further, the write-ahead log least of all."""
    execute("PRAGMA wal_checkpoint(TRUNCATE)")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LOG_MAX, hard))
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    finally:
        sys.dont_write_bytecode = writes
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def damaged() -> Iterator[None]:
    """SQLITE_NOTADB for whoever comes next."""
    execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    with open(connection.settings_dict["NAME"], "r+b") as book:  # noqa: PTH123 - a name
        header = book.read(100)
        book.seek(0)
        book.write(b"\0" * 100)
        book.flush()
        try:
            yield
        finally:
            connection.close()
            book.seek(0)
            book.write(header)


# --- PostgreSQL -------------------------------------------------------------------------------


@contextmanager
def says_full() -> Iterator[None]:
    """53100, as the server says it where a table cannot grow; here a trigger says it."""
    schema = "tests" if ON_CITUS else "pg_temp"  # Citus passes on nothing of a session's own
    execute(
        f"""
        CREATE FUNCTION {schema}.no_space_left() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            RAISE EXCEPTION 'could not extend file: No space left on device'
                USING ERRCODE = 'disk_full';
        END $$
        """
    )
    execute(
        "CREATE TRIGGER aaa_full AFTER INSERT ON ledger_event"
        f" FOR EACH STATEMENT EXECUTE FUNCTION {schema}.no_space_left()"
    )
    execute("ALTER TABLE ledger_event ENABLE ALWAYS TRIGGER aaa_full")
    try:
        yield
    finally:
        execute("DROP TRIGGER aaa_full ON ledger_event")
        execute(f"DROP FUNCTION {schema}.no_space_left()")


@contextmanager
def read_only() -> Iterator[None]:
    """25006, as of a standby, or of a database that was made read-only."""
    if ON_CITUS:
        with every_server_read_only():
            yield
        return
    execute("SET default_transaction_read_only = on")
    try:
        yield
    finally:
        execute("SET default_transaction_read_only = off")


@contextmanager
def every_server_read_only() -> Iterator[None]:
    """Servers of a cluster ask nobody whether they are to write: each is told."""
    name = connection.settings_dict["NAME"]
    ended = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = %s"
    nodes = cluster.attached().nodes
    setting = f'ALTER DATABASE "{name}" {{}} default_transaction_read_only'
    try:
        for node in nodes:
            node.run(f"{setting.format('SET')} = on")
            node.run(ended, "postgres", name)
        connection.close()
        yield
    finally:
        for node in nodes:
            node.run(setting.format("RESET"))
            node.run(ended, "postgres", name)
        connection.close()


@contextmanager
def hung_up() -> Iterator[None]:
    """57P01: the server ends our session and takes another when asked."""
    [(pid,)] = execute("SELECT pg_backend_pid()")
    with another_session() as other:
        other.execute("SELECT pg_terminate_backend(%s::integer, 10000)", [pid])
    try:
        yield
    finally:
        connection.close()


def another_session(beside: BaseDatabaseWrapper = connection) -> psycopg.Connection[Any]:
    """At the same database, past Django."""
    words = beside.get_connection_params()
    reach = {name: words[name] for name in REACH if name in words}
    return psycopg.connect(**reach, autocommit=True)


@contextmanager
def away() -> Iterator[None]:
    """Nobody listens where the server was."""
    port = connection.settings_dict["PORT"]
    connection.close()
    connection.settings_dict["PORT"] = services.free_port()
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["PORT"] = port


STORAGE_FAULTS: dict[str, tuple[StorageFault, str]] = (
    {
        "full": (says_full, "storage_full"),
        "read-only": (read_only, "storage_read_only"),
        "hung up": (hung_up, "storage_unavailable"),
        "away": (away, "storage_unavailable"),
    }
    if ON_POSTGRESQL
    else {
        "full": (no_more_pages, "storage_full"),
        "read-only": (query_only, "storage_read_only"),
        "input/output": (files_end_here, "storage_unavailable"),
        "damaged": (damaged, "storage_unavailable"),
    }
)
FULL, READ_ONLY = STORAGE_FAULTS["full"][0], STORAGE_FAULTS["read-only"][0]


@contextmanager
def no_failure_remembered() -> Iterator[None]:
    """What a test met is no news to the next."""
    storage_failure.MEMORY.forget()
    try:
        yield
    finally:
        storage_failure.MEMORY.forget()
