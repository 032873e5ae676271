"""Cinnabar Gate's commands, from the fields that games.vocabulary has read."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from games import commands_of, parsing
from games.cinnabar_gate.messages import (
    DiceThrown,
    GameOpened,
    HandTaken,
    HomeDiceThrown,
    Open,
    PlayerLeft,
    Throw,
    ThrowHome,
)
from games.commands import Leave, Stand
from games.messages import Fact
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


# The command that led to each event of Cinnabar Gate.


def command_of(fact: Fact) -> Any | None:
    return commands_of.of(fact, COMMANDS)


def opening(fact: GameOpened) -> Open:
    ours = fact.homes[0] if fact.options.homes == "house" and fact.homes else None
    return commands_of.opening(Open, fact, home_throw=ours)


COMMANDS: Final[Mapping[type[Fact], Callable[[Any], Any]]] = {
    GameOpened: opening,
    HomeDiceThrown: lambda fact: ThrowHome(fact.dice),
    DiceThrown: lambda fact: Throw(fact.player, fact.dice),
    HandTaken: lambda fact: Stand(fact.player),
    PlayerLeft: lambda fact: Leave(fact.player),
}
