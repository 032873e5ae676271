"""Django's ``manage.py migrate``, which refuses to touch a database of another version."""

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
        Skip the system checks: the tests run them. The database check would fail where triggers are
        missing, and this command is what installs them.
        """
        super().add_arguments(parser)
        parser.set_defaults(skip_checks=True)

    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        had = migrated.applied(connection)
        if reason := versions.refusal(connection, had, migrated.on_disk()):
            raise CommandError(reason)
        super().handle(*args, **options)
