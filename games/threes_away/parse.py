"""The commands of threes away, from the fields that games.vocabulary has read."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from games import commands_of, parsing
from games.commands import Arrive, Leave
from games.messages import Fact
from games.parsing import SharedCommand, only
from games.threes_away.messages import (
    DiceKept,
    DiceThrown,
    GameOpened,
    Keep,
    Open,
    PlayerLeft,
    RolloverArrived,
    Throw,
)

GAME: Final = "threes-away"
OPEN_FIELDS: Final = ("players", "stake", "options", "first", "fee")
WITHOUT: Final = frozenset({"stand"})  # a turn ends here when all dice are kept (TA2)


def parse(do: str, fields: Mapping[str, Any]) -> Open | Throw | Keep | SharedCommand:
    """:raises Refused: if threes away has no such command, or the command no such field."""
    at = fields.get("occurred_at")
    match do:
        case "open":
            return Open(**parsing.opening(fields, *OPEN_FIELDS, game=GAME))
        case "throw":
            return Throw(
                **only(fields, "player", "dice", "keep", "bottoms", do=do, game=GAME), at=at
            )
        case "keep":
            return Keep(**only(fields, "player", "dice", do=do, game=GAME))
        case _:
            return parsing.read_shared(do, fields, game=GAME, without=WITHOUT)


# The command that led to each event of threes away.


def command_of(fact: Fact) -> Any | None:
    return commands_of.of(fact, COMMANDS)


COMMANDS: Final[Mapping[type[Fact], Callable[[Any], Any]]] = {
    GameOpened: lambda fact: commands_of.opening(Open, fact),
    DiceThrown: lambda fact: Throw(fact.player, fact.dice, fact.keep, fact.bottoms),
    DiceKept: lambda fact: Keep(fact.player, fact.dice),
    PlayerLeft: lambda fact: Leave(fact.player),
    RolloverArrived: lambda fact: Arrive(fact.amount),
}
