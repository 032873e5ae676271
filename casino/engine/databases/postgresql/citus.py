"""
Citus: on which server the rows of a table are, where PostgreSQL is distributed by house.

Tables of a house are distributed by their establishment and co-located: all rows of a house are on
one server, its ledger's beside its projections'. All other tables are few rows that are read with
those of every house: a copy of each is on every server (docs/decisions/0085).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.apps import apps

from casino.engine.databases.house_keys import Directory
from ledger import install

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.backends.utils import CursorWrapper

ANCHOR: Final = "ledger_event"
"""The table with which all others are co-located."""
HOUSE: Final = ("establishment", "establishment_id")
"""The name of the column that says the house: of the ledger's tables, and of all others."""
LOCAL: Final = frozenset({"django_migrations"})
"""What only the program that changes the schema reads."""

COLUMN = """
    SELECT attname::text FROM pg_attribute
    WHERE attrelid = to_regclass(%s) AND attname = ANY (%s) AND attnum > 0
        AND attnotnull AND NOT attisdropped"""


def there(cursor: CursorWrapper) -> bool:
    """Whether this database has the extension."""
    cursor.execute("SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')")
    return bool(cursor.fetchone()[0])


def is_distributed(connection: BaseDatabaseWrapper) -> bool:
    """Whether the ledger of this database is distributed."""
    if connection.vendor != "postgresql":
        return False
    with connection.cursor() as cursor:
        return install.is_distributed(cursor)


def column_of_house(cursor: CursorWrapper, table: str) -> str | None:
    """The column by which a table is distributed; None: a copy of it is on every server."""
    if table in _directory():
        return None
    cursor.execute(COLUMN, [table, list(HOUSE)])
    found = cursor.fetchone()
    return str(found[0]) if found else None


def _directory() -> frozenset[str]:
    """The tables that are read before it is known which house somebody is about to enter."""
    models = apps.get_models()
    return frozenset(each._meta.db_table for each in models if issubclass(each, Directory))  # noqa: SLF001


def place(cursor: CursorWrapper, table: str, *, shards: int | None = None) -> None:
    """
    Distribute a table, or put a copy of it on every server; its rows go with it.

    :param shards: into how many shards the `ANCHOR` is split; every other table follows it.
    """
    column = column_of_house(cursor, table)
    if column is None:
        cursor.execute("SELECT create_reference_table(%s)", [table])
    elif table == ANCHOR:
        cursor.execute(
            "SELECT create_distributed_table(%s, %s, shard_count := %s, colocate_with := 'none')",
            [table, column, shards],
        )
    else:
        cursor.execute(
            "SELECT create_distributed_table(%s, %s, colocate_with := %s)", [table, column, ANCHOR]
        )
