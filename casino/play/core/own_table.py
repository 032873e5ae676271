"""Staff who play do not record at the table they sit at (D1b)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from casino.play.core import commands
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from casino.house.game_streams.loading import Loaded
    from casino.play.core.who import Who


class OwnTable(Refused):
    code = "own_table"


def check_does_not_play(
    establishment: UUID, raw: Mapping[str, Any], who: Who, loaded: Loaded | None
) -> None:
    """
    Check that whoever records does not play in the game.

    :param loaded: the game; None if the command opens it.
    :raises OwnTable: if whoever records is a player of the game, or the command seats them.
    """
    player = who.plays_as
    if not player:
        return
    if player in commands.players_to_seat(establishment, raw):
        raise OwnTable("You do not seat yourself: a colleague records where you play. D1b")
    if loaded is not None and player in loaded.stakes:
        raise OwnTable("You play at this table: a colleague records here. D1b")
