"""``manage.py old_days``: moves old pieces of the ledger to slower storage, and back."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.core.management import BaseCommand, CommandError
from django.db import DatabaseError
from django.template.defaultfilters import filesizeformat
from django.utils import timezone

from casino.engine.processes import command
from casino.engine.scale.partitions import pieces
from casino.engine.scale.partitions.management.commands.partition import ON_SQLITE
from casino.reports.gaming_days.models import GamingDay
from ledger.conflicts import count_of

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator
    from datetime import date

    from django.db.backends.base.base import BaseDatabaseWrapper

    from casino.engine.scale.partitions.pieces import Piece

DAYS = 400
OPEN: Final = """
    SELECT EXISTS (
        SELECT FROM {days} AS day WHERE state <> %s AND day <= %s AND EXISTS (
            SELECT FROM partitions.{piece} AS piece
            WHERE piece.establishment = day.establishment_id))"""


class Command(BaseCommand):
    help = (
        "List the pieces of the ledger; with --to move those whose gaming days are all closed and"
        " old to a tablespace, which may be slower or compressed. Nothing is deleted, everything"
        " reads and verifies as before. See docs/scale/partitions.md."
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
        command.add_database_option(parser)

    def handle(self, **options: Any) -> None:
        connection = command.chosen_connection(options, on_sqlite=ON_SQLITE)
        if options["older_than"] < 1:
            raise CommandError(f"--older-than {options['older_than']}: 1 day at least.")
        before = timezone.now().date() - timedelta(days=options["older_than"])
        try:
            if options["to"]:
                moved = move_old(connection, before=before, tablespace=options["to"])
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


def is_over(connection: BaseDatabaseWrapper, piece: Piece, before: date) -> bool:
    """Whether all gaming days of a piece are before that day, and closed at its houses."""
    if (
        piece.end is None
        or (newest := pieces.newest_day(connection, piece)) is None
        or newest >= before
    ):
        return False
    with connection.cursor() as cursor:
        days = GamingDay._meta.db_table  # noqa: SLF001 - documented Meta API
        statement = OPEN.format(days=days, piece=pieces.quote(piece.name))
        cursor.execute(statement, [GamingDay.State.CLOSED, newest])
        return not cursor.fetchone()[0]


def move_old(connection: BaseDatabaseWrapper, *, before: date, tablespace: str) -> Iterator[Piece]:
    """
    Move each piece that is over and elsewhere to a tablespace; yield it. Indexes stay.

    :raises NotMoved: if there is no such tablespace, or the role may not use it.
    """
    found = pieces.pieces(connection)
    pieces.check_place(connection, tablespace)
    for piece in found:
        if piece.tablespace != tablespace and is_over(connection, piece, before):
            pieces.move(connection, piece, tablespace)
            yield piece
