"""Django's ``manage.py migrate``, which leaves the database of another version alone."""

from __future__ import annotations

from typing import Any

from django.core.management import BaseCommand, CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from casino import versions


class Command(migrate.Command):
    def get_check_kwargs(self, options: dict[str, Any]) -> Any:
        """Not of the database: triggers and functions that it lacks are what migrate puts in."""
        return BaseCommand.get_check_kwargs(self, options)

    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        if applied := MigrationRecorder(connection).applied_migrations():
            known = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
            if reason := versions.refusal(connection, applied, known):
                raise CommandError(reason)
        super().handle(*args, **options)
