"""
Which migrations a database has had, and which this version has: one query, and a list of files.

Django's own way imports every migration and builds a graph of them, only to find at each start that
there is nothing to do.
"""

from __future__ import annotations

import pkgutil
from pathlib import Path
from typing import TYPE_CHECKING

from django.apps import apps
from django.db import OperationalError, ProgrammingError, connection

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from django.db.backends.base.base import BaseDatabaseWrapper

Migration = tuple[str, str]
"""App and name of a migration."""


def applied(database: BaseDatabaseWrapper) -> AbstractSet[Migration]:
    """The migrations that a database has had; none if it has no table of them yet."""
    with database.cursor() as cursor:
        try:
            cursor.execute("SELECT app, name FROM django_migrations")
        except (OperationalError, ProgrammingError):
            return frozenset()
        return frozenset((app, name) for app, name in cursor.fetchall())


def on_disk() -> AbstractSet[Migration]:
    """The migrations of this version, found by their files as Django finds them."""
    return frozenset(
        (config.label, found.name)
        for config in apps.get_app_configs()
        for found in pkgutil.iter_modules([str(Path(config.path) / "migrations")])
        if not found.ispkg and found.name[0] not in "_~"
    )


def whole() -> bool:
    """Whether the database has had every migration that there is."""
    return on_disk() <= applied(connection)
