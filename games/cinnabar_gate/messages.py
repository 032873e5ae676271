"""Commands and events of Cinnabar Gate stone hand. Events are stored for ever."""

from dataclasses import dataclass
from typing import Literal

from games.cinnabar_gate.options import DEFAULTS, Options
from games.commands import BringMoney, CashOut, Close, Join, Leave, NoThrow, Stand
from games.dice import Dice
from games.fees import Fee
from games.homes import Policy
from games.messages import BuyIn, Consequence, Fact, GameEnd, Points, RoundEnd
from games.openings import Opening
from games.payments import Payment
from games.seats import Seat, bought_in
from games.stone import HandName

End = Literal["best", "worst"]


@dataclass(frozen=True, slots=True)
class Open(Opening):
    """
    Who joins later brings the `stake`, too, where they name none of their own (CG1).

    :param home_override: the house's home throw stands by override; the house fills it in.
    """

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


Command = (
    Open | ThrowHome | Throw | Stand | NoThrow | Join | Leave | BringMoney | CashOut | Close
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class GameOpened(Fact):
    """
    :param players: with their stakes.
    :param stake: what a newcomer brings who names no other (CG1).
    :param homes: in force, sorted.
    """

    rules_version: int
    players: tuple[Seat, ...]
    first: str
    stake: int | None = None
    options: Options = DEFAULTS
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
    :param junk: how many junk chances of this turn are used by now (CG4).
    :param again: how many throws of this turn were thrown again under CG10.
    :param open: the player may throw again or stand; else the hand is taken, or a show-up.
    """

    player: str
    dice: Dice
    hand: HandName
    score: int | None = None
    junk: int = 0
    again: int = 0
    open: bool = False

    @property
    def is_throw(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class HandTaken(Fact):
    """CG4, CG10: a hand that might have been thrown again stands; implied by the next throw."""

    player: str
    implied: bool = False

    @property
    def consequence(self) -> bool:
        return self.implied


@dataclass(frozen=True, slots=True)
class PayMoved(Consequence):
    """CG2, CG5: what the pay is from now on, by `player`'s hand or show-up."""

    player: str
    pay: int
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundRestarted(Consequence):
    """CG11, pool: `player` sits out, the others throw anew in this order, the pay is `pay`."""

    player: str
    order: tuple[str, ...]
    pay: int


@dataclass(frozen=True, slots=True)
class TieCalled(Consequence):
    """CG7: these throw again to settle the best or the worst; `best` is settled already."""

    end: End
    players: tuple[str, ...]
    best: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundSettled(RoundEnd):
    """
    :param winners: whose hands were best, in turn order; in a pool nobody's.
    :param losers: who pay, or would if money were played, in turn order.
    :param pay: what each of them owes, before G2 caps it to what they have.
    :param first: who throws first in the next round.
    :param out: who has nothing left, in seat order (CG8).
    """

    round: int
    winners: tuple[str, ...]
    losers: tuple[str, ...]
    pay: int
    first: str
    payments: tuple[Payment, ...] = ()
    points: Points = ()
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
    """`first`: who throws first in a round that has not begun; None: it runs (CG1)."""

    player: str
    first: str | None = None


@dataclass(frozen=True, slots=True)
class GameEnded(GameEnd):
    """`winners`: the one who is left, or who share the pool. `round`: the last."""

    round: int
    winners: tuple[str, ...] = ()
    payments: tuple[Payment, ...] = ()
    rules: tuple[str, ...] = ()
