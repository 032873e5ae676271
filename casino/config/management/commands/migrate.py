"""Django's ``manage.py migrate``, which refuses to touch a database of another version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management import CommandError
from django.core.management.commands import migrate
from django.db import DatabaseError, connections
from django.utils import timezone

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
        if had:
            self.report_guards(options["database"])
        super().handle(*args, **options)

    def report_guards(self, alias: str) -> None:
        """Print and keep which guards of the database are missing, before they are put back."""
        from casino.integrity import guards, runs  # noqa: PLC0415 - the first migrate has none yet

        if not (found := guards.findings(alias)):
            return
        for each in found:
            self.stderr.write(f"! {each.says}")
        try:
            runs.keep_guards(found, using=alias, now=timezone.now())
        except DatabaseError as error:
            self.stderr.write(f"! This could not be kept: {error}")
