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
    The command that opens a game. Who joins later and names no stake brings `stake`, too (CG1).

    :param home_override: whether the house has overridden H1 for its home throw; the house fills it
        in.
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
    :param players: the players with their stakes.
    :param stake: the stake of a newcomer who names no other (CG1).
    :param homes: the home throws in force, sorted.
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
    :param junk: how many junk chances of this turn have been used by now (CG4).
    :param again: how many hands of this turn were thrown again under CG10.
    :param open: whether the player may throw again or stand; if not, the hand is taken, or is a
        show-up.
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
    """
    A hand that might have been thrown again is taken (CG4, CG10); `implied`: by the next player's
    throw.
    """

    player: str
    implied: bool = False

    @property
    def consequence(self) -> bool:
        return self.implied

    @property
    def is_decision(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class PayMoved(Consequence):
    """The pay from now on, in units (CG2, CG5, G11), after `player`'s hand or show-up."""

    player: str
    pay: int
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundRestarted(Consequence):
    """
    A round of a pool starts again (CG11): `player` sits out, the others throw anew in this order,
    and the pay is `pay`.
    """

    player: str
    order: tuple[str, ...]
    pay: int


@dataclass(frozen=True, slots=True)
class TieCalled(Consequence):
    """These throw again to settle who is best or worst (CG7); `best`: who is best already."""

    end: End
    players: tuple[str, ...]
    best: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundSettled(RoundEnd):
    """
    :param winners: whose hands were best, in turn order; none in a pool.
    :param losers: who pay, or would pay if money were played, in turn order.
    :param pay: what each of them owes, in units (G11), before G2 caps it to what they have.
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
    """A player left. `first`: who throws first if the round had not begun; None: it runs (CG1)."""

    player: str
    first: str | None = None


@dataclass(frozen=True, slots=True)
class GameEnded(GameEnd):
    """The game is over. `winners`: who is left, or who share the pool. `round`: the last round."""

    round: int
    winners: tuple[str, ...] = ()
    payments: tuple[Payment, ...] = ()
    rules: tuple[str, ...] = ()
