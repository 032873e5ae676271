"""Whether a database belongs to this version, judged by the migrations that it has had."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from django.db.backends.base.base import BaseDatabaseWrapper

    from casino.engine.databases.migrated import Migration

BEFORE: Final = frozenset({("ledger", "0002_keys_of_postgresql"), ("days", "0001_initial")})
"""
Migrations that only databases of earlier versions have: the first from before the migrations of
each app became one, the second from before each thing that people talk about had an app of its own.
"""

INSTEAD: Final = {
    "sqlite": "Move it aside, or let HOME_THROW_DATA name another folder.",
    "postgresql": "Make an empty one, and let DATABASE_URL name it.",
}


def unknown(applied: Iterable[Migration], known: Collection[Migration]) -> Migration | None:
    """
    The first migration that this version does not know; preferably one that tells of an earlier
    version.
    """
    strange = sorted(set(applied).difference(known))
    return next(iter(sorted(BEFORE.intersection(strange))), next(iter(strange), None))


def refusal(
    connection: BaseDatabaseWrapper, applied: Iterable[Migration], known: Collection[Migration]
) -> str | None:
    """A sentence why this version refuses that database; None if the database belongs to it."""
    strange = unknown(applied, known)
    if strange is None:
        return None
    whose = f"The database {connection.settings_dict['NAME']} was made by"
    name = " ".join(strange)
    if strange in BEFORE:
        return (
            f"{whose} an earlier version, whose tables this one cannot bring up to date ({name}). "
            f"Nothing in it was changed. {INSTEAD[connection.vendor]}"
        )
    return (
        f"{whose} a newer version: this one does not know {name}. Nothing in it was changed. "
        "Start it with that version."
    )
