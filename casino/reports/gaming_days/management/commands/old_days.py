"""``manage.py old_days``: moves old pieces of the ledger to slower storage, and back."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.core.management import BaseCommand, CommandError
from django.db import DatabaseError
from django.template.defaultfilters import filesizeformat
from django.utils import timezone

from casino.engine.databases import owner
from casino.engine.scale.partitions import pieces
from casino.engine.scale.partitions.management.commands.partition import ON_SQLITE
from casino.reports.gaming_days import old_pieces
from ledger.conflicts import count_of

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from casino.engine.scale.partitions.pieces import Piece

DAYS = 400


class Command(BaseCommand):
    help = (
        "List the pieces of the ledger; with --to move those whose gaming days are all closed and"
        " old to a tablespace, which may be slower or compressed. Nothing is deleted, everything"
        " reads and verifies as before. See docs/how-to/partitions.md."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        where = parser.add_mutually_exclusive_group()
        where.add_argument("--to", metavar="TABLESPACE", help="where old pieces are to be")
        where.add_argument("--back", action="store_true", help="bring all pieces back")
        add(
            "--older-than", type=int, default=DAYS, metavar="DAYS",
            help="how many days old the newest gaming day of a piece is (default: %(default)s)",
        )  # fmt: skip
        owner.add_database(parser)

    def handle(self, **options: Any) -> None:
        connection = owner.chosen(options, on_sqlite=ON_SQLITE)
        if options["older_than"] < 1:
            raise CommandError(f"--older-than {options['older_than']}: 1 day at least.")
        before = timezone.now().date() - timedelta(days=options["older_than"])
        try:
            if options["to"]:
                moved = old_pieces.move_old(connection, before=before, tablespace=options["to"])
            elif options["back"]:
                moved = pieces.move_back(connection)
            else:
                self.list(pieces.pieces(connection), connection)
                return
            count = 0
            for piece in moved:
                count += 1
                self.stdout.write(f"{piece.name}: moved, {_size(piece)}")
        except pieces.NotMoved as why:
            raise CommandError(str(why)) from why
        except DatabaseError as error:
            raise CommandError(
                f"Stopped: {str(error).strip()}\nEvery piece is whole, where it was or where it is"
                " to be; the same command goes on."
            ) from error
        self.stdout.write(f"{count_of(count, 'piece')} moved.")

    def list(self, found: list[Piece], connection: Any) -> None:
        for piece in found:
            newest = pieces.newest_day(connection, piece) or "no events"
            end = "" if piece.end is None else piece.end - 1
            place = piece.tablespace or "the database's own"
            self.stdout.write(
                f"{piece.name}: positions {piece.first} to {end}, {_size(piece)}, {newest}, {place}"
            )


def _size(piece: Piece) -> str:
    return filesizeformat(piece.size).replace("\xa0", " ")
