"""What partitions are measured by: a long ledger of copies, and what is done with it."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django.db import connection, connections

from bench.work.appends import Stream
from ledger import guards, install

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.backends.base.base import BaseDatabaseWrapper

TICK: Final = os.sysconf("SC_CLK_TCK")
COLUMNS: Final = """
    position, event_id, stream, stream_version, event_type, schema_version, command_id,
    command_seq, actor, device, correlation_id, causation_id, occurred_at, recorded_at,
    gaming_day, body, leaf_hash, establishment"""
COPY: Final = f"""
    INSERT INTO ledger_event ({COLUMNS})
    SELECT position + %(at)s, {{event_id}},
        CASE WHEN stream ~ '/[0-9a-f]{{{{8}}}}-' THEN regexp_replace(
            stream, '/[0-9a-f]{{{{8}}}}-', '/' || %(nth)s || '-') ELSE stream END,
        CASE WHEN stream ~ '/[0-9a-f]{{{{8}}}}-' THEN stream_version
            ELSE stream_version + %(at)s END,
        event_type, schema_version, {{command_id}}, command_seq, actor, device, correlation_id,
        causation_id, occurred_at, recorded_at, gaming_day + %(day)s, body, leaf_hash, establishment
    FROM ledger_event WHERE establishment = %(house)s AND position < %(of)s
    ORDER BY position"""
LATER: Final = "overlay({0}::text placing %(nth)s from 1 for 8)::uuid"
"""An id of version 7 begins with its moment: that of a copy is later, so keys grow as in life."""
SIZES: Final = """
    SELECT regexp_replace(relname, '_h[0-9]+(_p[0-9]+)?$', ''), relkind IN ('i', 'I'),
        sum(pg_relation_size(oid)), max(pg_relation_size(oid))
    FROM pg_class WHERE relname ~ '^ledger_event' AND relkind IN ('r', 'i')
    GROUP BY 1, 2 ORDER BY 2, 3 DESC"""


def lengthened(owner: BaseDatabaseWrapper, house: UUID, events: int) -> int:
    """
    Copy a house's events behind themselves until there are so many; how many there are then.

    For sizes only: bodies say what the first of them said, so such a house does not verify.
    """
    ids = {column: LATER.format(column) for column in ("event_id", "command_id")}
    statement = COPY.format(**ids)
    with owner.cursor() as cursor:
        cursor.execute("ALTER TABLE ledger_event DISABLE TRIGGER USER")
        cursor.execute(
            "SELECT max(position) + 1 FROM ledger_event WHERE establishment = %s", [house]
        )
        [of] = cursor.fetchone()
        for nth in range(1, events // of):
            values = {"at": nth * of, "nth": f"{nth:08x}", "day": nth, "house": house, "of": of}
            cursor.execute(statement, values)
        for (table, name), trigger in guards.guards_of_database(owner).triggers.items():
            fires = install.ENABLED[trigger.fires]
            cursor.execute(f"ALTER TABLE {table} ENABLE {fires} TRIGGER {name}")
    many: int = max(1, events // of) * of
    return many


def sizes(owner: BaseDatabaseWrapper) -> dict[str, tuple[bool, int, int]]:
    """Table or index -> whether an index; bytes of all its pieces; of the largest."""
    with owner.cursor() as cursor:
        cursor.execute(SIZES)
        found = cursor.fetchall()
        return {name: (index, int(every), int(largest)) for name, index, every, largest in found}


def processor(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def appended(house: UUID, *, times: int, rounds: int) -> list[dict[str, float]]:
    """Microseconds of an append: of the server's processor, of ours, and by the clock."""
    stream = Stream(house, transfers=False)
    for _ in range(50):
        stream.append()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [pid] = cursor.fetchone()
    found = []
    for _ in range(rounds):
        server, own, clock = processor(pid), time.process_time(), time.perf_counter()
        for _ in range(times):
            stream.append()
        found.append({
            "server": (processor(pid) - server) / times * 1e6,
            "client": (time.process_time() - own) / times * 1e6,
            "clock": (time.perf_counter() - clock) / times * 1e6,
        })  # fmt: skip
    return found


def vacuumed(owner: BaseDatabaseWrapper, table: str, how: str) -> dict[str, float]:
    """Seconds of processor, and bytes of WAL, of a VACUUM."""
    with owner.cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_lsn(), pg_backend_pid()")
        before, pid = cursor.fetchone()
        began = processor(pid)
        cursor.execute(f"VACUUM ({how}) {table}")
        seconds = processor(pid) - began
        cursor.execute("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), %s)", [before])
        return {"seconds": seconds, "wal": float(cursor.fetchone()[0])}


def frozen(owner: BaseDatabaseWrapper) -> list[tuple[Any, ...]]:
    """Each table that has events: its pages, how many are all visible, the age of its rows."""
    with owner.cursor() as cursor:
        cursor.execute(
            "SELECT relname, relpages, relallvisible, age(relfrozenxid) FROM pg_class"
            " WHERE relname ~ '^ledger_event(_h[0-9]+_p[0-9]+)?$' AND relkind = 'r'"
            " AND relpages > 0 ORDER BY 1"
        )
        return list(cursor.fetchall())


def left() -> None:
    """Leave the database, so that its tables can be exchanged."""
    for each in connections.all(initialized_only=True):
        each.close()
        if each.vendor == "postgresql" and each.settings_dict["OPTIONS"].get("pool"):
            each.close_pool()  # type: ignore[attr-defined]
