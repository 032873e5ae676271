"""What nobody may do to the ledger's tables by hand, and how it is tried."""
# ruff: noqa: S608  statements are put together from the names of our own tables

from hashlib import sha256
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

ON_POSTGRESQL = connection.vendor == "postgresql"

COLUMNS = {
    "ledger_event": "event_id, establishment, position, stream, stream_version, event_type,"
    " schema_version, command_id, command_seq, actor, device, correlation_id, causation_id,"
    " occurred_at, recorded_at, gaming_day, body, leaf_hash",
    "ledger_transfer": "transfer_id, establishment, position, seq, debit_kind, debit_name,"
    " credit_kind, credit_name, amount, reason, reverses",
    "ledger_commandreceipt": "establishment, seq, command_id, request_hash, first_position,"
    " last_position, refusal_code, refusal_detail, actor, recorded_at",
    "ledger_account": "establishment, kind, name, debits, credits",
}

# fmt: off
EVERYWHERE = [
    "UPDATE ledger_event SET stream = 'other'",
    "UPDATE ledger_event SET position = position + 7",
    "UPDATE ledger_transfer SET amount = amount + 1",
    "UPDATE ledger_commandreceipt SET refusal_code = 'no'",
    "UPDATE ledger_account SET debits = debits - 1",
    "UPDATE ledger_account SET name = 'bert' WHERE name = 'anna'",
    "DELETE FROM ledger_event",
    "DELETE FROM ledger_transfer",
    "DELETE FROM ledger_commandreceipt",
    "DELETE FROM ledger_account",
    "INSERT INTO ledger_event SELECT * FROM ledger_event",
    ("INSERT INTO ledger_event SELECT * FROM ledger_event WHERE true"
     " ON CONFLICT (establishment, position) DO UPDATE SET stream = 'other'"),
    ("INSERT INTO ledger_transfer SELECT * FROM ledger_transfer WHERE true"
     " ON CONFLICT (establishment, transfer_id) DO UPDATE SET amount = 7"),
    ("INSERT INTO ledger_account (establishment, kind, name, debits, credits)"
     " SELECT establishment, kind, name, 7, 7 FROM ledger_account WHERE true"
     " ON CONFLICT (establishment, kind, name) DO UPDATE SET debits = 0"),
    ("INSERT INTO ledger_account (establishment, kind, name, debits, credits)"
     " SELECT establishment, 'stake', 'carl', 0, 100 FROM ledger_event"),
]
ON_SQLITE = [
    *[f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}" for table in COLUMNS],
    *[f"REPLACE INTO {table} (rowid, {columns}) SELECT rowid, {columns} FROM {table}"
      for table, columns in COLUMNS.items()],
    "UPDATE OR REPLACE ledger_event SET position = 0",
]
ON_POSTGRES = [
    *[f"TRUNCATE {table}" for table in COLUMNS],
    "TRUNCATE ledger_event, ledger_transfer CASCADE",
    "UPDATE ledger_account SET credits = credits + 1",
    ("MERGE INTO ledger_event AS old USING ledger_event AS new"
     " ON old.establishment = new.establishment AND old.position = new.position"
     " WHEN MATCHED THEN DELETE"),
]
# fmt: on
FORBIDDEN = EVERYWHERE + (ON_POSTGRES if ON_POSTGRESQL else ON_SQLITE)


def execute(statement: str, parameters: Any = None) -> list[Any]:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return cursor.fetchall() if cursor.description else []


def contents() -> list[list[Any]]:
    return [
        sorted(map(repr, execute(f"SELECT {columns} FROM {table}")))
        for table, columns in COLUMNS.items()
    ]


def forged_event_is_refused(changed: dict[str, str], match: str = "ledger_event_body") -> None:
    """A row by hand, a copy of the first but for its keys and what is changed."""
    with pytest.raises(DatabaseError, match=match):
        forge(changed)


def forge(changed: dict[str, str], *words: tuple[str, str]) -> None:
    """
    Insert by hand another event than the one there is, whole in itself: its ids are fresh.

    :param words: replaced in its body, which the copied columns need not notice.
    """
    keys = [(it.strip(), it.strip()) for it in COLUMNS["ledger_event"].split(",")]
    values = {**dict(keys), "position": "1", **changed}
    [[body]] = execute("SELECT body FROM ledger_event")
    forged = bytes(body)
    for old, new in (('"stream_version":1', '"stream_version":9'), *words):
        forged = forged.replace(old.encode(), new.encode())
    [[event_id, command_id]] = execute("SELECT event_id, command_id FROM ledger_event")
    for known in (event_id, command_id):
        text = str(known) if ON_POSTGRESQL else _dashed(known)
        forged = forged.replace(text.encode(), ("f" * 8 + text[8:]).encode())
    fresh = {
        "event_id": _fresh("event_id"),
        "command_id": _fresh("command_id"),
        "stream_version": "9",
        "body": "%s",
        "leaf_hash": "%s",
    }
    row = {**values, **fresh, **changed}
    statement = (
        f"INSERT INTO ledger_event ({', '.join(row)})"
        f" SELECT {', '.join(row.values())} FROM ledger_event"
    )
    leaf = sha256(b"\x00" + forged).digest()
    parameters = [it for it, name in ((forged, "body"), (leaf, "leaf_hash")) if row[name] == "%s"]
    execute(statement, parameters)


def _dashed(hexadecimal: str) -> str:
    it = hexadecimal
    return f"{it[:8]}-{it[8:12]}-{it[12:16]}-{it[16:20]}-{it[20:]}"


def _fresh(column: str) -> str:
    if ON_POSTGRESQL:
        return f"('ffffffff' || substr({column}::text, 9))::uuid"
    return f"'ffffffff' || substr({column}, 9)"
