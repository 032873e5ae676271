"""Reads what a database contains: its migrations, and each house's head and newest checkpoint."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from casino.proof.integrity.backup_manifest import Contents

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Set as AbstractSet

    Ask = Callable[[str], list[tuple[Any, ...]]]

MIGRATIONS: Final = "SELECT app, name FROM django_migrations ORDER BY app, name"
HOUSES: Final = """
    SELECT id, name,
        (SELECT max(position) FROM ledger_event WHERE establishment = house.id)
    FROM establishments_establishment AS house ORDER BY id"""
CHECKPOINTS: Final = """
    SELECT establishment, epoch, size, origin, root FROM ledger_checkpoint AS one
    WHERE NOT EXISTS (SELECT 1 FROM ledger_checkpoint AS newer
        WHERE newer.establishment = one.establishment
            AND (newer.epoch, newer.size) > (one.epoch, one.size))"""


def contents(ask: Ask, tables: AbstractSet[str]) -> Contents:
    """
    The contents of a database, for the manifest of a backup.

    :param ask: executes a statement on one snapshot of the database, SQLite or PostgreSQL.
    :param tables: the tables that exist: a database of an older version has no checkpoints yet.
    """
    migrations: dict[str, list[str]] = {}
    for app, name in ask(MIGRATIONS):
        migrations.setdefault(app, []).append(name)
    rows = ask(CHECKPOINTS) if "ledger_checkpoint" in tables else []
    signed = {_uuid(house): _checkpoint(*row) for house, *row in rows}
    houses = [
        {
            "id": _uuid(house),
            "name": name,
            "head": -1 if head is None else head,
            "checkpoint": signed.get(_uuid(house)),
        }
        for house, name, head in ask(HOUSES)
    ]
    return Contents(migrations=migrations, houses=houses)


def _checkpoint(epoch: int, size: int, origin: str, root: bytes) -> dict[str, Any]:
    return {"epoch": epoch, "size": size, "origin": origin, "root": b64encode(root).decode()}


def _uuid(value: Any) -> str:
    """An id as text with dashes; SQLite stores ids as 32 hex digits."""
    return str(value if isinstance(value, UUID) else UUID(value))
