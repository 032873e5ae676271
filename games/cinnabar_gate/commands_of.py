"""The command that led to each event of Cinnabar Gate."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from games import commands_of
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
