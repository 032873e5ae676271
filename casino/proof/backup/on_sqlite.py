"""
Copies an SQLite database while it is being written to.

SQLite's online backup API copies pages within one read transaction. With the write-ahead log,
readers and writers do not wait for each other, so the house plays on. The copy is the database at
one moment, however much is written meanwhile.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

from casino.engine.databases.storage_failure import SAYS
from casino.proof.backup.manifests import BackupRefused, contents
from ledger.storage import StorageFault, storage_fault

if TYPE_CHECKING:
    from pathlib import Path

    from casino.proof.backup.manifests import Contents

TABLES: Final = "SELECT name FROM sqlite_master WHERE type = 'table'"
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

            return contents(ask, {name for (name,) in ask(TABLES)})
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
