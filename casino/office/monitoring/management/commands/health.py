"""``manage.py health``: the report of /healthz, for a terminal or a container's engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.db import connection

from casino.office.monitoring import checks as health

if TYPE_CHECKING:
    from argparse import ArgumentParser

PARTS = (
    "database", "storage", "broker", "worker", "subscriptions", "regrade", "integrity", "payouts",
    *(("replicas",) if settings.REPLICAS else ()), "servers",
)  # fmt: skip


class Command(BaseCommand):
    help = "Say how the house is; the exit status is 1 if something needs a person."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("parts", nargs="*", metavar="part", help=f"of {', '.join(PARTS)}")

    def handle(self, *, parts: list[str], **_options: Any) -> None:
        if unknown := set(parts) - set(PARTS):
            raise CommandError(f"No part is called {', '.join(sorted(unknown))}.")
        found = health.report()["parts"]
        if away := set(parts) - set(found):
            raise CommandError(f"There is nothing to say of {', '.join(sorted(away))} here.")
        requested = {name: found[name] for name in parts or found}
        for name, finding in requested.items():
            self.stdout.write(f"{'well' if finding['ok'] else 'ILL '}  {name}: {finding['says']}")
        if "servers" in requested:
            self._say_where_servers_are()
        if not all(finding["ok"] for finding in requested.values()):
            raise CommandError("The house is not well.")

    def _say_where_servers_are(self) -> None:
        from casino.engine.scale.distribution import servers  # noqa: PLC0415 - only where there are several

        for number, address in servers.addresses(connection).items():
            self.stdout.write(f"      server {number} is {address}")
