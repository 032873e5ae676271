"""
The guards of the database, compared with what the project installs: triggers, functions, owners and
privileges of the ledger and of other tables that are written once, and the constraints of all.

Whoever owns the tables can take a guard away, and hashes do not show it before somebody has used
the gap. So it is looked at by itself, before anything else: in each verification, whose findings
health tells, by `migrate`, and when the house starts.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from django.core.checks import CheckMessage, Error
from django.db import DEFAULT_DB_ALIAS, connections

from casino.engine.databases import migrated
from casino.engine.databases.append_only import WRITTEN_ONCE
from ledger import install
from ledger.checking.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.db.backends.base.base import BaseDatabaseWrapper

    from ledger.guards import Guards

CHECK: Final = "guard"
"""The word of such findings."""
PAUSE: Final = 5.0
"""Seconds until a verification looks again."""
MIGRATING: Final = "A migration is running: the database's guards are compared once it has ended."
MOVING: Final = """
    SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'distribution'),
        NOT coalesce(has_table_privilege(to_regclass('partitions.of_table'), 'SELECT'), true)"""
"""
Whether foreign keys are off (casino/engine/scale/distribution/removed.py); and whether who asks may
not see how large pieces are, which `migrate` of an earlier version did not grant.
"""


def compare(alias: str = DEFAULT_DB_ALIAS, *, pause: float = 0) -> tuple[list[str], str]:
    """
    Each guard that is not as this version installs it, as a sentence; and a sentence why they
    cannot be compared now, "" if they can. Reads only.

    Nothing is said of what a migration is about to make: while one runs they are not compared. What
    differs is looked at twice: while pieces of tables are made one look may see half of them.

    :param pause: seconds between both.
    """
    connection = connections[alias]
    found: list[str] = []
    for is_second in (False, True):
        with migrated.no_migration(connection) as is_still:
            if reason := not_compared(connection) if is_still else MIGRATING:
                return [], reason
            seen = _differences(connection)
        found = [each for each in seen if each in found or not is_second]
        if not found:
            break
        if not is_second:
            time.sleep(pause)
    return found, ""


def differences(alias: str = DEFAULT_DB_ALIAS) -> list[str]:
    """As `compare` finds them; none if they cannot be compared."""
    found, _reason = compare(alias)
    return found


def not_compared(connection: BaseDatabaseWrapper) -> str:
    """
    A sentence if the database's guards are those of another version than this program, as while
    one is being installed, or are off for a while; "" if they can be compared.
    """
    if migrated.migrations_had(connection) != migrated.on_disk():
        return "The database has other migrations than this version: its guards are not compared."
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(MOVING)
            moving, may_not_look = cursor.fetchone()
        if moving:
            return (
                "Foreign keys are off while tables move: the database's guards are not compared"
                " before partition or distribute has come to its end."
            )
        if may_not_look or install.is_of_another_version(connection):
            return (
                "The ledger's functions are those of another version: its guards are not compared."
                " Start this program again, or run migrate."
            )
    return ""


def absent_triggers(connection: BaseDatabaseWrapper) -> list[str]:
    """
    A sentence for each trigger of this version that is missing or off, also in a database of
    another one, whose triggers may have been others.
    """
    from ledger import guards  # noqa: PLC0415 - as below

    with connection.cursor() as cursor:
        found = guards.of_triggers(cursor, _guards_of_project(connection), ())
        return [each.says for each in found if each.absent]


def _guards_of_project(connection: BaseDatabaseWrapper) -> Guards:
    from ledger import guards  # noqa: PLC0415 - only who compares needs it

    expected = guards.guards_of_database(connection)
    for each in WRITTEN_ONCE:
        expected |= each.expected(connection)
    return expected


def _differences(connection: BaseDatabaseWrapper) -> list[str]:
    from casino.proof.integrity import constraints  # noqa: PLC0415 - as above
    from ledger import guards  # noqa: PLC0415

    tables = constraints.constraints_of_models(connection.alias).keys()
    return [
        *guards.differences(connection, _guards_of_project(connection), tables),
        *constraints.differences(connection),
    ]


def findings(says: Iterable[str]) -> list[Finding]:
    return [Finding(check=CHECK, says=each) for each in says]


def check_database(
    *, databases: Sequence[str] | None = None, **_rest: object
) -> list[CheckMessage]:
    """System check: ``check --database default`` fails if a guard is not as it was installed."""
    return [
        Error(each, hint="docs/how-to/verify.md says what to do.", id="integrity.E002")
        for alias in databases or ()
        if "ledger_checkpoint" in connections[alias].introspection.table_names()
        for each in differences(alias)
    ]
