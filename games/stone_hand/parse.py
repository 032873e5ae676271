"""Stone hand's commands, from the fields that games.vocabulary has read."""

from collections.abc import Mapping
from typing import Any, Final

from games import parsing
from games.parsing import SharedCommand, only
from games.refusals import NoBuyingIn, Refused
from games.stone_hand.messages import Open, Throw, ThrowHome

GAME: Final = "stone-hand"
OPEN_FIELDS: Final = (
    "players",
    "stake",
    "options",
    "home_throw",
    "home_throw_policy",
    "first",
    "fee",
)


class NoJoining(Refused):
    code = "no_joining"


def parse(do: str, fields: Mapping[str, Any]) -> Open | Throw | ThrowHome | SharedCommand:
    """:raises Refused: if stone hand has no such command, or the command no such field."""
    at = fields.get("occurred_at")
    match do:
        case "open":
            return Open(**parsing.opening(fields, *OPEN_FIELDS, game=GAME))
        case "throw":
            return Throw(**only(fields, "player", "dice", do=do, game=GAME), at=at)
        case "throw_home":
            return ThrowHome(**only(fields, "dice", do=do, game=GAME))
        case "join":
            raise NoJoining(f"player: {fields['player']} cannot join later. SH1")
        case "buy_in":
            raise NoBuyingIn(f"player: {fields['player']} staked at the opening; no more. SH1")
        case _:
            return parsing.read_shared(do, fields, game=GAME)
