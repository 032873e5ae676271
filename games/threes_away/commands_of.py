"""The command that led to each event of threes away."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from games import commands_of
from games.commands import Arrive, Leave
from games.messages import Fact
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


def command_of(fact: Fact) -> Any | None:
    return commands_of.of(fact, COMMANDS)


COMMANDS: Final[Mapping[type[Fact], Callable[[Any], Any]]] = {
    GameOpened: lambda fact: commands_of.opening(Open, fact),
    DiceThrown: lambda fact: Throw(fact.player, fact.dice, fact.keep, fact.bottoms),
    DiceKept: lambda fact: Keep(fact.player, fact.dice),
    PlayerLeft: lambda fact: Leave(fact.player),
    RolloverArrived: lambda fact: Arrive(fact.amount),
}
