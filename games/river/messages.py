"""
Commands, events and options of River. Events are stored for ever.

Nothing of a hole hand is in any event before its reveal (RV2).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from games.commands import BringMoney, CashOut, Close, Join, Leave, NoThrow
from games.dice import Dice
from games.fees import Fee
from games.messages import BuyIn, Consequence, Fact, GameEnd, RoundEnd
from games.payments import Payment
from games.seats import Seat, bought_in

BySize = tuple[int | None, ...]
"""One face for each size, d4 to d12; None where no die of that size was named."""


@dataclass(frozen=True, slots=True)
class Options:
    min_raise: int = 1
    tie: Literal["split", "high_value", "rolloff"] = "split"


@dataclass(frozen=True, slots=True)
class Open:
    """
    From `stake_min` on the house fills in: the table's limits for the price (G10), what lies on
    which table, and the time in seconds since 1970.
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
    """`price` None: that of the opening."""

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
    """RV6: one d12, to settle a tie."""

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
    `players` have their stakes; fee None: there is none.

    :param price: of five dice, where a round names no other; None: every round names its own.
    :param stake: what a newcomer brings who names none; None: nothing was agreed.
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
    """RV1: who has bought five dice, in seat order; the others sit the round out."""

    round: int
    price: int
    players: tuple[str, ...]
    payments: tuple[Payment, ...] = ()


@dataclass(frozen=True, slots=True)
class HandsUnseen(Consequence):
    """RV2: whose sealed dice of that round nobody saw, and nobody will."""

    round: int
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DiceBought(Consequence):
    """G1: who can pay before the round's first throw is in it, too."""

    player: str
    payments: tuple[Payment, ...] = ()


@dataclass(frozen=True, slots=True)
class DiceSealed(Fact):
    """RV2: the hole dice are thrown and hidden. All that is recorded is that they are."""

    player: str
    commitment: str | None = None

    @property
    def is_throw(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class DiceOffered(Fact):
    """RV3: the banker's dice, d4 to d12."""

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
    RV2, RV4, RV5: the hole dice, and the best hand that they and the dice won make.

    :param dice: the hole dice, d4 to d12.
    :param values: of the dice that the hand names, highest first.
    :param replaced: the sizes whose won die the hand has in place of the hole die.
    :param late: recorded after the hand had ended; it decides nothing.
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
    """RV6: these throw one d12 each, in this order."""

    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DieThrown(Fact):
    """RV6: a d12 of the roll-off."""

    player: str
    dice: Dice

    @property
    def is_throw(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class RoundWon(RoundEnd):
    """
    :param winners: in seat order.
    :param rank: of the winning hand; None: everybody else left before the reveal (RV7).
    """

    round: int
    winners: tuple[str, ...]
    rank: int | None = None
    payments: tuple[Payment, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundVoided(RoundEnd):
    """`payments`: what players had paid goes back to them."""

    round: int
    payments: tuple[Payment, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerLeft(Fact):
    """`payments`: the price comes back to who leaves before the round's first throw (G1)."""

    player: str
    payments: tuple[Payment, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GameEnded(GameEnd):
    """`round`: the last, or the one that would have been next."""

    round: int
    rules: tuple[str, ...] = ()
