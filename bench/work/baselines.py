"""The baselines of the ledger: a bare INSERT, and the recorder of `eventsourcing`."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from functools import cache
from itertools import count, cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import psycopg
from django.db import connection as django_connection
from psycopg.conninfo import conninfo_to_dict

from bench.pgbench import KEYED, RAW, RAW_TABLE
from bench.work import appends, pace

if TYPE_CHECKING:
    from collections.abc import Callable

    from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore

COLUMNS = (
    "establishment", "position", "event_id", "stream", "stream_version", "event_type",
    "schema_version", "command_id", "command_seq", "actor", "device", "correlation_id",
    "causation_id", "occurred_at", "recorded_at", "gaming_day", "body", "leaf_hash",
)  # fmt: skip
SQLITE_FILE = "raw.sqlite3"
TOPIC = "casino.play.core:DiceThrown"


def raw_tables(*, address: str) -> None:
    """
    Make the ledger's columns without its function and triggers: with only a primary key (`RAW`)
    and, on PostgreSQL, with all of its keys, indexes and checks (`KEYED`).
    """
    if django_connection.vendor == "sqlite":
        columns = ", ".join(COLUMNS)
        with sqlite3.connect(Path(address) / SQLITE_FILE) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(
                f"CREATE TABLE {RAW} ({columns}, PRIMARY KEY (establishment, position))"
            )
        return
    with psycopg.connect(address) as owner:
        for statement in RAW_TABLE:
            owner.execute(statement)
        owner.execute(f"CREATE TABLE {KEYED} (LIKE ledger_event INCLUDING ALL)")


def raw(*, start: float, seconds: float, address: str) -> float:
    """Single-row INSERTs per second, each committed."""
    insert = (_raw_sqlite if django_connection.vendor == "sqlite" else _raw_postgresql)(address)
    return pace.rate(insert, start=start, seconds=seconds)


@cache
def _raw_postgresql(address: str) -> Callable[[], object]:
    connection = psycopg.connect(address, autocommit=True)
    statement = f"INSERT INTO {RAW} VALUES ({', '.join(['%s'] * len(COLUMNS))})"
    order = [each.name for each in connection.execute(f"SELECT * FROM {RAW}").description or ()]
    house, positions, sample = uuid4(), count(), appends.sample()

    def insert() -> object:
        row = _row(house, next(positions), sample)
        return connection.execute(statement, [row[name] for name in order], prepare=True)

    return insert


@cache
def _raw_sqlite(address: str) -> Callable[[], object]:
    connection = sqlite3.connect(Path(address) / SQLITE_FILE, timeout=20, isolation_level=None)
    connection.execute("PRAGMA synchronous=FULL")
    statement = f"INSERT INTO {RAW} VALUES ({', '.join('?' * len(COLUMNS))})"
    house, positions, sample = uuid4(), count(), appends.sample()

    def insert() -> object:
        row = _row(house, next(positions), sample)
        return connection.execute(statement, [_as_sqlite(row[name]) for name in COLUMNS])

    return insert


def _row(house: UUID, position: int, sample: dict[str, Any]) -> dict[str, Any]:
    now = datetime.now(UTC)
    return {
        **sample,
        "establishment": house,
        "position": position,
        "event_id": uuid4(),
        "stream_version": position,
        "schema_version": 1,
        "command_id": uuid4(),
        "command_seq": 0,
        "correlation_id": house,
        "causation_id": None,
        "occurred_at": now,
        "recorded_at": now,
        "gaming_day": now.date(),
        "body": bytes.fromhex(sample["body"]),
        "leaf_hash": bytes.fromhex(sample["leaf_hash"]),
    }


def _as_sqlite(value: Any) -> Any:
    if isinstance(value, UUID):
        return value.hex
    return value if value is None or isinstance(value, int | bytes) else str(value)


def eventsourcing_tables(*, address: str, tables: list[str]) -> str:
    """Make the tables of `eventsourcing`, one per house. Return why it is missing, or ""."""
    try:
        for table in tables:
            _recorder(address, table).create_table()
    except ImportError as reason:
        return str(reason)
    return ""


def eventsourcing(*, start: float, seconds: float, address: str, tables: list[str]) -> float:
    """
    Events per second through the application recorder of `eventsourcing`, into the tables in turn.

    The recorder is used as it comes, with its lock. Its database functions work without the lock,
    and then readers miss events.
    """
    records = cycle([_recorded(address, table) for table in tables])

    def record_next() -> None:
        next(records)()

    return pace.rate(record_next, start=start, seconds=seconds)


@cache
def _recorded(address: str, table: str) -> Callable[[], object]:
    from eventsourcing.persistence import StoredEvent  # noqa: PLC0415  where it is installed

    recorder = _recorder(address, table)
    recorder.datastore.register_type_adapters()
    body = bytes.fromhex(appends.sample()["body"])
    stream, versions = uuid4(), count(1)

    def record() -> object:
        event = StoredEvent(stream, next(versions), TOPIC, body)
        return recorder.insert_events([event])

    return record


@cache
def _recorder(address: str, table: str) -> PostgresApplicationRecorder:
    from eventsourcing.postgres import PostgresApplicationRecorder  # noqa: PLC0415  as above

    return PostgresApplicationRecorder(_datastore(address), events_table_name=table)


@cache
def _datastore(address: str) -> PostgresDatastore:
    from eventsourcing.postgres import PostgresDatastore  # noqa: PLC0415  as above

    parts = conninfo_to_dict(address)
    return PostgresDatastore(
        dbname=str(parts["dbname"]),
        host=str(parts["host"]),
        port=str(parts["port"]),
        user=str(parts["user"]),
        password=str(parts.get("password", "")),
        pool_size=1,
    )
