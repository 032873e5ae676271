"""How the commands of the game are read."""

from collections.abc import Mapping
from typing import Any, Final

from games import parsing
from games.seats import Opening
from ship_captain_crew.rules import messages as ship
from ship_captain_crew.rules.opening import GAME

OPENING: Final = ("players", "stake", "options", "first", "fee")


def parse(do: str, fields: Mapping[str, Any]) -> Any:
    """:raises Refused: if the game has no such command, or the command no such field."""
    match do:
        case "open":
            return Opening(**parsing.opening(fields, *OPENING, game=GAME))
        case "throw":
            own = parsing.only(fields, "player", "dice", do=do, game=GAME)
            return ship.Throw(**own, at=fields.get("occurred_at"))
        case _:
            return parsing.read_shared(do, fields, game=GAME)
