"""
Commands, events and options of Cinnabar Gate, and how its commands are read.
Events are stored for ever.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from games import parsing
from games.commands import BringMoney, CashOut, Close, Join, Leave, NoThrow, Stand
from games.dice import Dice
from games.fees import Fee
from games.kinds import COINS, UNITS
from games.messages import BuyIn, Consequence, Fact, GameEnd, Points, RoundEnd
from games.parsing import SharedCommand, only
from games.payments import Payment
from games.seats import Opening, Seat, bought_in
from games.stone import HandName, Homes, Policy, Runs

# The house options of Cinnabar Gate stone hand, fixed by the opening.


RANGES: Final = {"junk_rethrows": range(100), "pay_cap": COINS, "unit": UNITS}


@dataclass(frozen=True, slots=True)
class Options:
    variant: Literal["table", "pool", "arcade"] = "table"
    runs: Runs = "wrap"
    homes: Homes = "house"
    pay_lowering: Literal["to_score", "by_one"] = "to_score"
    junk_order: Literal["low", "high"] = "low"
    pair_value: bool = False
    junk_rethrows: int = 3
    pay_cap: int | Literal["none"] = "none"
    empty: Literal["only", "also"] = "only"
    ties: Literal["rethrow", "split"] = "rethrow"
    winnings: Literal["stake", "pocket"] = "stake"
    opal: Literal[0, 1, 2] = 0
    arcade_points: Literal["pay", 1] = "pay"
    unit: int = 1


DEFAULTS: Final = Options()

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


# Cinnabar Gate's commands, from the fields that games.vocabulary has read.


GAME: Final = "cinnabar-gate"
OPEN_FIELDS: Final = (
    "players",
    "stake",
    "options",
    "home_throw",
    "home_throw_policy",
    "first",
    "fee",
)


def parse(do: str, fields: Mapping[str, Any]) -> Open | Throw | ThrowHome | SharedCommand:
    """:raises Refused: if Cinnabar Gate has no such command, or the command no such field."""
    at = fields.get("occurred_at")
    match do:
        case "open":
            return Open(**parsing.opening(fields, *OPEN_FIELDS, game=GAME))
        case "throw":
            return Throw(**only(fields, "player", "dice", do=do, game=GAME), at=at)
        case "throw_home":
            return ThrowHome(**only(fields, "dice", do=do, game=GAME))
        case _:
            return parsing.read_shared(do, fields, game=GAME)


# The command that led to each event of Cinnabar Gate.


def command_of(fact: Fact) -> Any | None:
    return parsing.fields_of(fact, COMMANDS)


def opening(fact: GameOpened) -> Open:
    ours = fact.homes[0] if fact.options.homes == "house" and fact.homes else None
    return parsing.opening_command(Open, fact, home_throw=ours)


COMMANDS: Final[Mapping[type[Fact], Callable[[Any], Any]]] = {
    GameOpened: opening,
    HomeDiceThrown: lambda fact: ThrowHome(fact.dice),
    DiceThrown: lambda fact: Throw(fact.player, fact.dice),
    HandTaken: lambda fact: Stand(fact.player),
    PlayerLeft: lambda fact: Leave(fact.player),
}
