"""Commands, events and options of stone hand. Events are stored for ever."""

from dataclasses import dataclass
from typing import Literal

from games.commands import CashOut, Close, Leave, NoThrow, Stand
from games.dice import Dice
from games.fees import Fee
from games.homes import Homes, Policy
from games.messages import BuyIn, Consequence, Fact, GameEnd, Points, RoundEnd
from games.openings import Opening
from games.payments import Payment
from games.seats import Seat, bought_in
from games.stone import HandName, Runs


@dataclass(frozen=True, slots=True)
class Options:
    mode: Literal["pool", "drinks", "scoreboard"] = "pool"
    runs: Runs = "wrap"
    homes: Homes = "house"
    tie_owes: Literal["original", "rethrow"] = "original"
    triad_pay: int | Literal["middle", "all"] = "middle"
    triads: bool = True
    sole: Literal["pays", "void"] = "pays"
    leave: Literal["forfeit", "refund"] = "forfeit"
    rethrow: Literal[0, 1, 2] = 0
    point_to: Literal["best", "lowest_score"] = "best"


@dataclass(frozen=True, slots=True)
class Open(Opening):
    """`home_override`: the house's home throw stands by override; the house fills it in."""

    home_throw: Dice | None = None
    home_throw_policy: str = "fixed"
    home_override: bool = False


@dataclass(frozen=True, slots=True)
class ThrowHome:
    dice: Dice


@dataclass(frozen=True, slots=True)
class Throw:
    player: str
    dice: Dice
    at: int | None = None


Command = Open | ThrowHome | Throw | Stand | NoThrow | Leave | CashOut | Close


@dataclass(frozen=True, slots=True)
class GameOpened(Fact):
    """`players` have their stakes; `homes` are in force, sorted; fee None: there is none."""

    rules_version: int
    players: tuple[Seat, ...]
    first: str
    options: Options = Options()
    homes: tuple[Dice, ...] = ()
    home_throw_policy: Policy = "fixed"
    home_override: bool = False
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
class HomeDiceThrown(Fact):
    dice: Dice
    hand: HandName

    @property
    def is_throw(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class HomeThrowSettled(Consequence):
    home: Dice


@dataclass(frozen=True, slots=True)
class DiceThrown(Fact):
    """
    :param again: how many throws of this player were thrown again by choice so far (SH11).
    :param open: the player may throw again or stand.
    """

    player: str
    dice: Dice
    hand: HandName
    score: int | None = None
    again: int = 0
    open: bool = False

    @property
    def is_throw(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class HandTaken(Fact):
    """SH11: a hand that might have been thrown again stands; implied by the next one's throw."""

    player: str
    implied: bool = False

    @property
    def consequence(self) -> bool:
        return self.implied


@dataclass(frozen=True, slots=True)
class FeeTaken(Consequence):
    """`through`: up to when a time charge is paid now."""

    payments: tuple[Payment, ...] = ()
    through: int | None = None


@dataclass(frozen=True, slots=True)
class RoundRestarted(Consequence):
    """SH7: `player` sits out, the others throw anew in this order."""

    player: str
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TieCalled(Consequence):
    """SH5: these throw again to name the loser."""

    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundLost(RoundEnd):
    """
    :param owed: what the hand costs, before G2 caps it to what the loser has.
    :param drinks: how many drinks the loser owes (SH12).
    :param out: who dropped out, in seat order (SH9).
    :param first: who throws first in the next round.
    """

    round: int
    loser: str
    hand: HandName
    owed: int
    first: str
    payments: tuple[Payment, ...] = ()
    points: Points = ()
    drinks: int = 0
    out: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundVoided(RoundEnd):
    round: int
    first: str
    payments: tuple[Payment, ...] = ()
    out: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerLeft(Fact):
    player: str
    first: str
    payments: tuple[Payment, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableClosed(Fact):
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class GameEnded(GameEnd):
    """`winners` won the pool; none where it was shared or there was none. `round`: the last."""

    round: int
    winners: tuple[str, ...] = ()
    payments: tuple[Payment, ...] = ()
    rules: tuple[str, ...] = ()
