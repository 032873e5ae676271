"""A house that grows by real play, and the bytes that each of its tables and indexes takes."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID, uuid4

from django.conf import settings
from django.db import connection, connections

from bench.work.evenings import SETTLED_EVERY, Evening
from bench.work.years import founded
from casino.house.acts import acts
from casino.house.establishments import gaming_day
from casino.play.devices import entries
from casino.proof.signing import keys, signing
from casino.reports.gaming_days import closing
from ledger import journal
from ledger.models import CommandReceipt, Event
from tests.support.playing import game_of, settled
from tests.support.random_player import SECOND_PERSON

if TYPE_CHECKING:
    from tests.support.builders import House

BEGINS: Final = datetime(2026, 3, 2, 17, tzinfo=UTC)
EVENING: Final = 1500  # events
Sizes = dict[str, dict[str, Any]]
A_DAY: Final = timedelta(days=1)
BEFORE_PLAY: Final = timedelta(hours=1)

SQLITE: Final = "SELECT name, sum(pgsize) FROM dbstat GROUP BY name"
SQLITE_TABLES: Final = "SELECT name, tbl_name, type FROM sqlite_master WHERE rootpage > 0"
POSTGRESQL: Final = """
    SELECT pg_class.relname, coalesce(owner.relname, pg_class.relname), pg_class.relkind,
        pg_total_relation_size(pg_class.oid)
            - CASE pg_class.relkind WHEN 'r' THEN pg_indexes_size(pg_class.oid) ELSE 0 END
    FROM pg_class LEFT JOIN pg_index ON indexrelid = pg_class.oid
        LEFT JOIN pg_class AS owner ON owner.oid = indrelid
    WHERE pg_class.relnamespace = current_schema()::regnamespace
        AND pg_class.relkind IN ('r', 'i')"""
INDEXED: Final = """
    SELECT pg_class.relname, quote_ident(coalesce(owner.relname, pg_class.relname)), ARRAY(
        SELECT coalesce(quote_ident(attname), pg_get_indexdef(indexrelid, place::int, true))
        FROM unnest(indkey) WITH ORDINALITY AS of (number, place)
            LEFT JOIN pg_attribute ON attrelid = indrelid AND attnum = number AND number > 0)
    FROM pg_class LEFT JOIN pg_index ON indexrelid = pg_class.oid
        LEFT JOIN pg_class AS owner ON owner.oid = indrelid
    WHERE pg_class.relnamespace = current_schema()::regnamespace
        AND pg_class.relkind IN ('r', 'i')"""
OF_AN_ENTRY: Final = 12  # bytes of a line pointer and an entry's head; a row's size has its head


class OnTablets(Evening):
    """An evening entered at the tables' tablets in order; the head is signed after settlement."""

    def __init__(self, house: House, chance: Random, begins: datetime, events: int) -> None:
        super().__init__(house, chance, begins, events)
        self.seqs: Counter[UUID] = Counter()

    def puts(self, game: UUID, raw: dict[str, Any]) -> Any:
        """
        Put a command through the table's tablet.

        :returns: the command's receipt.
        """
        if raw["do"] in SECOND_PERSON:  # in the office
            return super().puts(game, raw)
        self.seqs[game] += 1
        if sum(self.seqs.values()) % SETTLED_EVERY == 0:
            signing.sign(self.house.establishment, self.now)
        table, command = game_of(self.house, game).place["table"], uuid4()
        device = entries.Device(
            name=f"floor-{table[:12]}", house=self.house.establishment, game=game, table=table,
            by=self.house.attendant, now=self.now,
        )  # fmt: skip
        given = entries.Given(
            seq=self.seqs[game], term=None, at=self.now, as_="command",
            raw={**raw, "command_id": str(command)},
        )  # fmt: skip
        entries.put(device, [given])
        row = CommandReceipt.objects.get(establishment=self.house.id, command_id=command)
        answer = journal.recorded_answer(
            establishment=self.house.id,
            command_id=command,
            request_hash=bytes(row.request_hash),
        )
        assert answer is not None
        return answer


def grown(*, events: int, evening: int, tables: int, seed: int) -> dict[str, Any]:
    """
    Let a house play evenings, a gaming day each, until it has that many events.

    :returns: its events, bytes of their bodies, the sizes at rest and by how much they grew
        (`sizes`), and `kept_in_redis`.
    """
    house, chance = founded(tables, events), Random(seed)  # noqa: S311 - the same in every run
    rest = sizes()
    begins = BEGINS
    keys.make(house.establishment, begins)
    while _events(house) < events:
        _opens(house, begins)
        many = min(evening, events - _events(house))
        OnTablets(house, chance, begins, many).played()
        signing.sign(house.establishment, begins)
        begins += A_DAY
    rows = Event.objects.filter(establishment=house.id)
    bodies = sum(len(body) for body in rows.values_list("body", flat=True).iterator())
    return {
        "events": _events(house),
        "bodies": bodies,
        "sizes": grown_by(sizes(), rest),
        "rest": sum(each["bytes"] for each in rest.values()),
        "redis": kept_in_redis(),
    }


def _events(house: House) -> int:
    return Event.objects.filter(establishment=house.id).count()


def _opens(house: House, begins: datetime) -> None:
    """Open a gaming day; the manager closes the one before."""
    at = begins - BEFORE_PLAY
    gaming_day.enter(house.establishment, at)
    settled(house)
    while (older := gaming_day.day_state(house.id).open)[0] < begins.date():
        act = acts.Act(
            house=house.establishment, by=house.manager, device="office", now=at,
            command_id=uuid4(), request={"do": "close", "day": older[0].isoformat()},
        )  # fmt: skip
        closing.close(act, older[0])
        settled(house)
        assert closing.finish(house.establishment, at) is not None


def sizes() -> Sizes:
    """
    For each table and each index: its table, bytes on disk, and rows of the table.

    Measured after dead rows are cleared away (PostgreSQL: VACUUM, as autovacuum does it; nothing is
    rewritten, because an open house cannot do that).
    """
    using = "owner" if "owner" in connections else "default"
    with connections[using].cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("VACUUM")
            cursor.execute(POSTGRESQL)
            sizes = [(name, table, kind == "r", size) for name, table, kind, size in cursor]
        else:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            cursor.execute(SQLITE_TABLES)
            of = {name: (table, kind == "table") for name, table, kind in cursor.fetchall()}
            cursor.execute(SQLITE)
            sizes = [(name, *of[name], size) for name, size in cursor if name in of]
    rows = counted()
    return {
        name: {"table": table, "is_index": not whole, "bytes": size, "rows": rows[table]}
        for name, table, whole, size in sizes
    }


def grown_by(now: Sizes, rest: Sizes) -> Sizes:
    """
    The growth, without what existed before anybody played: the catalogue, and each index's first
    page.
    """
    none = {"bytes": 0, "rows": 0}
    return {
        name: {**sizes, **{what: sizes[what] - rest.get(name, none)[what] for what in none}}
        for name, sizes in now.items()
        if sizes["bytes"] > rest.get(name, none)["bytes"]
    }


def counted() -> dict[str, int]:
    """Rows by table."""
    found = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")
            [found[table]] = cursor.fetchone()
    return found


def payloads() -> dict[str, float]:
    """
    Bytes of the rows and index entries themselves, by table and index, however full pages are.

    This also works with few rows, and within a transaction.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name, sum(payload) FROM dbstat GROUP BY name")
            return {name: float(size) for name, size in cursor}
        cursor.execute(INDEXED)
        found = {}
        for name, table, columns in cursor.fetchall():
            sizes = (
                " + ".join(f"pg_column_size({column})" for column in columns) or "pg_column_size(t)"
            )
            cursor.execute(f"SELECT coalesce(sum({sizes} + {OF_AN_ENTRY}), 0) FROM {table} AS t")
            found[name] = float(cursor.fetchone()[0])
        return found


def kept_in_redis() -> dict[str, int]:
    """
    Bytes of each key in Redis, by name; empty without a Redis.

    The benchmark has no workers, so the queues hold all that can wait there.
    """
    if not settings.CELERY_BROKER_URL.startswith("redis"):
        return {}
    from redis import Redis  # noqa: PLC0415 - a house without one has no need of it

    with Redis.from_url(settings.CELERY_BROKER_URL) as server:
        return {key.decode(): int(server.memory_usage(key) or 0) for key in server.scan_iter()}
