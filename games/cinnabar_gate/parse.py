"""Cinnabar Gate's commands, from the fields that games.vocabulary has read."""

from collections.abc import Mapping
from typing import Any, Final

from games import parsing
from games.cinnabar_gate.messages import Open, Throw, ThrowHome
from games.parsing import SharedCommand, only
from games.seats import seat

GAME: Final = "cinnabar-gate"
OPEN_FIELDS: Final = (
    "players",
    "stake",
    "options",
    "home_throw",
    "home_throw_policy",
    "first",
    "fee",
)


def parse(do: str, fields: Mapping[str, Any]) -> Open | Throw | ThrowHome | SharedCommand:
    """:raises Refused: if Cinnabar Gate has no such command, or the command no such field."""
    at = fields.get("occurred_at")
    match do:
        case "open":
            own = only(fields, "game", *OPEN_FIELDS, do=do, game=GAME)
            players = tuple(map(seat, own.pop("players")))
            del own["game"]
            return Open(players=players, at=at, **own)
        case "throw":
            return Throw(**only(fields, "player", "dice", do=do, game=GAME), at=at)
        case "throw_home":
            return ThrowHome(**only(fields, "dice", do=do, game=GAME))
        case _:
            return parsing.shared(do, fields, game=GAME)
