"""``manage.py move_house``: says on which server a house is, and moves it to another one."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from django.core.management import BaseCommand, CommandError
from django.db import DatabaseError

from casino.engine.processes import command
from casino.engine.scale.distribution import moves
from casino.house.establishments import command_line

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    help = (
        "Say on which server of a Citus cluster a house is; with --to move it to another one while"
        " it plays. Verify it afterwards: manage.py verify_ledger. See docs/scale/distribution.md."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("house", help="its name or its id")
        add("--to", metavar="HOST:PORT", help="the server that it is to be on")
        add(
            "--alone",
            action="store_true",
            help="give it a shard of its own first; writes in its shard wait meanwhile",
        )
        add("--block-writes", action="store_true", help="let its writes wait, which is quicker")
        command.add_database_option(parser)

    def handle(self, **options: Any) -> None:
        connection = command.chosen_connection(options)
        house = command_line.house(options["house"], "house")
        mode: moves.Mode = "block_writes" if options["block_writes"] else "auto"
        try:
            at = moves.find_place(connection, house.pk)
            began = time.monotonic()
            if options["alone"]:
                at = moves.isolate(connection, house.pk)
            if options["to"]:
                at = moves.move(connection, house.pk, *server(options["to"]), mode=mode)
        except moves.NotMoved as why:
            raise CommandError(str(why)) from why
        except DatabaseError as error:
            raise CommandError(f"Not moved, it is where it was: {str(error).strip()}") from error
        shard = "a shard of its own" if at.alone else "a shard with others"
        took = f" {time.monotonic() - began:.1f} s." if options["to"] or options["alone"] else ""
        self.stdout.write(f"{house.name} is on {at.server}, in {shard} ({at.shard}).{took}")


def server(text: str) -> tuple[str, int]:
    """:raises CommandError: unless it reads as HOST:PORT."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit():
        raise CommandError(f"--to {text}: say HOST:PORT, as the cluster knows that server.")
    return host, int(port)
