"""``manage.py partition``: puts the tables that only grow into partitions, or takes it back."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from django.core.management import BaseCommand, CommandError
from django.db import DatabaseError
from django.template.defaultfilters import filesizeformat

from casino.engine.processes import command
from casino.engine.scale.partitions import operations
from casino.engine.scale.partitions.operations import PARTS, STEP, make_plan
from ledger.conflicts import count_of

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from casino.engine.scale.partitions.operations import Plan

MOST: Final = 256  # parts
ON_SQLITE: Final = (
    "This house keeps its data in a file of SQLite, which has no partitions. DATABASE_URL names a"
    " PostgreSQL."
)


class Command(BaseCommand):
    help = (
        "Put the tables that only grow into partitions: by house, and the events of each house by"
        " position. What is done already is left alone, so a run that was stopped goes on. See"
        " docs/scale/partitions.md."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("--dry-run", action="store_true", help="say what would be done; change nothing")
        add("--undo", action="store_true", help="make plain tables of them again")
        add(
            "--parts", type=int, default=PARTS, metavar="N",
            help="into how many parts houses are spread (default: %(default)s)",
        )  # fmt: skip
        add(
            "--step", type=int, default=STEP, metavar="N",
            help="how many events of each house go into one piece (default: %(default)s)",
        )  # fmt: skip
        command.add_database_option(parser)

    def handle(self, **options: Any) -> None:
        connection = command.chosen_connection(options, on_sqlite=ON_SQLITE)
        if not 1 <= options["parts"] <= MOST:
            raise CommandError(f"--parts {options['parts']}: from 1 to {MOST}.")
        if options["step"] < 1:
            raise CommandError(f"--step {options['step']}: 1 at least.")
        if options["dry_run"]:
            self.say(make_plan(connection))
            return
        self.work(connection, options)

    def say(self, found: Plan) -> None:
        for each in found.tables:
            now = (
                f"{count_of(each.pieces, 'piece')}"
                if each.partitioned
                else filesizeformat(each.size)
            )
            self.stdout.write(f"{each.name}: {now.replace(chr(0xA0), ' ')}")
        left = sum(not each.partitioned for each in found.tables)
        self.stdout.write(
            f"{left} of {count_of(len(found.tables), 'table')} to put into partitions."
        )
        if found.in_the_way:
            raise CommandError("In the way:\n" + "\n".join(found.in_the_way))

    def work(self, connection: Any, options: dict[str, Any]) -> None:
        steps = (
            operations.unpartition(connection)
            if options["undo"]
            else operations.partition(connection, parts=options["parts"], step=options["step"])
        )
        done: Counter[str] = Counter()
        try:
            for what, name in steps:
                done[what] += 1
                if options["verbosity"] > 1:
                    self.stdout.write(f"{what} {name}")
                command.draw_bar(
                    self.stderr, min(1.0, done["table"] / len(make_plan(connection).tables))
                )
        except operations.NotPartitioned as obstacle:
            raise CommandError(f"Nothing was changed.\n{obstacle}") from obstacle
        except DatabaseError as error:
            raise CommandError(
                f"Stopped: {str(error).strip()}\nWhat was done stays; the same command goes on from"
                " there. Until it has, nobody may use this database."
            ) from error
        finally:
            command.draw_bar(self.stderr, None)
        tables = make_plan(connection).tables
        pieces = sum(each.pieces for each in tables if each.partitioned)
        here = (
            f"{count_of(sum(each.partitioned for each in tables), 'table')} in"
            f" {count_of(pieces, 'piece')}"
        )
        self.stdout.write(
            f"{here}; {done['table']} rewritten, {count_of(done['back'], 'foreign key')} back."
        )
