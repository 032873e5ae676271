"""
Copies a whole database to a file and back: PostgreSQL with its own programs pg_dump and pg_restore,
on one snapshot; SQLite while it is being written to.

Everybody on the machine can read a command line, so the password is passed in the environment of
the child process.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import psycopg
from django.conf import settings
from psycopg import conninfo, pq

from casino.engine.databases.postgresql import citus
from casino.engine.databases.storage_failure import SAYS
from casino.proof.backup.manifests import BackupRefused, Contents, contents
from ledger.storage import StorageFault, storage_fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from django.db.backends.base.base import BaseDatabaseWrapper

DEBIAN: Final = Path("/usr/lib/postgresql")
SECRET: Final = "PGPASSWORD"  # noqa: S105 - the name of a variable
TABLES: Final = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
SEVERAL: Final = (
    "This database is distributed over several servers, and no dump has one moment of them all."
    " Back up each server with its log instead, with restore points that Citus sets on all of them"
    " (docs/how-to/backup.md), or a house at a time with export_ledger."
)
LOCK_WAIT: Final = "60s"  # for a migration that changes tables


@dataclass(frozen=True, slots=True)
class Programs:
    pg_dump: Path
    major: int

    @property
    def pg_restore(self) -> Path:
        return self.pg_dump.with_name("pg_restore")


def owner() -> str:
    """
    The database alias of the role that owns the tables. If none is configured: that of the house,
    past a pooler.
    """
    return "owner" if "owner" in settings.DATABASES else settings.SESSION_DATABASE


def dump(connection: BaseDatabaseWrapper, to: Path) -> Contents:
    """
    Dump the database to an empty file in pg_dump's custom format; return what it contains.

    The dump and the reported contents come from one snapshot; no writer has to wait.

    :raises BackupRefused: if there is no suitable pg_dump, or it fails; or if the database is
        distributed: there is no one snapshot of several servers.
    """
    if citus.is_distributed(connection):
        raise BackupRefused(SEVERAL)
    programs = find_programs(connection)
    with snapshot(connection) as (name, held):
        run(
            connection, programs.pg_dump, "--format=custom", f"--snapshot={name}",
            f"--lock-wait-timeout={LOCK_WAIT}", f"--file={to}",
        )  # fmt: skip
    listed = call([str(programs.pg_restore), "--list", str(to)], {})
    if "ledger_event" not in listed:
        raise BackupRefused(f"{to} came out without the ledger.")
    return held


def load(connection: BaseDatabaseWrapper, file: Path) -> None:
    """
    Load a dump into an empty database, completely or not at all.

    pg_restore loads rows before it creates triggers, so nothing is booked twice. The tables belong
    to the role that restores; `migrate` makes the grants. Old pieces of the ledger come back beside
    the others: the place may have no slower storage (`old_days`).

    :raises BackupRefused: if pg_restore is missing or fails; then the database is still empty.
    """
    programs = find_programs(connection)
    run(
        connection, programs.pg_restore, "--single-transaction", "--exit-on-error", "--no-owner",
        "--no-privileges", "--no-tablespaces", str(file),
    )  # fmt: skip


@contextmanager
def snapshot(connection: BaseDatabaseWrapper) -> Iterator[tuple[str, Contents]]:
    """Hold a snapshot for the length of the block: its name, and what the database contains."""
    words, secret = address(connection)
    with (
        connection.wrap_database_errors,
        psycopg.connect(words, password=secret.get(SECRET)) as own,
    ):
        own.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        own.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        row = own.execute("SELECT pg_export_snapshot()").fetchone()
        assert row is not None  # noqa: S101 - a function's only row

        def ask(statement: str) -> list[tuple[Any, ...]]:
            return own.execute(statement.encode()).fetchall()

        yield row[0], contents(ask, {name for (name,) in ask(TABLES)})


def read(connection: BaseDatabaseWrapper) -> Contents:
    """What a database contains."""
    with snapshot(connection) as (_, held):
        return held


def find_programs(connection: BaseDatabaseWrapper) -> Programs:
    """
    Find the pg_dump of the server's major version, or else the next newer one.

    :raises BackupRefused: if there is none; the message says what to install.
    """
    connection.ensure_connection()
    server = connection.pg_version // 10000  # type: ignore[attr-defined]
    known = [Programs(path, major) for path in candidates() if (major := version(path))]
    fit = sorted((each for each in known if each.major >= server), key=lambda each: each.major)
    if fit:
        return fit[0]
    seen = f"; found only version {max(each.major for each in known)}" if known else ""
    where = f"PG_DUMP={settings.PG_DUMP} is none" if settings.PG_DUMP else f"There is none{seen}"
    raise BackupRefused(
        f"A backup takes pg_dump {server} or newer, as the server is PostgreSQL {server}. {where}. "
        f"Install postgresql-client-{server}, or let PG_DUMP name the program."
    )


def candidates() -> list[Path]:
    """The paths where pg_dump may be. If the setting PG_DUMP names one, only that path."""
    if settings.PG_DUMP:
        return [Path(settings.PG_DUMP)]
    on_path = shutil.which("pg_dump")
    return [*([Path(on_path)] if on_path else []), *sorted(DEBIAN.glob("*/bin/pg_dump"))]


def version(program: Path) -> int | None:
    """The major version that a program reports; None: it does not run."""
    try:
        output = call([str(program), "--version"], {})
    except BackupRefused:
        return None
    number = re.search(r"\(PostgreSQL\) (\d+)", output)
    return int(number[1]) if number else None


def run(connection: BaseDatabaseWrapper, program: Path, *options: str) -> None:
    words, secret = address(connection)
    call([str(program), "--no-password", f"--dbname={words}", *options], secret)


def address(connection: BaseDatabaseWrapper) -> tuple[str, dict[str, str]]:
    """How libpq reaches the database: a public connection string, and the secret environment."""
    known = {option.keyword.decode() for option in pq.Conninfo.get_defaults()}
    given = connection.get_connection_params()
    libpq = {name: str(it) for name, it in given.items() if name in known and it is not None}
    secret = {SECRET: libpq.pop("password")} if "password" in libpq else {}
    libpq.pop("client_encoding", None)  # pg_dump knows better
    return conninfo.make_conninfo(**libpq), secret


def call(command: Sequence[str], secret: Mapping[str, str]) -> str:
    """
    Run a program; its output.

    :raises BackupRefused: with the program's error message if it fails.
    """
    name = Path(command[0]).name
    try:
        done = subprocess.run(  # noqa: S603 - a program of PostgreSQL's, without a shell
            command, env={**os.environ, **secret}, capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise BackupRefused(f"{command[0]} does not run: {error.strerror}.") from error
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
        wrong = next((line for line in lines if "error:" in line), lines[-1])
        raise BackupRefused(f"{name} failed: {wrong.removeprefix(f'{name}: ')}")
    return done.stdout


#
# Copies an SQLite database while it is being written to.
#
# SQLite's online backup API copies pages within one read transaction. With the write-ahead log,
# readers and writers do not wait for each other, so the house plays on. The copy is the database at
# one moment, however much is written meanwhile.


TABLES_OF_SQLITE: Final = "SELECT name FROM sqlite_master WHERE type = 'table'"
PAGES: Final = 512  # pages of 4 KB per step; copying can be interrupted between steps
SIDE_FILES: Final = ("-journal", "-wal", "-shm")  # what SQLite keeps beside a database


def copy(book: Path, to: Path) -> Contents:
    """
    Copy a database to an empty file and check the copy; return what it contains.

    :raises BackupRefused: if the database cannot be read, the disk is full, or the copy is not
        sound.
    """
    try:
        with closing(open_read_only(book)) as source, closing(sqlite3.connect(to)) as target:
            target.execute("PRAGMA synchronous=OFF")  # the caller syncs once at the end
            # An open transaction keeps the snapshot: else each commit would restart the copying.
            source.execute("BEGIN")
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()
            source.backup(target, pages=PAGES)
            target.execute("PRAGMA journal_mode=DELETE")  # one file, readable from a read-only disk
    except sqlite3.Error as error:
        raise BackupRefused(why(error, book, to)) from error
    return check_pages(to)


def check_pages(file: Path) -> Contents:
    """
    Check the pages of a database with SQLite's integrity_check; return what it contains.

    :raises BackupRefused: if the pages are not sound, or it is not a database of a house.
    """
    try:
        with closing(open_read_only(file)) as database:
            [(found,), *_] = database.execute("PRAGMA integrity_check(1)").fetchall()
            if found != "ok":
                raise BackupRefused(f"{file} is damaged: {found}.")

            def ask(statement: str) -> list[tuple[Any, ...]]:
                return database.execute(statement).fetchall()

            return contents(ask, {name for (name,) in ask(TABLES_OF_SQLITE)})
    except sqlite3.Error as error:
        raise BackupRefused(f"{file} is not a sound database of a house: {error}.") from error


def open_read_only(file: Path) -> sqlite3.Connection:
    """Open a database read-only; a file that does not exist is not created."""
    return sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)


def why(error: sqlite3.Error, book: Path, to: Path) -> str:
    match storage_fault(error):
        case StorageFault.FULL:
            return f"The disk of {to.parent} is full."
        case StorageFault.READ_ONLY:
            return f"Cannot write to {to.parent}: it is read-only."
        case None:
            return f"{book} cannot be copied: {error}."
        case found:
            return f"{book} cannot be copied: {error}. {SAYS[found]}"


def fold_log(book: Path) -> None:
    """Move the contents of the write-ahead log into the database file, so that it is complete."""
    try:
        with closing(sqlite3.connect(book, isolation_level=None)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error:
        return  # perhaps damaged, and replaced for that reason: its log is moved along with it


def there(book: Path) -> list[Path]:
    """The existing files of a database, the log first: without its database it is useless."""
    names = [book.with_name(book.name + suffix) for suffix in SIDE_FILES]
    return [path for path in (*names, book) if path.exists()]
