"""What was asked, for each thing that happened in a game of River."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final

from games import commands_of
from games.commands import Leave
from games.commands_of import announced
from games.messages import Fact
from games.river.messages import (
    Bid,
    BidMade,
    BidPassed,
    DiceOffered,
    DiceRevealed,
    DiceSealed,
    DieThrown,
    GameOpened,
    LotSold,
    LotWithdrawn,
    Offer,
    Open,
    Pass,
    PlayerLeft,
    Reveal,
    RoundStarted,
    Seal,
    Sell,
    StartRound,
    Throw,
    Withdraw,
)


def command_of(fact: Fact) -> Any | None:
    """The command that a fact came of; None for what followed from the fact before."""
    command: Callable[[Any], Any] = COMMANDS.get(type(fact), commands_of.shared)
    return None if fact.consequence else command(fact)


def opening(fact: GameOpened) -> Open:
    return Open(
        players=fact.players,
        stake=fact.stake,
        options=asdict(fact.options),
        fee=announced(fact.fee),
        price=fact.price,
        stake_min=fact.stake_min,
        stake_max=fact.stake_max,
        table=fact.table,
        dice_set=fact.dice_set,
        at=fact.at,
    )


COMMANDS: Final[Mapping[type[Fact], Callable[[Any], Any]]] = {
    GameOpened: opening,
    RoundStarted: lambda fact: StartRound(fact.price),
    DiceSealed: lambda fact: Seal(fact.player, fact.commitment),
    DiceOffered: lambda fact: Offer(fact.dice),
    BidMade: lambda fact: Bid(fact.player, fact.die, fact.amount),
    BidPassed: lambda fact: Pass(fact.player, fact.die),
    LotSold: lambda fact: Sell(fact.die, fact.player, fact.amount),
    LotWithdrawn: lambda fact: Withdraw(fact.die),
    DiceRevealed: lambda fact: Reveal(fact.player, fact.dice, fact.salt),
    DieThrown: lambda fact: Throw(fact.player, fact.dice),
    PlayerLeft: lambda fact: Leave(fact.player),
}
