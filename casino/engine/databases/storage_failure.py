"""
A database that cannot be written: what to tell programs, people, monitors and the log.

`ledger.storage` finds out what is wrong. This module has what to tell people, when to try again,
and a memory of the last failure: a disk that was full a moment ago makes sweeps wait and `/healthz`
unwell.
"""

from __future__ import annotations

import math
import os
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structlog
from django.db import connection

from ledger.storage import StorageFault, is_rolled_back, storage_fault

log = structlog.get_logger(__name__)

REMEMBERED: Final = 60.0  # seconds for which monitors are told of a failure
REST: Final = 5.0  # seconds that sweeps leave a database alone after a failure
ROOM_MIN: Final = 64 * 2**20  # bytes; enough for an evening's throws and the write-ahead log

SAYS: Final = {
    StorageFault.FULL: "The disk that holds the book is full.",
    StorageFault.READ_ONLY: "The book is read-only.",
    StorageFault.UNAVAILABLE: "The book is out of reach.",
    StorageFault.UNGUARDED: "The database lacks what guards the book: run manage.py migrate.",
}
STATEMENT: Final = """
    SELECT current_setting('transaction_read_only') AS read_only, (
        SELECT to_char(last_failed_time AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI')
        FROM pg_stat_archiver
        WHERE current_setting('archive_mode') <> 'off'
            AND last_failed_time > coalesce(last_archived_time, '-infinity')) AS unarchived"""
"""Of a server of PostgreSQL, for `describe_server`."""
UNARCHIVED: Final = (
    "The server's log (WAL) was not archived at {since} UTC and since: it is kept until the"
    " server's disk is full, and what happens now could not be restored. Look at the archive's disk"
    " and at the server's messages."
)
ADVICE: Final = {
    True: (
        "This was not recorded. Send the same again later, under the same command_id: it counts "
        "once. Of a list, what stands before it may be recorded."
    ),
    False: (
        "Whether this was recorded is not known. Send the same again, under the same command_id: "
        "it counts once."
    ),
}
BY_THE_HOUSE: Final = {"Answered-By": "house"}
"""
In every 503 of the house. One without it comes from a proxy that does not reach the house, and to
the scripts of our pages that is no answer (``static/js/ask_house.js``).
"""
AGAIN_AFTER: Final = {  # seconds
    StorageFault.FULL: 30, StorageFault.READ_ONLY: 30,
    StorageFault.UNAVAILABLE: 5, StorageFault.UNGUARDED: 30,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Trouble:
    """What to answer where the database could not be written or read."""

    storage_fault: StorageFault
    says: str
    """A sentence that says what is wrong."""

    @property
    def code(self) -> str:
        return self.storage_fault.value

    @property
    def detail(self) -> str:
        return f"{self.says} {ADVICE[self.storage_fault.certain]}"

    @property
    def headers(self) -> dict[str, str]:
        return {"Retry-After": str(AGAIN_AFTER[self.storage_fault]), **BY_THE_HOUSE}


class Memory:
    """The last failure of this process."""

    def __init__(self) -> None:
        self.last: Trouble | None = None
        self._at = -math.inf

    def note(self, trouble: Trouble) -> None:
        if self.within(REMEMBERED) != trouble:
            log.error("storage", code=trouble.code)
        # On a full disk Python leaves half of a compiled module behind, and cannot read it even
        # when there is room again (CPython gh-126606).
        sys.dont_write_bytecode = True
        self.last, self._at = trouble, time.monotonic()

    def within(self, seconds: float) -> Trouble | None:
        return self.last if time.monotonic() - self._at < seconds else None

    def forget(self) -> None:
        self._at = -math.inf


MEMORY: Final = Memory()


def trouble_of(failure: BaseException) -> Trouble | None:
    """
    What a failure says about the database; None if it is about something else. It is remembered,
    unless it is of one request alone.
    """
    found = storage_fault(failure)
    if found is None:
        return None
    trouble = Trouble(found, SAYS[found])
    if is_rolled_back(failure):
        return trouble  # of this request alone: nobody else is to wait, or to hear of it
    MEMORY.note(trouble)
    if found is StorageFault.READ_ONLY:
        _look_again()
    return trouble


def _look_again() -> None:
    """
    Leave a server that became read-only: it may be a standby now, and the next connection looks for
    the one that takes writes.
    """
    if connection.vendor == "postgresql" and not connection.in_atomic_block:
        connection.close()


def resting() -> bool:
    """Whether the database failed so recently that work which can wait should wait."""
    return MEMORY.within(REST) is not None


def complaint() -> str | None:
    """
    Why the database cannot be written, or soon will not be; None if all is well. Writes nothing.

    The disk of a database server cannot be checked: for a server, recent failures in this process
    must do.
    """
    if (found := _on_postgresql() if connection.vendor == "postgresql" else _on_sqlite()) is None:
        recent = MEMORY.within(REMEMBERED)
        return f"{recent.says} That was met within the last minute." if recent else None
    return found


def _on_postgresql() -> str | None:
    with connection.cursor() as cursor:
        cursor.execute(STATEMENT)
        return describe_server(*cursor.fetchone())


def describe_server(read_only: str, unarchived: str | None) -> str | None:
    """What is wrong with a server that answered `STATEMENT`."""
    if read_only == "on":
        return SAYS[StorageFault.READ_ONLY]
    return None if unarchived is None else UNARCHIVED.format(since=unarchived)


def _on_sqlite() -> str | None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only")
        if cursor.fetchone() != (0,):
            return SAYS[StorageFault.READ_ONLY]
        cursor.execute("PRAGMA database_list")
        file = Path(cursor.fetchone()[2] or "/nowhere")
    if not file.is_file():  # in memory, as in tests
        return None
    if not (os.access(file, os.W_OK) and os.access(file.parent, os.W_OK)):
        return SAYS[StorageFault.READ_ONLY]
    room = shutil.disk_usage(file).free
    return None if room >= ROOM_MIN else f"Only {room // 2**20} MB are left on the book's disk."
