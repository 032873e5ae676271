"""What was asked, for each thing that happened in a game of dice breaker."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final

from games import commands_of
from games.commands import Leave, Stand
from games.commands_of import announced
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
    """The command that a fact came of; None for what followed from the fact before."""
    command: Callable[[Any], Any] = COMMANDS.get(type(fact), commands_of.shared)
    return None if fact.consequence else command(fact)


def opening(fact: GameOpened) -> Open:
    return Open(
        players=fact.players,
        options=asdict(fact.options),
        first=fact.first,
        fee=announced(fact.fee),
        stake_min=fact.stake_min,
        stake_max=fact.stake_max,
        table=fact.table,
        dice_set=fact.dice_set,
        at=fact.at,
    )


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
    GameOpened: opening,
    StartBroken: lambda fact: BreakStart(fact.player, fact.value),
    DieThrown: throw,
    DieRested: lambda fact: Stand(fact.player),
    PlayerLeft: lambda fact: Leave(fact.player),
}
