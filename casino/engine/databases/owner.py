"""The option of commands that change where tables lie: the database of the role that owns them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management import CommandError
from django.db import connections

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from django.db.backends.base.base import BaseDatabaseWrapper


def add_database(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--database",
        default="default",
        help="`owner` where one role migrates (default: %(default)s)",
    )


def chosen(options: dict[str, Any], *, on_sqlite: str = "") -> BaseDatabaseWrapper:
    """
    The connection that `add_database` names.

    :param on_sqlite: what to say where it is a file of SQLite, for commands that need PostgreSQL.
    :raises CommandError: if there is no such database, or it is no PostgreSQL and should be.
    """
    if options["database"] not in connections:
        raise CommandError(f"There is no database {options['database']}: default or owner.")
    connection = connections[options["database"]]
    if on_sqlite and connection.vendor != "postgresql":
        raise CommandError(on_sqlite)
    return connection
