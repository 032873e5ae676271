"""What was asked, for each thing that happened in a game of Cinnabar Gate."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from games import asked as games
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
from games.messages import Fact, Leave, Stand


def asked(fact: Fact) -> Any | None:
    return games.of(fact, COMMANDS)


def opening(fact: GameOpened) -> Open:
    ours = fact.homes[0] if fact.options.homes == "house" and fact.homes else None
    return games.opening(Open, fact, home_throw=ours)


COMMANDS: Final[Mapping[type[Fact], Callable[[Any], Any]]] = {
    GameOpened: opening,
    HomeDiceThrown: lambda fact: ThrowHome(fact.dice),
    DiceThrown: lambda fact: Throw(fact.player, fact.dice),
    HandTaken: lambda fact: Stand(fact.player),
    PlayerLeft: lambda fact: Leave(fact.player),
}
