"""What was asked, for each thing that happened in a game of threes away."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from games import asked as games
from games.messages import Arrive, Fact, Leave
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


def asked(fact: Fact) -> Any | None:
    return games.of(fact, COMMANDS)


COMMANDS: Final[Mapping[type[Fact], Callable[[Any], Any]]] = {
    GameOpened: lambda fact: games.opening(Open, fact),
    DiceThrown: lambda fact: Throw(fact.player, fact.dice, fact.keep, fact.bottoms),
    DiceKept: lambda fact: Keep(fact.player, fact.dice),
    PlayerLeft: lambda fact: Leave(fact.player),
    RolloverArrived: lambda fact: Arrive(fact.amount),
}
