"""
Commands, events and options of dice breaker, and how its commands are read.
Events are stored for ever.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal

from games import parsing
from games.commands import BringMoney, CashOut, Close, Join, Leave, NoThrow, Stand
from games.dice import Dice
from games.dice_breaker.hands import HandName, TieBy
from games.fees import Fee
from games.messages import BuyIn, Consequence, Decision, Fact, GameEnd, Points, RoundEnd
from games.parsing import SharedCommand, only
from games.payments import Payment
from games.seats import Opening, Seat, bought_in

Place = Literal["arena", "out", "caught", "corner"]
Scores = tuple[tuple[str, Fraction], ...]


@dataclass(frozen=True, slots=True)
class Options:
    mode: Literal["quick", "battle"] = "quick"
    tie_by: TieBy = "category"
    target: int = 33
    ante: int = 0
    scoreboard: bool = False
    unit: int = 1


@dataclass(frozen=True, slots=True)
class Open(Opening):
    """The command that opens a game. The table's limits are those of the ante here (G10)."""


@dataclass(frozen=True, slots=True)
class BreakStart:
    player: str
    value: int


@dataclass(frozen=True, slots=True)
class Broken:
    """A die that was hit, and the face it came to rest on."""

    die: str
    value: int


@dataclass(frozen=True, slots=True)
class Caught:
    die: str
    by: str


@dataclass(frozen=True, slots=True)
class Throw:
    """
    :param die: the name of the die: the owner's with a digit from 1 to 5, `trump`, `latent1` to
        `latent4`.
    :param value: the face seen; it does not matter for a die that leaves the arena.
    :param spinning: whether a die spins on a stable vertical axis, so that latent dice may be
        thrown (DB10).
    """

    player: str
    die: str
    value: int | None = None
    breaks: tuple[Broken, ...] = ()
    out: tuple[str, ...] = ()
    caught: tuple[Caught, ...] = ()
    spinning: bool = False
    at: int | None = None


Command = (
    Open | BreakStart | Throw | Stand | NoThrow | Join | Leave | BringMoney | CashOut | Close
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class GameOpened(Fact):
    """
    A game was opened. `first` None: the starting die decides who starts (DB1); fee None: there is
    none.
    """

    rules_version: int
    players: tuple[Seat, ...]
    first: str | None = None
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
class AntesPaid(Consequence):
    """
    Antes go into the pot, once a game, from the players at the opening and from who joins later
    (DB11, G1).
    """

    payments: tuple[Payment, ...]


@dataclass(frozen=True, slots=True)
class StartBroken(Fact):
    """A player broke the starting die (DB1); `value`: its new face."""

    player: str
    value: int

    @property
    def is_throw(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class StartTied(Consequence):
    """These players broke to the same lowest face and break again (DB1)."""

    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StartSettled(Consequence):
    """The player who starts the game is settled (DB1)."""

    player: str


@dataclass(frozen=True, slots=True)
class DieThrown(Fact):
    """
    :param value: the face that the die shows; None: it left the arena.
    :param lies: where the die is after the throw (`place` is the house's word for table and dice).
    :param hand: what the thrower's dice make after the throw.
    :param out: the dice that left the arena for the rest of the round, in the order recorded.
    """

    player: str
    die: str
    value: int | None
    lies: Place
    hand: HandName
    breaks: tuple[Broken, ...] = ()
    out: tuple[str, ...] = ()
    caught: tuple[Caught, ...] = ()
    spinning: bool = False

    @property
    def is_throw(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class DieRested(Decision):
    """The last die thrown has stopped spinning (DB10); no latent die is thrown at it any more."""

    player: str


@dataclass(frozen=True, slots=True)
class FinalHand:
    """The hand of a player at the end of a round: the dice that counted, and what they made."""

    player: str
    hand: HandName
    dice: Dice


@dataclass(frozen=True, slots=True)
class RoundScored(RoundEnd):
    """
    :param winners: who has the highest hand, in turn order; none: nobody made a hand (DB5).
    :param scores: what each of them scores.
    :param first: who throws first in the next round (DB7).
    :param play_off: who alone play on, being equal at the target or above (DB6); none: everybody.
    :param counted: whether the scores count on the house's scoreboard, too (DB5, SB1).
    """

    round: int
    hands: tuple[FinalHand, ...]
    winners: tuple[str, ...]
    first: str
    scores: Scores = ()
    play_off: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    counted: bool = False

    @property
    def points(self) -> Points:
        return self.scores if self.counted else ()


@dataclass(frozen=True, slots=True)
class RoundVoided(RoundEnd):
    round: int
    payments: tuple[Payment, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerLeft(Fact):
    """A player left. `first`: who now throws first in the coming round; None: not known (DB1)."""

    player: str
    first: str | None
    payments: tuple[Payment, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GameEnded(GameEnd):
    """The game is over. `winners` share the pot; none: nobody won. `round`: the last round."""

    round: int
    winners: tuple[str, ...] = ()
    payments: tuple[Payment, ...] = ()
    rules: tuple[str, ...] = ()


# The commands of dice breaker, from the fields that games.vocabulary has read.


GAME: Final = "dice-breaker"
OPEN_FIELDS: Final = ("players", "stake", "options", "first", "fee")
THROW_FIELDS: Final = ("player", "die", "value", "breaks", "out", "caught", "spinning")


def parse(do: str, fields: Mapping[str, Any]) -> Open | BreakStart | Throw | SharedCommand:
    """:raises Refused: if dice breaker has no such command, or the command no such field."""
    at = fields.get("occurred_at")
    match do:
        case "open":
            return Open(**parsing.opening(fields, *OPEN_FIELDS, game=GAME))
        case "break_start":
            return BreakStart(**only(fields, "player", "value", do=do, game=GAME))
        case "throw":
            own = only(fields, *THROW_FIELDS, do=do, game=GAME)
            own["breaks"] = tuple(Broken(**each) for each in own.get("breaks", ()))
            own["caught"] = tuple(Caught(**each) for each in own.get("caught", ()))
            return Throw(**own, at=at)
        case _:
            return parsing.read_shared(do, fields, game=GAME)


# The command that led to each event of dice breaker.


def command_of(fact: Fact) -> Any | None:
    return parsing.fields_of(fact, COMMANDS)


def read_throw(fact: DieThrown) -> Throw:
    return Throw(
        player=fact.player,
        die=fact.die,
        value=fact.value,
        breaks=fact.breaks,
        out=fact.out,
        caught=fact.caught,
        spinning=fact.spinning,
    )


COMMANDS: Final[Mapping[type[Fact], Callable[[Any], Any]]] = {
    GameOpened: lambda fact: parsing.opening_command(Open, fact),
    StartBroken: lambda fact: BreakStart(fact.player, fact.value),
    DieThrown: read_throw,
    DieRested: lambda fact: Stand(fact.player),
    PlayerLeft: lambda fact: Leave(fact.player),
}
