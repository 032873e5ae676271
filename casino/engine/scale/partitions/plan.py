"""
The plan of partitions: which tables have them, how they are now, and what is in the way.

Partitioned are the tables whose rows are written once: three quarters of what an event takes on
disk (docs/decisions/0093). How a table is now is read from the database's own catalogue, so the
plan of a run that was stopped says what remains.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from casino.engine.databases.postgresql import citus
from casino.engine.scale.distribution.plan import in_use

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.backends.utils import CursorWrapper

PARTS: Final = 16
"""Into how many parts houses are spread, the first time."""
STEP: Final = 1_000_000
"""How many positions of each house go into one piece: a year of ten tables."""

TABLES: Final[dict[str, str | None]] = {
    "ledger_event": "position",
    "ledger_transfer": None,
    "ledger_commandreceipt": None,
    "devices_deviceentry": None,
}
"""
Table -> the column by which its parts are split once more, so that old pieces can go elsewhere.

Of receipts one unique index has to go over all of a house's, because `ledger_append` finds a
repeated command by it; transfers and device entries are a tenth of the bytes.
"""

DISTRIBUTED: Final = (
    "This database is distributed with Citus, where every table of a house is in shards by house"
    " already: manage.py distribute."
)
FOUND: Final = """
    SELECT relkind::text = 'p', pg_total_relation_size(pg_class.oid), (
        SELECT count(*) FROM pg_partition_tree(pg_class.oid) WHERE isleaf)
    FROM pg_class WHERE oid = to_regclass(%s)"""


@dataclass(frozen=True, slots=True)
class Table:
    """
    One table that has partitions, or is to have them.

    :param pieces: how many tables its rows are in. :param size: of a table that has none, in bytes.
    """

    name: str
    range_column: str | None
    partitioned: bool
    pieces: int
    size: int


@dataclass(frozen=True, slots=True)
class Plan:
    """
    :param obstacles: what has to be put right first; each a sentence.
    :param in_use: a sentence, if others are in the database; neither direction goes on then.
    """

    tables: tuple[Table, ...]
    obstacles: tuple[str, ...] = ()
    in_use: str = ""

    @property
    def in_the_way(self) -> tuple[str, ...]:
        return (*self.obstacles, *filter(None, [self.in_use]))


def plan(connection: BaseDatabaseWrapper) -> Plan:
    """How tables are now, and what is in the way. Reads only; of PostgreSQL."""
    obstacles = (DISTRIBUTED,) if citus.is_distributed(connection) else ()
    with connection.cursor() as cursor:
        tables = tuple(_find_table(cursor, name, by) for name, by in TABLES.items())
        return Plan(tables, obstacles, in_use(cursor))


def _find_table(cursor: CursorWrapper, name: str, by: str | None) -> Table:
    cursor.execute(FOUND, [name])
    partitioned, size, pieces = cursor.fetchone()
    return Table(name, by, partitioned, pieces if partitioned else 1, size)
