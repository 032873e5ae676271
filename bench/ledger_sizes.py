"""
``python -m bench.ledger_sizes 500 1000``: 500 ledgers of that many events, and what they cost.

The first run makes the houses; each further one lets the first go on and fills up the others.
Further words say which tables are copied, by how their names begin.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

import django

django.setup()

from django.db import connection, transaction  # noqa: E402 - Django is set up above

from bench.figures import percentile  # noqa: E402
from bench.processor import TICK  # noqa: E402
from bench.work.house import GameSession, found_houses, play_until  # noqa: E402
from casino.engine.databases.postgresql import citus  # noqa: E402
from casino.house.attendants.models import Employment, Role  # noqa: E402
from casino.house.establishments.models import Establishment, Table  # noqa: E402
from casino.play.core.subscriptions.tasks import SUBSCRIBERS  # noqa: E402
from casino.play.dice.models import DiceSet  # noqa: E402
from ledger import journal, subscriptions  # noqa: E402
from ledger.models import Event  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

SAMPLES: Final = 200
GROWS: Final = ("ledger_", "play_", "settlement_", "search_", "cash_", "players_", "surveillance_")
"""What a game adds rows to. Tables, dice and people of a house are its own."""
COLUMNS: Final = """
    SELECT column_name FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = %s AND is_generated = 'NEVER'
    ORDER BY ordinal_position"""
PAGES: Final = """
    SELECT blks_read FROM pg_stat_database WHERE datname = current_database()"""


def houses(many: int) -> list[UUID]:
    """So many houses, the same in every run."""
    found = list(Establishment.objects.order_by("name").values_list("pk", flat=True))
    with transaction.atomic():
        found_houses(number=many - len(found), tables=1)
    return list(Establishment.objects.order_by("pk").values_list("pk", flat=True))


def copied(first: UUID, others: list[UUID], grows: tuple[str, ...]) -> None:
    """Put rows of the first house under the ids of the others, in place of those they had."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            column = citus.column_of_house(cursor, table) if table.startswith(grows) else None
            if column is None:
                continue
            cursor.execute(COLUMNS, [table])
            names = [name for (name,) in cursor.fetchall()]
            listed = ", ".join(f'"{name}"' for name in names)
            taken = ", ".join("house" if name == column else f'"{name}"' for name in names)
            with transaction.atomic():
                # Rows are copied as they are: nothing is booked again, nothing guarded.
                cursor.execute(f'ALTER TABLE "{table}" DISABLE TRIGGER ALL')
                cursor.execute(f'DELETE FROM "{table}" WHERE "{column}" = ANY (%s)', [others])
                cursor.execute(
                    f'INSERT INTO "{table}" ({listed}) SELECT {taken} FROM "{table}",'
                    f' unnest(%s::uuid[]) house WHERE "{column}" = %s',
                    [others, first],
                )
                cursor.execute(f'ALTER TABLE "{table}" ENABLE TRIGGER ALL')
        cursor.execute("VACUUM ANALYZE")
        cursor.execute("CHECKPOINT")


def seat_of(house: UUID) -> dict[str, str]:
    """A table of the house, its dice, and who records there."""
    own = {"establishment": house}
    attendant = Employment.objects.filter(**own, role=Role.ATTENDANT)[0].attendant_id
    return {
        "house": str(house),
        "attendant": str(attendant),
        "table": str(Table.objects.filter(**own)[0].pk),
        "dice_set": str(DiceSet.objects.filter(**own)[0].pk),
    }


class Sessions:
    """A game at the table of each of some houses."""

    def __init__(self, those: list[UUID]) -> None:
        self.games = [GameSession(**seat_of(each)) for each in those]
        for each in self.games:
            each.step()

    def step(self, number: int) -> None:
        self.games[number % len(self.games)].step()


def costs(name: str, act: Callable[[int], object]) -> dict[str, float]:
    """What it costs at the median and beyond, each time at another house."""
    connection.ensure_connection()
    backend = connection.connection.info.backend_pid
    took, own, servers, pages = [], time.process_time(), _ticks(backend), _pages()
    for number in range(SAMPLES):
        began = time.perf_counter()
        act(number)
        took.append(1000 * (time.perf_counter() - began))
    own = time.process_time() - own
    took.sort()
    return {
        f"{name} web ms": 1000 * own / SAMPLES,
        f"{name} database ms": 1000 * (_ticks(backend) - servers) / TICK / SAMPLES,
        f"{name} pages": (_pages() - pages) / SAMPLES,
        f"{name} p50": percentile(took, 50),
        f"{name} p95": percentile(took, 95),
    }


def _ticks(pid: int) -> int:
    stat = Path(f"/proc/{pid}/stat").read_text()
    return sum(map(int, stat.rpartition(")")[2].split()[11:13]))


def _pages() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_force_next_flush()")
        cursor.execute(PAGES)
        return int(cursor.fetchone()[0])


def main(many: int, each: int, *grows: str) -> None:
    first, *others = houses(many)
    seat = seat_of(first)
    play_until(seat=seat, events=each)
    for subscriber in SUBSCRIBERS:
        while subscriptions.advance(subscriber, establishment=first).lag:
            pass
    copied(first, others, grows or GROWS)
    chance = Random(each)  # noqa: S311 - of a measurement
    some = chance.sample(others, min(50, len(others)))
    sessions, head = Sessions(some), journal.head(establishment=first)

    def reads(number: int) -> None:
        since = chance.randrange(max(1, head - 50))
        rows = Event.objects.filter(
            establishment=others[number * 7 % len(others)], position__range=(since, since + 49)
        )
        assert len(list(rows.order_by("position"))) == 50

    figures: dict[str, Any] = {**costs("read", reads), **costs("command", sessions.step)}
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        size = cursor.fetchone()[0]
    print(json.dumps({"events": Event.objects.count(), "GB": size / 1e9, **figures}))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
