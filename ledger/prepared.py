"""
The prepared statement for `ledger_append`: PostgreSQL plans it once per connection.

Django's cursors write values into the statement, a body as hex digits. PostgreSQL had to parse and
plan all of it each time, which took half the time of an append. Here values are sent beside the
statement as plain bytes, past two layers of cursors. No other statement is prepared. This module
imports psycopg, so it is imported only where PostgreSQL is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from struct import pack
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID
from weakref import WeakSet

from psycopg.errors import error_from_result
from psycopg.generators import execute
from psycopg.pq import ExecStatus, Format, TransactionStatus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db import DatabaseError
    from django.db.backends.base.base import BaseDatabaseWrapper
    from psycopg.pq.abc import PGresult

    from ledger.entries import Cursor

BYTEA: Final = 17  # the OID of the type bytea, which never changes
LOST: Final = {"26000", "42P05"}
"""SQLSTATEs: a prepared statement does not exist; one of that name exists already."""


@dataclass(slots=True)
class Sessions:
    kept: bool = True
    """Whether sessions keep prepared statements. False once one was lost: behind a pooler."""


SESSIONS: Final = Sessions()
KNOWN: Final[WeakSet[Any]] = WeakSet()
"""Connections (of the driver) that have prepared the statement."""


NAME: Final = b"ledger_append"
STATEMENT: Final = (
    b"SELECT * FROM ledger_append("
    b"$1::uuid, $2::jsonb, $3::bytea[], $4::text, $5::bigint, $6::bigint)"
)
FORMATS: Final = (Format.BINARY, Format.TEXT, Format.BINARY, Format.TEXT, Format.TEXT, Format.TEXT)


def may_be_asked(connection: BaseDatabaseWrapper) -> bool:
    """
    Whether the statement may bypass Django's cursors: nobody logs or wraps queries, the session is
    not shared, and there is no transaction that Django's next cursor would still have to begin.
    """
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    kept = SESSIONS.kept and not getattr(connection, "shares_sessions", False)
    if not kept or connection.queries_logged or connection.execute_wrappers:
        return False
    driver: Any = connection.connection
    begun = driver.pgconn.transaction_status == TransactionStatus.INTRANS
    return bool(driver.autocommit) or begun


def append(
    connection: BaseDatabaseWrapper,
    establishment: UUID,
    entries: str,
    bodies: Sequence[bytes],
    cursor: Cursor | None,
) -> list[tuple[Any, ...]]:
    """Call `ledger_append`: its rows, as a cursor would return them. Errors are Django's."""
    values = (
        establishment.bytes,
        entries.encode(),
        array(bodies),
        cursor and cursor.subscription.encode(),
        cursor and b"%d" % cursor.expected,
        cursor and b"%d" % cursor.moved_to,
    )
    connection.validate_thread_sharing()
    connection.validate_no_broken_transaction()
    driver: Any = connection.connection
    with connection.wrap_database_errors, driver.lock:
        if driver not in KNOWN:
            driver.pgconn.send_prepare(NAME, STATEMENT)
            _answer(driver)
            KNOWN.add(driver)
        driver.pgconn.send_query_prepared(NAME, values, FORMATS, Format.BINARY)
        found = _answer(driver)
    return [_row(found, number) for number in range(found.ntuples)]


def _row(found: PGresult, number: int) -> tuple[Any, ...]:
    command_id, request_hash, first, last, code, detail, repeated = (
        found.get_value(number, column) for column in range(7)
    )
    return (
        UUID(bytes=command_id),
        request_hash,
        None if first is None else int.from_bytes(first, "big", signed=True),
        None if last is None else int.from_bytes(last, "big", signed=True),
        None if code is None else code.decode(),
        None if detail is None else detail.decode(),
        repeated == b"\x01",
    )


def _answer(driver: Any) -> PGresult:
    found: PGresult
    [found] = driver.wait(execute(driver.pgconn))
    if found.status not in {ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK}:
        raise error_from_result(found, encoding=driver.info.encoding)
    return found


def array(items: Sequence[bytes]) -> bytes:
    """A ``bytea[]`` in PostgreSQL's binary format: dimensions, type, length, lowest index."""
    head = pack("!3i2i", 1, 0, BYTEA, len(items), 1) if items else pack("!3i", 0, 0, BYTEA)
    return head + b"".join(pack("!i", len(item)) + item for item in items)


def was_lost(error: DatabaseError) -> bool:
    """
    Whether the call failed because a pooler sent it to another session than the one that prepared.

    If so, this process prepares nothing from then on, and the call may be made again.
    """
    if not SESSIONS.kept or getattr(error.__cause__, "sqlstate", None) not in LOST:
        return False
    SESSIONS.kept = False
    return True
