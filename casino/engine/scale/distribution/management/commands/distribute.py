"""``manage.py distribute``: spreads a house's database over many servers, or takes it back."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from django.core.management import BaseCommand, CommandError
from django.db import DatabaseError

from casino.engine.processes import command
from casino.engine.scale.distribution import operations
from casino.engine.scale.distribution.operations import Kind, make_plan
from ledger.conflicts import count_of

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from casino.engine.scale.distribution.operations import Plan


MOST: Final = 1024  # shards
ON_SQLITE: Final = (
    "This house keeps its data in a file of SQLite, which is in one place by nature. DATABASE_URL"
    " names a PostgreSQL."
)
WORDS: Final = {
    "keys": "foreign keys taken off:",
    "table": "placed",
    "function": "runs where its house is:",
    "back": "foreign key back on",
}


class Command(BaseCommand):
    help = (
        "Spread the database over the servers of a Citus cluster by house: the tables of houses are"
        " distributed by their establishment, all others copied to every server. What is done"
        " already is left alone, so a run that was stopped goes on. See docs/scale/distribution.md."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("--dry-run", action="store_true", help="say what would be done; change nothing")
        add("--undo", action="store_true", help="bring everything back to this one server")
        add(
            "--shards", type=int, default=operations.SHARDS, metavar="N",
            help="into how many shards houses are spread, the first time (default: %(default)s)",
        )  # fmt: skip
        command.add_database_option(parser)

    def handle(self, **options: Any) -> None:
        connection = command.chosen_connection(options, on_sqlite=ON_SQLITE)
        if not 1 <= options["shards"] <= MOST:
            raise CommandError(f"--shards {options['shards']}: from 1 to {MOST}.")
        if options["dry_run"]:
            self.say(make_plan(connection))
            return
        self.work(connection, options)

    def say(self, found: Plan) -> None:
        for each in found.places:
            then = f" -> {each.then}" if not each.done else ""
            column = f" ({each.column})" if each.column else ""
            self.stdout.write(f"{each.table}: {each.now}{then}{column}")
        servers = ", ".join(f"{host}:{port}" for host, port in found.nodes) or "none"
        self.stdout.write(
            f"{len(found.left)} of {count_of(len(found.places), 'table')} to place. Houses go"
            f" to: {servers}."
        )
        if found.in_use:
            self.stdout.write(found.in_use)
        if found.obstacles:
            raise CommandError("In the way:\n" + "\n".join(found.obstacles))

    def work(self, connection: Any, options: dict[str, Any]) -> None:
        steps = (
            operations.undistribute(connection)
            if options["undo"]
            else operations.distribute(connection, shards=options["shards"])
        )
        done: Counter[str] = Counter()
        try:
            total = len(make_plan(connection).places)
            for what, name in steps:
                done[what] += 1
                if options["verbosity"] > 1:
                    self.stdout.write(f"{WORDS[what]} {name}")
                command.draw_bar(self.stderr, min(1.0, done["table"] / total))
        except operations.NotDistributed as obstacle:
            raise CommandError(f"Nothing was changed.\n{obstacle}") from obstacle
        except DatabaseError as error:
            raise CommandError(
                f"Stopped: {str(error).strip()}\nWhat was done stays; the same command goes on from"
                " there. Until it has, nobody may use this database."
            ) from error
        finally:
            command.draw_bar(self.stderr, None)
        kinds = Counter(each.now for each in make_plan(connection).places)
        placed = ", ".join(f"{kinds[kind]} {kind}" for kind in Kind if kinds[kind])
        self.stdout.write(
            f"{placed}; {count_of(done['table'], 'table')} moved,"
            f" {count_of(done['back'], 'foreign key')} back."
        )
