"""Cinnabar Gate's commands, from the fields that games.vocabulary has read."""

from collections.abc import Mapping
from typing import Any, Final

from games import parsing
from games.cinnabar_gate.messages import Open, Throw, ThrowHome
from games.parsing import SharedCommand, only

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
            return Open(**parsing.opening(fields, *OPEN_FIELDS, game=GAME))
        case "throw":
            return Throw(**only(fields, "player", "dice", do=do, game=GAME), at=at)
        case "throw_home":
            return ThrowHome(**only(fields, "dice", do=do, game=GAME))
        case _:
            return parsing.read_shared(do, fields, game=GAME)
