"""Which pieces of the ledger are old: their gaming days are all closed, and before a given day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.engine.scale.partitions import pieces
from casino.reports.gaming_days.models import GamingDay

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from django.db.backends.base.base import BaseDatabaseWrapper

    from casino.engine.scale.partitions.pieces import Piece

OPEN: Final = """
    SELECT EXISTS (
        SELECT FROM {days} AS day WHERE state <> %s AND day <= %s AND EXISTS (
            SELECT FROM partitions.{piece} AS piece
            WHERE piece.establishment = day.establishment_id))"""


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
        statement = OPEN.format(days=days, piece=pieces.quoted(piece.name))
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
