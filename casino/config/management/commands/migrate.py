"""Django's ``manage.py migrate``, which refuses to touch a database of another version."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from django.core.management import CommandError
from django.core.management.commands import migrate
from django.db import DatabaseError, connections
from django.utils import timezone

from casino.engine.databases import migrated

if TYPE_CHECKING:
    from django.core.management import CommandParser
    from django.db.backends.base.base import BaseDatabaseWrapper

    from casino.proof.signing.models import Verification


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
        only_asks = options["plan"] or options["check_unapplied"]
        with nullcontext() if only_asks else migrated.migration_lock(connection):
            had = migrated.migrations_had(connection)
            if reason := migrated.refusal_of_database(connection, had, migrated.on_disk()):
                raise CommandError(reason)
            kept = self.report_guards(connection) if had and not only_asks else []
            super().handle(*args, **options)
        if kept:
            from casino.proof.verification import runs  # noqa: PLC0415 - a sound house needs none of it

            for run in kept:
                runs.stop_unguarded(run)

    def report_guards(self, connection: BaseDatabaseWrapper) -> list[Verification]:
        """
        Print and keep which guards of the database differ, before they are put back. Return what
        was kept, one of each house.

        Before the database is brought to this version only triggers that are missing are printed:
        an earlier version may have had others.
        """
        from casino.engine.databases import guards  # noqa: PLC0415 - the first migrate has none yet
        from casino.proof.verification import runs  # noqa: PLC0415 - the first migrate has none yet

        if guards.not_compared(connection):
            for absent in guards.absent_triggers(connection):
                self.stderr.write(f"! {absent} (Or it is new in this version.)")
            return []
        found = guards.findings(guards.differences(connection.alias))
        for each in found:
            self.stderr.write(f"! {each.says}")
        try:
            return runs.keep_guards(found, using=connection.alias, now=timezone.now())
        except DatabaseError as error:
            self.stderr.write(f"! This could not be kept: {error}")
            return []
