"""Staff who play do not record at the table they sit at (D1b)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from casino.attendants.models import Employment
from casino.play import commands
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.play.commands import Who
    from casino.play.loading import Loaded


class OwnTable(Refused):
    code = "own_table"


def kept_apart(
    establishment: UUID, raw: Mapping[str, Any], who: Who, loaded: Loaded | None
) -> None:
    """
    :param loaded: the game; None where the command opens it.
    :raises OwnTable: if who records is a player of the game, or the command seats them.
    """
    player = player_of(establishment, who.attendant)
    if not player:
        return
    if player in commands.seated(establishment, raw):
        raise OwnTable("You do not seat yourself: a colleague records where you play. D1b")
    if loaded is not None and player in loaded.view["stakes"]:
        raise OwnTable("You play at this table: a colleague records here. D1b")


def player_of(establishment: UUID, attendant: str) -> str:
    """The token under which somebody who works there plays; empty if they do not."""
    here = Employment.objects.filter(
        establishment=establishment, attendant=UUID(attendant), until__isnull=True
    )
    return here.values_list("player", flat=True).first() or ""
