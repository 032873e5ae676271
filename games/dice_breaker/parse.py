"""The commands of dice breaker, from the fields that games.vocabulary has read."""

from collections.abc import Mapping
from typing import Any, Final

from games import parsing
from games.dice_breaker.messages import BreakStart, Broken, Caught, Open, Throw
from games.parsing import SharedCommand, only

GAME: Final = "dice-breaker"
OPEN_FIELDS: Final = ("players", "stake", "options", "first", "fee")
THROW_FIELDS: Final = ("player", "die", "value", "breaks", "out", "caught", "spinning")


def parse(do: str, fields: Mapping[str, Any]) -> Open | BreakStart | Throw | SharedCommand:
    """:raises Refused: if dice breaker has no such command, or the command no such field."""
    at = fields.get("occurred_at")
    match do:
        case "open":
            return Open(**parsing.opening(fields, *OPEN_FIELDS, game=GAME))
        case "break_start":
            return BreakStart(**only(fields, "player", "value", do=do, game=GAME))
        case "throw":
            own = only(fields, *THROW_FIELDS, do=do, game=GAME)
            own["breaks"] = tuple(Broken(**each) for each in own.get("breaks", ()))
            own["caught"] = tuple(Caught(**each) for each in own.get("caught", ()))
            return Throw(**own, at=at)
        case _:
            return parsing.read_shared(do, fields, game=GAME)
