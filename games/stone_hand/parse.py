"""Stone hand's commands, from the fields that games.vocabulary has read."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from games import commands_of, parsing
from games.commands import Close, Leave, Stand
from games.messages import Fact
from games.parsing import SharedCommand, only
from games.refusals import NoBuyingIn, Refused
from games.stone_hand.messages import (
    DiceThrown,
    GameOpened,
    HandTaken,
    HomeDiceThrown,
    Open,
    PlayerLeft,
    TableClosed,
    Throw,
    ThrowHome,
)

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


# The command that led to each event of stone hand.


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
    TableClosed: lambda fact: Close(fact.reason),
}
