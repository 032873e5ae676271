"""
Recognises failures of the database itself: disk full, read-only, unavailable or damaged.

They are recognised by SQLite's result codes (https://sqlite.org/rescode.html) and by SQLSTATE
(appendix A of PostgreSQL's manual), never by the text of a message. Such a failure says nothing
about the data that was to be written.
"""

from __future__ import annotations

import sqlite3
from enum import StrEnum
from typing import Final

from django.db import Error, InterfaceError, OperationalError

SHM_FULL: Final = sqlite3.SQLITE_IOERR_SHMSIZE  # no space for the index of the write-ahead log


class StorageFault(StrEnum):
    FULL = "storage_full"
    READ_ONLY = "storage_read_only"
    UNAVAILABLE = "storage_unavailable"
    """Not reachable, damaged, or locked for longer than the timeout."""
    UNGUARDED = "storage_unguarded"
    """The ledger's guards are missing: nothing is written until they are put back."""

    @property
    def certain(self) -> bool:
        """Whether surely nothing was recorded. With a lost connection, a commit may have passed."""
        return self is not StorageFault.UNAVAILABLE


class Unguarded(OperationalError):  # noqa: N818 - names the fact
    """The database lacks what keeps the ledger append-only, e.g. a trigger. Run ``migrate``."""

    storage_fault = StorageFault.UNGUARDED


class NotSeenYet(OperationalError):  # noqa: N818 - names the fact
    """
    What was committed just now is not there to be read.

    In a database of several servers it happens when one dies between the two phases of a commit:
    the row is prepared there, and seen once the coordinator has come back to it, seconds later.
    """

    storage_fault = StorageFault.UNAVAILABLE


OF_SQLITE: Final = {
    sqlite3.SQLITE_FULL: StorageFault.FULL,
    sqlite3.SQLITE_READONLY: StorageFault.READ_ONLY,
    **dict.fromkeys(
        (
            sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_CORRUPT,
            sqlite3.SQLITE_IOERR, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOTADB,
            sqlite3.SQLITE_PROTOCOL,
        ),
        StorageFault.UNAVAILABLE,
    ),
}  # fmt: skip
OF_POSTGRESQL: Final = (  # the first prefix that matches the SQLSTATE counts
    ("53100", StorageFault.FULL),
    ("25006", StorageFault.READ_ONLY),
    *((of, StorageFault.UNAVAILABLE) for of in ("08", "40", "53", "57P0", "58", "XX0")),
)
"""
Class 40 is a transaction that was rolled back for another one's sake, as in a deadlock.

XX000 is whatever the server did not expect of itself, never something about the data. With Citus it
is a server of several that was lost while a transaction was committed.
"""


def storage_fault(failure: BaseException) -> StorageFault | None:
    """The failure of the database that an exception reports; None: it reports something else."""
    if isinstance(failure, Unguarded | NotSeenYet):
        return failure.storage_fault
    if isinstance(failure, sqlite3.Error):
        return _of_sqlite(failure)
    if not isinstance(failure, Error):
        return None
    cause = failure.__cause__
    if isinstance(cause, sqlite3.Error):
        return _of_sqlite(cause)
    state = getattr(cause, "sqlstate", None)
    if state is not None:
        return next((it for begins, it in OF_POSTGRESQL if state.startswith(begins)), None)
    # No SQLSTATE, because the server did not answer: it is not there, or the connection is lost.
    lost = hasattr(cause, "sqlstate") and isinstance(failure, OperationalError | InterfaceError)
    return StorageFault.UNAVAILABLE if lost else None


def is_rolled_back(failure: BaseException) -> bool:
    """Whether a server gave this transaction up for another one's sake (class 40): it is well."""
    return str(getattr(failure.__cause__, "sqlstate", None) or "").startswith("40")


def _of_sqlite(error: sqlite3.Error) -> StorageFault | None:
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:  # raised by Python's sqlite3 module itself, about its arguments
        return None
    return StorageFault.FULL if code == SHM_FULL else OF_SQLITE.get(code & 0xFF)
