"""
Commands, events and options of stone hand, and how its commands are read.
Events are stored for ever.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from games import parsing
from games.commands import CashOut, Close, Leave, NoThrow, Stand
from games.dice import Dice
from games.fees import Fee
from games.messages import BuyIn, Consequence, Fact, GameEnd, Points, RoundEnd
from games.parsing import SharedCommand, only
from games.payments import Payment
from games.refusals import NoBuyingIn, Refused
from games.seats import Opening, Seat, bought_in
from games.stone import HandName, Homes, Policy, Runs


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
    unit: int = 1


@dataclass(frozen=True, slots=True)
class Open(Opening):
    """
    The command that opens a game. `home_override`: whether the house has overridden H1 for its home
    throw; the house fills it in.
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


Command = Open | ThrowHome | Throw | Stand | NoThrow | Leave | CashOut | Close


@dataclass(frozen=True, slots=True)
class GameOpened(Fact):
    """
    A game was opened. `players` have their stakes; `homes` are in force, sorted; fee None: there is
    none.
    """

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
    :param open: whether the player may throw again or stand.
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
    """A hand that might have been thrown again stands (SH11); `implied`: by the next throw."""

    player: str
    implied: bool = False

    @property
    def consequence(self) -> bool:
        return self.implied

    @property
    def is_decision(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class FeeTaken(Consequence):
    """
    A fee that players pay with a round's first throw; `through`: the time up to which a time charge
    is now paid.
    """

    payments: tuple[Payment, ...] = ()
    through: int | None = None


@dataclass(frozen=True, slots=True)
class RoundRestarted(Consequence):
    """A round starts again (SH7): `player` sits out, the others throw anew in this order."""

    player: str
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TieCalled(Consequence):
    """These players throw again to name the loser (SH5)."""

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
    """
    The game is over. `winners` won or share the pool; none if there was no pool or the table was
    closed. `round`: the last round.
    """

    round: int
    winners: tuple[str, ...] = ()
    payments: tuple[Payment, ...] = ()
    rules: tuple[str, ...] = ()


# Stone hand's commands, from the fields that games.vocabulary has read.


GAME: Final = "stone-hand"
OPEN_FIELDS: Final = (
    "players",
    "stake",
    "options",
    "home_throw",
    "home_throw_policy",
    "first",
    "fee",
)


class NoJoining(Refused):
    code = "no_joining"


def parse(do: str, fields: Mapping[str, Any]) -> Open | Throw | ThrowHome | SharedCommand:
    """:raises Refused: if stone hand has no such command, or the command no such field."""
    at = fields.get("occurred_at")
    match do:
        case "open":
            return Open(**parsing.opening(fields, *OPEN_FIELDS, game=GAME))
        case "throw":
            return Throw(**only(fields, "player", "dice", do=do, game=GAME), at=at)
        case "throw_home":
            return ThrowHome(**only(fields, "dice", do=do, game=GAME))
        case "join":
            raise NoJoining(f"player: {fields['player']} cannot join later. SH1")
        case "buy_in":
            raise NoBuyingIn(f"player: {fields['player']} staked at the opening; no more. SH1")
        case _:
            return parsing.read_shared(do, fields, game=GAME)


# The command that led to each event of stone hand.


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
    TableClosed: lambda fact: Close(fact.reason),
}
