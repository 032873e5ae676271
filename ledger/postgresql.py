"""Append on PostgreSQL: one call of the function `ledger_append` (sql/postgresql.sql)."""

import json
import re
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, DatabaseError, OperationalError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

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
    from ledger import prepared  # noqa: PLC0415  psycopg, which a house on SQLite goes without

    connection = connections[DEFAULT_DB_ALIAS]
    try:
        if not connection.in_atomic_block:
            return _call(connection, batch)
        with transaction.atomic(savepoint=savepoint):
            return _call(connection, batch)
    except DatabaseError as error:
        if prepared.was_lost(error):
            if connection.in_atomic_block and not savepoint:
                raise OperationalError("The session is another one: ask once more.") from error
            return append(batch, savepoint=savepoint)
        if (known := _conflict(batch, error) or _guard_error(error)) is None:
            raise
        raise known from error


def _call(connection: BaseDatabaseWrapper, batch: Batch) -> tuple[Receipt, ...]:
    from ledger import prepared  # noqa: PLC0415  as above

    entries = json.dumps([_entry_fields(entry, rows) for entry, rows in batch.entries])
    bodies = [row.body for _, rows in batch.entries for row in rows]
    move = batch.cursor
    if prepared.may_be_asked(connection):
        found = prepared.append(connection, batch.establishment, entries, bodies, move)
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
