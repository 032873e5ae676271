"""
Commands, events and options of River, and how its commands are read.
Events are stored for ever.

No event contains anything of a hole hand before that hand is revealed (RV2).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from games import parsing
from games.commands import BringMoney, CashOut, Close, Join, Leave, NoThrow
from games.dice import Dice
from games.fees import Fee
from games.messages import BuyIn, Consequence, Fact, GameEnd, RoundEnd
from games.parsing import SharedCommand, only
from games.payments import Payment
from games.refusals import NotInThisGame
from games.river.hands import SIZES
from games.seats import Seat, bought_in

BySize = tuple[int | None, ...]
"""One face for each size, d4 to d12; None where no die of that size was named."""


@dataclass(frozen=True, slots=True)
class Options:
    min_raise: int = 1
    tie: Literal["split", "high_value", "rolloff"] = "split"
    unit: int = 1


@dataclass(frozen=True, slots=True)
class Open:
    """
    The command that opens a game. The house fills in the fields from `stake_min` on: the table's
    limits for the price (G10), the table, the dice set on it, and the time in seconds since 1970.
    """

    players: tuple[Seat, ...]
    stake: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    fee: Mapping[str, Any] | None = None
    price: int | None = None
    stake_min: int | None = None
    stake_max: int | None = None
    table: str = ""
    dice_set: str = ""
    at: int | None = None


@dataclass(frozen=True, slots=True)
class StartRound:
    """Start a round. `price` None: the price of the opening."""

    price: int | None = None


@dataclass(frozen=True, slots=True)
class Seal:
    player: str
    commitment: str | None = None
    at: int | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    dice: BySize


@dataclass(frozen=True, slots=True)
class Bid:
    player: str
    die: str
    amount: int


@dataclass(frozen=True, slots=True)
class Pass:
    player: str
    die: str


@dataclass(frozen=True, slots=True)
class Sell:
    die: str
    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class Withdraw:
    die: str


@dataclass(frozen=True, slots=True)
class Reveal:
    player: str
    dice: BySize
    salt: str | None = None


@dataclass(frozen=True, slots=True)
class Throw:
    """Throw one d12 to settle a tie (RV6)."""

    player: str
    dice: Dice


AtAuction = Bid | Pass | Sell | Withdraw
Command = (
    Open | StartRound | Seal | Offer | AtAuction | Reveal | Throw
    | NoThrow | Join | Leave | BringMoney | CashOut | Close
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class GameOpened(Fact):
    """
    A game was opened. `players` have their stakes; fee None: there is none.

    :param price: the price of five dice, unless a round names another; None: every round names its
        own.
    :param stake: the stake of a newcomer who names none; None: nothing was agreed.
    """

    rules_version: int
    players: tuple[Seat, ...]
    options: Options = Options()
    fee: Fee | None = None
    price: int | None = None
    stake: int | None = None
    stake_min: int | None = None
    stake_max: int | None = None
    table: str = ""
    dice_set: str = ""
    at: int | None = None

    @property
    def buy_ins(self) -> tuple[BuyIn, ...]:
        return bought_in(self.players)


@dataclass(frozen=True, slots=True)
class RoundStarted(Fact):
    """
    A round started (RV1). `players`: who has bought five dice, in seat order; the others sit it
    out.
    """

    round: int
    price: int
    players: tuple[str, ...]
    payments: tuple[Payment, ...] = ()


@dataclass(frozen=True, slots=True)
class HandsUnseen(Consequence):
    """The players whose sealed dice of that round nobody saw, and nobody will (RV2)."""

    round: int
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DiceBought(Consequence):
    """A player who can pay before the round's first throw has bought dice and is in it (G1)."""

    player: str
    payments: tuple[Payment, ...] = ()


@dataclass(frozen=True, slots=True)
class DiceSealed(Fact):
    """A player has thrown and hidden the hole dice (RV2). Nothing else about them is recorded."""

    player: str
    commitment: str | None = None

    @property
    def is_throw(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class DiceOffered(Fact):
    """The banker's dice were thrown (RV3), d4 to d12."""

    dice: Dice

    @property
    def is_throw(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class BidMade(Fact):
    player: str
    die: str
    amount: int


@dataclass(frozen=True, slots=True)
class BidPassed(Fact):
    player: str
    die: str


@dataclass(frozen=True, slots=True)
class LotSold(Fact):
    die: str
    face: int
    player: str
    amount: int
    payments: tuple[Payment, ...] = ()


@dataclass(frozen=True, slots=True)
class LotWithdrawn(Fact):
    die: str


@dataclass(frozen=True, slots=True)
class DiceRevealed(Fact):
    """
    A player revealed the hole dice, and the best hand that they and the dice won make (RV2, RV4,
    RV5).

    :param dice: the hole dice, d4 to d12.
    :param values: the values of the dice that the hand names, highest first.
    :param replaced: the sizes whose won die the hand has in place of the hole die.
    :param late: whether they were recorded after the round had ended, so that they decide nothing.
    """

    player: str
    dice: Dice
    hand: str
    rank: int
    values: Dice = ()
    replaced: tuple[str, ...] = ()
    salt: str | None = None
    late: bool = False

    @property
    def is_throw(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class TieCalled(Consequence):
    """A tie: these players throw one d12 each, in this order (RV6)."""

    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DieThrown(Fact):
    """A d12 of the roll-off was thrown (RV6)."""

    player: str
    dice: Dice

    @property
    def is_throw(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class RoundWon(RoundEnd):
    """
    :param winners: in seat order.
    :param rank: the row of the winning hand; None: everybody else left before the reveal (RV7).
    """

    round: int
    winners: tuple[str, ...]
    rank: int | None = None
    payments: tuple[Payment, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundVoided(RoundEnd):
    """A round is void. `payments`: what players had paid into it goes back to them."""

    round: int
    payments: tuple[Payment, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerLeft(Fact):
    """A player left. `payments`: the price goes back before the round's first throw (G1)."""

    player: str
    payments: tuple[Payment, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GameEnded(GameEnd):
    """The game is over. `round`: the last round, or the one that would have been next."""

    round: int
    rules: tuple[str, ...] = ()


# River's commands, from the fields that games.vocabulary has read.


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
    return parsing.fields_of(fact, COMMANDS)


COMMANDS: Final[Mapping[type[Fact], Callable[[Any], Any]]] = {
    GameOpened: lambda fact: parsing.opening_command(Open, fact),
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
