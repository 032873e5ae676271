"""
Append on SQLite: the statements of the PostgreSQL function `ledger_append`, made from Python.

`transaction_mode=IMMEDIATE` takes SQLite's single write lock at BEGIN. It replaces the advisory
lock that PostgreSQL uses.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import count
from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, IntegrityError, connections, transaction
from django.db.backends.utils import CursorWrapper

from ledger import install
from ledger.accounts import PLAYERS_MONEY, AccountRef
from ledger.conflicts import (
    BalanceMoved,
    CommandReused,
    CursorMoved,
    Duplicate,
    FourEyes,
    NotReversible,
    Overdrawn,
    PotFalls,
    StreamMoved,
)
from ledger.entries import Entry, NewTransfer, Receipt, Refusal
from ledger.wire import Batch, Written, leaf_hash

INSERT_EVENT = """
    INSERT INTO ledger_event (establishment, position, event_id, stream, stream_version, event_type,
        schema_version, command_id, command_seq, actor, device, correlation_id, causation_id,
        occurred_at, recorded_at, gaming_day, body, leaf_hash)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"""
INSERT_TRANSFER = """
    INSERT INTO ledger_transfer (establishment, position, seq, transfer_id, debit_kind, debit_name,
        credit_kind, credit_name, amount, reason, reverses)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"""
INSERT_RECEIPT = """
    INSERT INTO ledger_commandreceipt (establishment, seq, command_id, request_hash,
        first_position, last_position, refusal_code, refusal_detail, actor, recorded_at)
    SELECT %s, coalesce(max(seq), -1) + 1, %s, %s, %s, %s, %s, %s, %s, %s
    FROM ledger_commandreceipt WHERE establishment = %s"""
SELECT_RECEIPT = """
    SELECT request_hash, first_position, last_position, refusal_code, refusal_detail
    FROM ledger_commandreceipt WHERE establishment = %s AND command_id = %s"""
SELECT_HEAD = "SELECT max(position) FROM ledger_event WHERE establishment = %s"
SELECT_VERSION = """
    SELECT max(stream_version) FROM ledger_event WHERE establishment = %s AND stream = %s"""
SELECT_ACCOUNT = """
    SELECT credits - debits FROM ledger_account
    WHERE establishment = %s AND kind = %s AND name = %s"""
MOVE_CURSOR = """
    UPDATE ledger_subscription SET position = %s
    WHERE establishment = %s AND name = %s AND position = %s"""


def append(batch: Batch) -> tuple[Receipt, ...]:
    """See `journal.append`."""
    try:
        with transaction.atomic(), connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            install.require(connections[DEFAULT_DB_ALIAS])
            receipts = _append_entries(cursor, batch)
            _move_cursor(cursor, batch)
            return receipts
    except IntegrityError as error:
        raise _conflict(batch, error) from error


def _append_entries(cursor: CursorWrapper, batch: Batch) -> tuple[Receipt, ...]:
    if not batch.entries:
        return ()
    house = batch.establishment.hex
    last = _one(cursor, SELECT_HEAD, (house,))
    position = -1 if last is None else last
    receipts = []
    for entry, rows in batch.entries:
        receipt = _recorded_answer(cursor, house, entry)
        if receipt is None:
            receipt = _append_entry(cursor, house, entry, rows, position + 1)
            position += len(rows)
        receipts.append(receipt)
    return tuple(receipts)


def _recorded_answer(cursor: CursorWrapper, house: str, entry: Entry) -> Receipt | None:
    command_id = entry.provenance.command_id
    cursor.execute(SELECT_RECEIPT, (house, command_id.hex))
    if (row := cursor.fetchone()) is None:
        return None
    if row[0] != entry.request_hash:
        raise CommandReused(command_id)
    return Receipt(
        command_id=command_id,
        request_hash=row[0],
        first_position=row[1],
        last_position=row[2],
        refusal=None if row[3] is None else Refusal(code=row[3], detail=row[4]),
        repeated=True,
    )


def _append_entry(
    cursor: CursorWrapper, house: str, entry: Entry, rows: Sequence[Written], first: int
) -> Receipt:
    for stream, expected in entry.guards.items():
        actual = _one(cursor, SELECT_VERSION, (house, stream)) or 0
        if actual != expected:
            raise StreamMoved(stream, expected=expected, actual=actual)
    for account, held in entry.balances.items():
        owed = _one(cursor, SELECT_ACCOUNT, (house, account.kind, account.name)) or 0
        if owed != account.owed(held):
            raise BalanceMoved(account, expected=held, actual=account.owed(owed))
    cursor.executemany(INSERT_EVENT, _event_rows(house, entry, rows, first))
    if entry.transfers:
        cursor.executemany(INSERT_TRANSFER, _transfer_rows(house, entry, first))
    receipt = Receipt(
        command_id=entry.provenance.command_id,
        request_hash=entry.request_hash,
        first_position=first if rows else None,
        last_position=first + len(rows) - 1 if rows else None,
        refusal=entry.refusal,
        repeated=False,
    )
    cursor.execute(INSERT_RECEIPT, _receipt_row(house, entry, receipt))
    return receipt


def _event_rows(
    house: str, entry: Entry, rows: Sequence[Written], first: int
) -> list[tuple[Any, ...]]:
    by = entry.provenance
    return [
        (
            house, first + seq, event.event_id.hex, event.stream, row.stream_version,
            event.event_type, event.schema_version, by.command_id.hex, seq, by.actor, by.device,
            by.correlation_id.hex, _hex(by.causation_id), _utc(by.occurred_at),
            _utc(by.recorded_at), by.gaming_day.isoformat(), row.body, leaf_hash(row.body),
        )
        for seq, (event, row) in enumerate(zip(entry.events, rows, strict=True))
    ]  # fmt: skip


def _transfer_rows(house: str, entry: Entry, first: int) -> list[tuple[Any, ...]]:
    # In the order of their events, as in the bodies: coins arrive before they are moved on.
    seqs = {event: count() for event in range(len(entry.events))}
    return [
        (
            house, first + booked.event, next(seqs[booked.event]), booked.transfer_id.hex,
            booked.debit.kind, booked.debit.name, booked.credit.kind, booked.credit.name,
            booked.amount, booked.reason, _hex(booked.reverses),
        )
        for booked in _in_order(entry)
    ]  # fmt: skip


def _in_order(entry: Entry) -> list[NewTransfer]:
    return sorted(entry.transfers, key=lambda booked: booked.event)


def _receipt_row(house: str, entry: Entry, receipt: Receipt) -> tuple[Any, ...]:
    refusal = entry.refusal
    return (
        house,
        receipt.command_id.hex,
        receipt.request_hash,
        receipt.first_position,
        receipt.last_position,
        refusal and refusal.code,
        refusal and refusal.detail,
        entry.provenance.actor,
        _utc(entry.provenance.recorded_at),
        house,
    )


def _move_cursor(cursor: CursorWrapper, batch: Batch) -> None:
    if (move := batch.cursor) is None:
        return
    cursor.execute(
        MOVE_CURSOR, (move.moved_to, batch.establishment.hex, move.subscription, move.expected)
    )
    if cursor.rowcount == 0:
        raise CursorMoved(move.subscription, expected=move.expected)


def _conflict(batch: Batch, error: IntegrityError) -> Exception:
    """
    The conflict behind a violated constraint, by the constraint's name. SQLite names neither row
    nor account, so they are looked up here, after everything has been rolled back.
    """
    message = str(error)
    if "ledger_overdrawn" in message:
        return _overdrawn(batch) or error
    if "ledger_transfer_pot_falls" in message:
        return PotFalls.first_of(batch.transfers) or error
    if "ledger_not_reversible" in message or "ledger_transfer.reverses" in message:
        return _not_reversible(batch) or error
    if "ledger_four_eyes" in message:
        return _four_eyes(batch) or error
    if "event_id" in message or "transfer_id" in message or "ledger_key_exists" in message:
        return Duplicate("An event id or a transfer id is already in the ledger.")
    return error


def _overdrawn(batch: Batch) -> Overdrawn | None:
    balances: dict[AccountRef, int] = {}
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        for booked in _transfers_to_book(cursor, batch):
            for account in (booked.debit, booked.credit):
                if account not in balances:
                    key = (batch.establishment.hex, account.kind, account.name)
                    balances[account] = _one(cursor, SELECT_ACCOUNT, key) or 0
            if booked.debit.kind in PLAYERS_MONEY and balances[booked.debit] < booked.amount:
                available = balances[booked.debit]
                return Overdrawn(booked.debit, available=available, amount=booked.amount)
            balances[booked.debit] -= booked.amount
            balances[booked.credit] += booked.amount
    return None


def _not_reversible(batch: Batch) -> NotReversible | None:
    """The first reversal whose original is missing, unlike it, or reversed before."""
    known: dict[UUID, NewTransfer] = {}
    reversed_ids: set[UUID] = set()
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        for booked in _transfers_to_book(cursor, batch):
            known[booked.transfer_id] = booked
            if (undone := booked.reverses) is None:
                continue
            if undone in reversed_ids or not _mirrors(cursor, batch, booked, known):
                return NotReversible(undone)
            reversed_ids.add(undone)
    return None


def _four_eyes(batch: Batch) -> FourEyes | None:
    """The conflict for the first event without a proper second person, by the trigger's rules."""
    for entry, _ in batch.entries:
        actor = entry.provenance.actor
        for event in entry.events:
            asker, payees = event.data.get("asked_by"), event.data.get("beneficiaries")
            paid = payees if isinstance(payees, list | tuple) else ()
            for second in (event.data.get("approved_by"), event.data.get("reviewed_by")):
                if second is None:
                    continue
                if second != actor or second == (asker or second) or second in paid:
                    return FourEyes(str(second), stream=event.stream, event_type=event.event_type)
    return None


def _mirrors(
    cursor: CursorWrapper, batch: Batch, booked: NewTransfer, known: dict[UUID, NewTransfer]
) -> bool:
    assert booked.reverses is not None  # noqa: S101  the caller looked
    if (original := known.get(booked.reverses)) is not None:
        return (original.debit, original.credit, original.amount) == (
            booked.credit, booked.debit, booked.amount,
        )  # fmt: skip
    cursor.execute(
        """
        SELECT 1 FROM ledger_transfer AS original
        WHERE establishment = %s AND transfer_id = %s
          AND debit_kind = %s AND debit_name = %s AND credit_kind = %s AND credit_name = %s
          AND amount = %s
          AND NOT EXISTS (SELECT 1 FROM ledger_transfer AS later
                          WHERE later.establishment = original.establishment
                            AND later.reverses = original.transfer_id)
        """,
        (
            batch.establishment.hex, booked.reverses.hex, booked.credit.kind, booked.credit.name,
            booked.debit.kind, booked.debit.name, booked.amount,
        ),
    )  # fmt: skip
    return cursor.fetchone() is not None


def _transfers_to_book(cursor: CursorWrapper, batch: Batch) -> list[NewTransfer]:
    return [
        booked
        for entry, _ in batch.entries
        if _recorded_answer(cursor, batch.establishment.hex, entry) is None
        for booked in _in_order(entry)
    ]


def _one(cursor: CursorWrapper, statement: str, parameters: tuple[Any, ...]) -> Any:
    cursor.execute(statement, parameters)
    row = cursor.fetchone()
    return None if row is None else row[0]


def _hex(value: UUID | None) -> str | None:
    return None if value is None else value.hex


def _utc(at: datetime) -> str:
    """A moment as Django writes it into SQLite."""
    return str(at.astimezone(UTC).replace(tzinfo=None))
