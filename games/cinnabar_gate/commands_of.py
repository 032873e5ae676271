"""What was asked, for each thing that happened in a game of Cinnabar Gate."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
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
from games.commands_of import announced
from games.messages import Fact


def command_of(fact: Fact) -> Any | None:
    """The command that a fact came of; None for what followed from the fact before."""
    command: Callable[[Any], Any] = COMMANDS.get(type(fact), commands_of.shared)
    return None if fact.consequence else command(fact)


def opening(fact: GameOpened) -> Open:
    ours = fact.homes[0] if fact.options.homes == "house" and fact.homes else None
    return Open(
        players=fact.players,
        stake=fact.stake,
        options=asdict(fact.options),
        home_throw=ours,
        home_throw_policy=fact.home_throw_policy,
        first=fact.first,
        fee=announced(fact.fee),
        home_override=fact.home_override,
        stake_min=fact.stake_min,
        stake_max=fact.stake_max,
        table=fact.table,
        dice_set=fact.dice_set,
        at=fact.at,
    )


COMMANDS: Final[Mapping[type[Fact], Callable[[Any], Any]]] = {
    GameOpened: opening,
    HomeDiceThrown: lambda fact: ThrowHome(fact.dice),
    DiceThrown: lambda fact: Throw(fact.player, fact.dice),
    HandTaken: lambda fact: Stand(fact.player),
    PlayerLeft: lambda fact: Leave(fact.player),
}
