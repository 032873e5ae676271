"""What was asked, for each thing that happened in a game of threes away."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final

from games import commands_of
from games.commands import Arrive, Leave
from games.commands_of import announced
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
        rollover=fact.rollover,
        awaited=fact.awaited,
    )


COMMANDS: Final[Mapping[type[Fact], Callable[[Any], Any]]] = {
    GameOpened: opening,
    DiceThrown: lambda fact: Throw(fact.player, fact.dice, fact.keep, fact.bottoms),
    DiceKept: lambda fact: Keep(fact.player, fact.dice),
    PlayerLeft: lambda fact: Leave(fact.player),
    RolloverArrived: lambda fact: Arrive(fact.amount),
}
