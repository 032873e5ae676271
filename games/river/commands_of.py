"""The command that led to each event of River."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from games import commands_of
from games.commands import Leave
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
    return commands_of.of(fact, COMMANDS)


COMMANDS: Final[Mapping[type[Fact], Callable[[Any], Any]]] = {
    GameOpened: lambda fact: commands_of.opening(Open, fact),
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
