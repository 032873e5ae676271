"""The command that led to each event of dice breaker."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from games import commands_of
from games.commands import Leave, Stand
from games.dice_breaker.messages import (
    BreakStart,
    DieRested,
    DieThrown,
    GameOpened,
    Open,
    PlayerLeft,
    StartBroken,
    Throw,
)
from games.messages import Fact


def command_of(fact: Fact) -> Any | None:
    return commands_of.of(fact, COMMANDS)


def throw(fact: DieThrown) -> Throw:
    return Throw(
        player=fact.player,
        die=fact.die,
        value=fact.value,
        breaks=fact.breaks,
        out=fact.out,
        caught=fact.caught,
        spinning=fact.spinning,
    )


COMMANDS: Final[Mapping[type[Fact], Callable[[Any], Any]]] = {
    GameOpened: lambda fact: commands_of.opening(Open, fact),
    StartBroken: lambda fact: BreakStart(fact.player, fact.value),
    DieThrown: throw,
    DieRested: lambda fact: Stand(fact.player),
    PlayerLeft: lambda fact: Leave(fact.player),
}
