"""Django's ``manage.py migrate``, which leaves the database of another version alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management import CommandError
from django.core.management.commands import migrate
from django.db import connections

from casino.platform import migrated, versions

if TYPE_CHECKING:
    from django.core.management import CommandParser


class Command(migrate.Command):
    def add_arguments(self, parser: CommandParser) -> None:
        """
        Checks are skipped: the tests run them. That of the database fails where triggers are
        missing, and to put them in is what this command is for.
        """
        super().add_arguments(parser)
        parser.set_defaults(skip_checks=True)

    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        had = migrated.applied(connection)
        if reason := versions.refusal(connection, had, migrated.on_disk()):
            raise CommandError(reason)
        super().handle(*args, **options)
