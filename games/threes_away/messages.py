"""
Commands, events and options of threes away, and how its commands are read.
Events are stored for ever.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from games import parsing
from games.commands import Arrive, BringMoney, CashOut, Close, Join, Leave, NoThrow
from games.dice import Dice
from games.fees import Fee
from games.messages import BuyIn, Consequence, Fact, GameEnd, RoundEnd
from games.parsing import SharedCommand, only
from games.payments import Payment
from games.seats import Opening, Seat, bought_in


@dataclass(frozen=True, slots=True)
class Options:
    ante: int = 1
    zero: Literal[1, 2, 3, 4, 5, 6] = 3
    bust: Literal["lowest", "previous", "none"] = "lowest"
    tie_ante: bool = True
    zero_tie_ante: Literal["additional", "none"] = "additional"
    progressive: Literal["no", "by_round", "triangular"] = "no"
    bottoms: bool = False
    unit: int = 1


@dataclass(frozen=True, slots=True)
class Open(Opening):
    """
    The command that opens a game, with the coins of the rollover that belong to it (TA10); the
    house fills them in.

    :param rollover: coins that are booked in the rollover and belong to this game from now on.
    :param awaited: coins that also belong to this game, but are not booked yet: they arrive later.
    """

    rollover: int = 0
    awaited: int = 0


@dataclass(frozen=True, slots=True)
class Throw:
    """A throw. `keep`: the faces kept, if named with the throw; `bottoms`: they were called."""

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
    """
    A game was opened. `players` have their stakes; fee None: there is none; `awaited` arrives later
    (TA10).
    """

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
    """The pot starts with what rolled over from the game before (TA10)."""

    amount: int
    payments: tuple[Payment, ...] = ()


@dataclass(frozen=True, slots=True)
class RolloverArrived(Fact):
    """Coins of the rollover arrive that were not booked yet when the game opened (TA10)."""

    amount: int
    payments: tuple[Payment, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundStarted(Consequence):
    """
    A round starts, and the antes are in the pot (TA1).

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
    """A player who comes before the round's first throw is in it (G1); `order`: who throws now."""

    player: str
    order: tuple[str, ...]
    payments: tuple[Payment, ...] = ()


@dataclass(frozen=True, slots=True)
class DiceThrown(Fact):
    """
    A throw: the faces on top of all dice thrown now, also if bottoms were called (TA8).

    :param keep: the faces kept, if they were named with the throw; a DiceKept follows.
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
    :param dice: the faces on top of the dice that are kept of the last throw.
    :param total: the total of all dice kept in this turn so far.
    :param with_throw: whether the faces were named with the throw.
    """

    player: str
    dice: Dice
    total: int
    with_throw: bool = False

    @property
    def consequence(self) -> bool:
        return self.with_throw

    @property
    def is_decision(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class TurnEnded(Consequence):
    """
    A turn ended. `bust`: it was lost (TA3); else all dice are kept. A zero brings antes with it
    (TA4).
    """

    player: str
    total: int
    bust: bool = False
    payments: tuple[Payment, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundWon(RoundEnd):
    """
    :param total: the total that won; None: nothing was thrown, and the others of a play-off left
        (TA6).
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
    A tie: the pot carries over to a replay (TA5) or a play-off (TA6).

    :param players: the players with the lowest total, which is equal.
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
    """
    The pot rolls over (TA7): `total`, the lowest, is above `limit`. For the other fields see
    RoundTied.
    """

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
    """A round is void. `payments`: what players had paid into it goes back to them."""

    round: int
    first: str
    free: tuple[str, ...] = ()
    payments: tuple[Payment, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerLeft(Fact):
    """
    :param first: who now throws first in the running round, or in the next one.
    :param order: who throws in the running round; empty: none runs.
    """

    player: str
    first: str
    order: tuple[str, ...] = ()
    payments: tuple[Payment, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GameEnded(GameEnd):
    """
    The game is over. `round`: the last round. What is in the pot rolls over to the house's next
    game (TA10).
    """

    round: int
    payments: tuple[Payment, ...] = ()
    rules: tuple[str, ...] = ()


# The commands of threes away, from the fields that games.vocabulary has read.


GAME: Final = "threes-away"
OPEN_FIELDS: Final = ("players", "stake", "options", "first", "fee")
WITHOUT: Final = frozenset({"stand"})  # a turn ends here when all dice are kept (TA2)


def parse(do: str, fields: Mapping[str, Any]) -> Open | Throw | Keep | SharedCommand:
    """:raises Refused: if threes away has no such command, or the command no such field."""
    at = fields.get("occurred_at")
    match do:
        case "open":
            return Open(**parsing.opening(fields, *OPEN_FIELDS, game=GAME))
        case "throw":
            return Throw(
                **only(fields, "player", "dice", "keep", "bottoms", do=do, game=GAME), at=at
            )
        case "keep":
            return Keep(**only(fields, "player", "dice", do=do, game=GAME))
        case _:
            return parsing.read_shared(do, fields, game=GAME, without=WITHOUT)


# The command that led to each event of threes away.


def command_of(fact: Fact) -> Any | None:
    return parsing.fields_of(fact, COMMANDS)


COMMANDS: Final[Mapping[type[Fact], Callable[[Any], Any]]] = {
    GameOpened: lambda fact: parsing.opening_command(Open, fact),
    DiceThrown: lambda fact: Throw(fact.player, fact.dice, fact.keep, fact.bottoms),
    DiceKept: lambda fact: Keep(fact.player, fact.dice),
    PlayerLeft: lambda fact: Leave(fact.player),
    RolloverArrived: lambda fact: Arrive(fact.amount),
}
