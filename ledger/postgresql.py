"""Append on PostgreSQL: one call of the function `ledger_append` (sql/postgresql.sql)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from struct import pack
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID
from weakref import WeakSet

from django.db import DEFAULT_DB_ALIAS, DatabaseError, OperationalError, connections, transaction
from psycopg.errors import error_from_result
from psycopg.generators import execute
from psycopg.pq import ExecStatus, Format, TransactionStatus

from ledger.accounts import AccountRef
from ledger.conflicts import (
    BalanceMoved,
    CommandReused,
    Conflict,
    CursorMoved,
    Duplicate,
    FourEyes,
    HeadMoved,
    NotReversible,
    Overdrawn,
    PotFalls,
    StreamMoved,
)
from ledger.entries import Entry, Receipt, Refusal
from ledger.storage import Unguarded

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from django.db.backends.base.base import BaseDatabaseWrapper
    from psycopg.pq.abc import PGresult

    from ledger.entries import Cursor
    from ledger.wire import Batch, Written

CALL = "SELECT * FROM ledger_append(%s, %s::jsonb, %s::bytea[], %s::text, %s::bigint, %s::bigint)"
SHARD = re.compile(r"_\d{6,}$|_h\d+(_p\d+)?$")
"""
What the name of a constraint ends in on a shard of a distributed table, or a piece of a partitioned
one.
"""
HEADS = {"ledger_event_position", "ledger_commandreceipt_seq"}
"""What numbers events and answers; two take the same number only while a house moves."""
NAMED = re.compile(r'constraint "([^"]+)"')
NOT_CALLED = {"42883", "42501"}  # SQLSTATEs undefined_function, insufficient_privilege
DUPLICATES = {"ledger_event_event_id", "ledger_transfer_transfer_id"}


def append(batch: Batch, *, savepoint: bool = True) -> tuple[Receipt, ...]:
    """See `journal.append`."""
    # IMPORT-GONE

    connection = connections[DEFAULT_DB_ALIAS]
    try:
        if not connection.in_atomic_block:
            return _call(connection, batch)
        with transaction.atomic(savepoint=savepoint):
            return _call(connection, batch)
    except DatabaseError as error:
        if was_lost(error):
            if connection.in_atomic_block and not savepoint:
                raise OperationalError("The session is another one: ask once more.") from error
            return append(batch, savepoint=savepoint)
        if (known := _conflict(batch, error) or _guard_error(error)) is None:
            raise
        raise known from error


def _call(connection: BaseDatabaseWrapper, batch: Batch) -> tuple[Receipt, ...]:
    # IMPORT-GONE

    entries = json.dumps([_entry_fields(entry, rows) for entry, rows in batch.entries])
    bodies = [row.body for _, rows in batch.entries for row in rows]
    move = batch.cursor
    if may_be_asked(connection):
        found = append_prepared(connection, batch.establishment, entries, bodies, move)
        return tuple(_receipt(row) for row in found)
    moved = (move.subscription, move.expected, move.moved_to) if move else (None, None, None)
    with connection.cursor() as cursor:
        cursor.execute(CALL, (batch.establishment, entries, bodies, *moved))
        return tuple(_receipt(row) for row in cursor.fetchall())


def _entry_fields(entry: Entry, rows: list[Written]) -> dict[str, Any]:
    """What `ledger_append` needs besides the bodies; it reads the other columns from the bodies."""
    return {
        "command_id": str(entry.provenance.command_id),
        "request_hash": entry.request_hash.hex(),
        "actor": entry.provenance.actor,
        "recorded_at": entry.provenance.recorded_at.isoformat(),
        "guards": dict(entry.guards),
        "balances": {str(account): account.owed(it) for account, it in entry.balances.items()},
        "events": len(rows),
        "refusal_code": entry.refusal and entry.refusal.code,
        "refusal_detail": entry.refusal and entry.refusal.detail,
    }


def _receipt(row: tuple[Any, ...]) -> Receipt:
    command_id, request_hash, first, last, code, detail, repeated = row
    return Receipt(
        command_id=command_id,
        request_hash=bytes(request_hash),
        first_position=first,
        last_position=last,
        refusal=None if code is None else Refusal(code=code, detail=detail),
        repeated=repeated,
    )


def _balance_moved(account: AccountRef, it: dict[str, Any]) -> BalanceMoved:
    return BalanceMoved(
        account, expected=account.owed(it["expected"]), actual=account.owed(it["actual"])
    )


def _constraint(diagnosis: Any) -> str:
    """
    The name of the constraint that was violated, as the table has it.

    Where a server asks another one, the name comes in the message only, with the number of a shard.
    """
    found = NAMED.search(diagnosis.message_primary or "")
    name = diagnosis.constraint_name or (found[1] if found else "")
    return SHARD.sub("", name)


def _conflict(batch: Batch, error: DatabaseError) -> Conflict | None:
    """The conflict behind a database error, by its SQLSTATE or constraint; None: it is none."""
    diagnosis = getattr(error.__cause__, "diag", None)
    if diagnosis is None:
        return None
    constraint = _constraint(diagnosis)
    if constraint in DUPLICATES:
        return Duplicate("An event id or a transfer id is already in the ledger.")
    if constraint in HEADS:
        return HeadMoved()
    if constraint == "ledger_transfer_pot_falls":
        return PotFalls.first_of(batch.transfers)
    if (read := CONFLICTS.get(diagnosis.sqlstate)) is None:
        return None
    return read(json.loads(diagnosis.message_detail))


def _guard_error(error: DatabaseError) -> Unguarded | None:
    """The error that the append function is missing, or may not be called; None: another."""
    if getattr(error.__cause__, "sqlstate", None) not in NOT_CALLED:
        return None
    return Unguarded(f"The ledger cannot be appended to: {error}. Run migrate.".replace("\n", " "))


CONFLICTS: dict[str, Callable[[dict[str, Any]], Conflict]] = {
    "LE001": lambda it: StreamMoved(it["stream"], expected=it["expected"], actual=it["actual"]),
    "LE008": lambda it: _balance_moved(AccountRef.parse(it["account"]), it),
    "LE002": lambda it: CommandReused(UUID(it["command_id"])),
    "LE003": lambda it: Overdrawn(
        AccountRef.parse(it["account"]), available=it["available"], amount=it["amount"]
    ),
    "LE004": lambda it: NotReversible(UUID(it["transfer_id"])),
    "LE005": lambda it: CursorMoved(it["subscription"], expected=it["expected"]),
    "LE007": lambda it: FourEyes(it["second"], stream=it["stream"], event_type=it["event_type"]),
}
"""SQLSTATEs that sql/postgresql.sql raises -> the conflict that is raised here."""


#
# The prepared statement for `ledger_append`: PostgreSQL plans it once per connection.
#
# Django's cursors write values into the statement, a body as hex digits. PostgreSQL had to parse
# and plan all of it each time, which took half the time of an append. Here values are sent beside
# the statement as plain bytes, past two layers of cursors. No other statement is prepared. This
# module imports psycopg, so it is imported only where PostgreSQL is used.


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


def append_prepared(
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
