"""Commands, events and options of threes away. Events are stored for ever."""

from dataclasses import dataclass
from typing import Literal

from games.commands import Arrive, BringMoney, CashOut, Close, Join, Leave, NoThrow
from games.dice import Dice
from games.fees import Fee
from games.messages import BuyIn, Consequence, Fact, GameEnd, RoundEnd
from games.openings import Opening
from games.payments import Payment
from games.seats import Seat, bought_in


@dataclass(frozen=True, slots=True)
class Options:
    ante: int = 1
    zero: Literal[1, 2, 3, 4, 5, 6] = 3
    bust: Literal["lowest", "previous", "none"] = "lowest"
    tie_ante: bool = True
    zero_tie_ante: Literal["additional", "none"] = "additional"
    progressive: Literal["no", "by_round", "triangular"] = "no"
    bottoms: bool = False


@dataclass(frozen=True, slots=True)
class Open(Opening):
    """
    With what of its rollover this game starts (TA10); the house fills it in.

    :param rollover: coins that are booked in the rollover and are this game's from now on.
    :param awaited: coins that are this game's too, but are not booked yet: they arrive later.
    """

    rollover: int = 0
    awaited: int = 0


@dataclass(frozen=True, slots=True)
class Throw:
    """`keep`: the faces kept, where that is said with the throw; `bottoms`: they were called."""

    player: str
    dice: Dice
    keep: Dice | None = None
    bottoms: bool = False
    at: int | None = None


@dataclass(frozen=True, slots=True)
class Keep:
    player: str
    dice: Dice


Command = (
    Open | Throw | Keep | NoThrow | Join | Leave | BringMoney | CashOut | Close | Arrive
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class GameOpened(Fact):
    """`players` have their stakes; fee None: there is none; `awaited` arrives later (TA10)."""

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
    rollover: int = 0
    awaited: int = 0

    @property
    def buy_ins(self) -> tuple[BuyIn, ...]:
        return bought_in(self.players)


@dataclass(frozen=True, slots=True)
class RolloverDrawn(Consequence):
    """TA10: the pot starts with what rolled over from the game before."""

    amount: int
    payments: tuple[Payment, ...] = ()


@dataclass(frozen=True, slots=True)
class RolloverArrived(Fact):
    """TA10: what was still to be booked when the game opened."""

    amount: int
    payments: tuple[Payment, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundStarted(Consequence):
    """
    TA1: the antes are in the pot.

    :param order: who throws, the first thrower first.
    :param waiting: who is in the game and watches a play-off (TA6).
    :param limit: the greatest total that can win; None: any (TA7).
    """

    round: int
    order: tuple[str, ...]
    waiting: tuple[str, ...] = ()
    limit: int | None = None
    payments: tuple[Payment, ...] = ()


@dataclass(frozen=True, slots=True)
class LateAntePaid(Consequence):
    """G1: who comes before the round's first throw is in it, in this order."""

    player: str
    order: tuple[str, ...]
    payments: tuple[Payment, ...] = ()


@dataclass(frozen=True, slots=True)
class DiceThrown(Fact):
    """
    The faces on top of all dice thrown now, also where bottoms were called (TA8).

    :param keep: what was said with the throw to be kept; a DiceKept follows.
    """

    player: str
    dice: Dice
    bottoms: bool = False
    keep: Dice | None = None

    @property
    def is_throw(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class DiceKept(Fact):
    """
    :param dice: the faces on top of what is kept of the last throw.
    :param total: what all dice kept in this turn come to by now.
    :param with_throw: it was said with the throw.
    """

    player: str
    dice: Dice
    total: int
    with_throw: bool = False

    @property
    def consequence(self) -> bool:
        return self.with_throw


@dataclass(frozen=True, slots=True)
class TurnEnded(Consequence):
    """`bust`: lost (TA3); else all dice are kept. A zero brings antes with it (TA4)."""

    player: str
    total: int
    bust: bool = False
    payments: tuple[Payment, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundWon(RoundEnd):
    """
    :param total: what won; None: nothing was thrown, the others of a play-off left (TA6).
    :param first: who throws first in the next round.
    """

    round: int
    winner: str
    total: int | None
    first: str
    payments: tuple[Payment, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundTied(RoundEnd):
    """
    The pot carries over to a replay (TA5) or a play-off (TA6).

    :param players: whose totals are equal and the lowest.
    :param among: who alone throw on; empty: everybody does.
    :param waiting: who watches them.
    :param free: who is in the next round without another ante.
    """

    round: int
    players: tuple[str, ...]
    total: int
    first: str
    among: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundRolledOver(RoundEnd):
    """TA7: `total`, the lowest, is above `limit`. For the rest see RoundTied."""

    round: int
    players: tuple[str, ...]
    total: int
    limit: int
    first: str
    among: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundVoided(RoundEnd):
    """`payments`: what players had paid into the round goes back to them."""

    round: int
    first: str
    free: tuple[str, ...] = ()
    payments: tuple[Payment, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerLeft(Fact):
    """
    :param first: who begins the running round after that, or the next.
    :param order: who throws in the running one; empty: none runs.
    """

    player: str
    first: str
    order: tuple[str, ...] = ()
    payments: tuple[Payment, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GameEnded(GameEnd):
    """`round`: the last. What is in the pot rolls over to the house's next game (TA10)."""

    round: int
    payments: tuple[Payment, ...] = ()
    rules: tuple[str, ...] = ()
