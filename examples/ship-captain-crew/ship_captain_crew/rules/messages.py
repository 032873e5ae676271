"""Commands, events and options. Events are stored for ever: fields may be added, never changed."""

from dataclasses import dataclass
from typing import Final, Literal

from games.dice import Dice
from games.fees import Fee
from games.messages import BuyIn, Consequence, Fact, GameEnd, RoundEnd
from games.payments import Payment
from games.seats import Seat, bought_in


@dataclass(frozen=True, slots=True)
class Options:
    ante: int = 1
    ties: Literal["again", "share"] = "again"
    unit: int = 1


@dataclass(frozen=True, slots=True)
class Throw:
    player: str
    dice: Dice
    at: int | None = None


@dataclass(frozen=True, slots=True)
class GameOpened(Fact):
    rules_version: int
    players: tuple[Seat, ...]
    first: str
    options: Options = Options()
    fee: Fee | None = None
    stake_min: int | None = None
    stake_max: int | None = None
    table: str = ""
    dice_set: str = ""
    at: int | None = None

    @property
    def buy_ins(self) -> tuple[BuyIn, ...]:
        return bought_in(self.players)


@dataclass(frozen=True, slots=True)
class DiceThrown(Fact):
    """
    :param kept: how many of ship, captain and crew lie there after it.
    :param cargo: what the other two dice come to, once all three do.
    :param ends_turn: it was the third throw (SC4).
    """

    player: str
    dice: Dice
    kept: int
    cargo: int | None = None
    ends_turn: bool = False

    @property
    def is_throw(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class RoundStarted(Consequence):
    """SC1: with the first throw the antes are in the pot. `order`: who throws."""

    round: int
    order: tuple[str, ...]
    payments: tuple[Payment, ...] = ()


@dataclass(frozen=True, slots=True)
class Stood(Fact):
    player: str
    cargo: int


@dataclass(frozen=True, slots=True)
class ThrownAgain(Consequence):
    """SC6: the tied throw among themselves, within the round. `cargo` None: nobody has one."""

    players: tuple[str, ...]
    cargo: int | None = None


@dataclass(frozen=True, slots=True)
class RoundEnded(RoundEnd):
    """`winners`: several share (SC6), none: it is void (G9); `cargo` None: of nobody."""

    round: int
    winners: tuple[str, ...] = ()
    cargo: int | None = None
    payments: tuple[Payment, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerLeft(Fact):
    player: str


@dataclass(frozen=True, slots=True)
class GameEnded(GameEnd):
    round: int


OWN: Final = (
    GameOpened, DiceThrown, RoundStarted, Stood, ThrownAgain, RoundEnded, PlayerLeft, GameEnded
)  # fmt: skip
