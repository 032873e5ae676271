"""River's commands, from the fields that games.vocabulary has read."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from games import commands_of, parsing
from games.commands import Leave
from games.messages import Fact
from games.parsing import SharedCommand, only
from games.refusals import NotInThisGame
from games.river.hands import SIZES
from games.river.messages import (
    Bid,
    BidMade,
    BidPassed,
    BySize,
    Command,
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

GAME: Final = "river"
OPEN_FIELDS: Final = ("players", "stake", "options", "fee", "price")
WITHOUT: Final = frozenset({"stand"})
PLAIN: Final[Mapping[str, tuple[type[Any], tuple[str, ...]]]] = {
    "start_round": (StartRound, ("price",)),
    "bid": (Bid, ("player", "die", "amount")),
    "pass": (Pass, ("player", "die")),
    "sell": (Sell, ("die", "player", "amount")),
    "withdraw": (Withdraw, ("die",)),
    "throw": (Throw, ("player", "dice")),
}


def parse(do: str, fields: Mapping[str, Any]) -> Command | SharedCommand:
    """:raises Refused: if River has no such command, or the command no such field."""
    if do in PLAIN:
        kind, names = PLAIN[do]
        command: Command = kind(**only(fields, *names, do=do, game=GAME))
        return command
    match do:
        case "open":
            return opening(fields)
        case "seal":
            own = only(fields, "player", "commitment", do=do, game=GAME)
            return Seal(**own, at=fields.get("occurred_at"))
        case "offer":
            return Offer(by_size(fields["dice"]))
        case "reveal":
            return Reveal(fields["player"], by_size(fields["dice"]), fields.get("salt"))
        case _:
            return parsing.read_shared(do, fields, game=GAME, without=WITHOUT)


def opening(fields: Mapping[str, Any]) -> Open:
    if "first" in fields:
        raise NotInThisGame("first: nobody throws first in river. RV2, G7")
    return Open(**parsing.opening(fields, *OPEN_FIELDS, game=GAME))


def by_size(dice: Mapping[str, int]) -> BySize:
    return tuple(map(dice.get, SIZES))


# The command that led to each event of River.


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
