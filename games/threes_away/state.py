"""The state of a game of threes away between two commands."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from games.dice import Dice
from games.payments import Payment
from games.seats import clockwise
from games.threes_away.hands import DICE
from games.threes_away.messages import GameOpened


@dataclass(frozen=True, slots=True)
class Unopened:
    pass


@dataclass(frozen=True, slots=True)
class Coming:
    """
    A round that is to start as soon as two can ante (TA1).

    :param first: who begins it; if that player is not in it, the next seat does.
    :param step: the number of the round since the pot was last won (TA7).
    :param among: who alone throw in it, in a play-off (TA6); empty: everybody.
    :param waiting: who watches the play-off, and antes.
    :param free: who is in it without another ante.
    :param ante_rule: why the others ante: TA5 after a tie, TA6 before a play-off, TA7 after a
        rollover.
    """

    number: int
    first: str
    step: int = 1
    among: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    ante_rule: str = "TA1"


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn. `kept` and `thrown` are faces on top; of `thrown` nothing has been kept yet."""

    kept: Dice = ()
    total: int = 0
    thrown: Dice = ()
    bottoms: bool = False

    @property
    def dice(self) -> int:
        """How many dice are thrown now."""
        return DICE - len(self.kept)


@dataclass(frozen=True, slots=True)
class Done:
    player: str
    total: int
    bust: bool


@dataclass(frozen=True, slots=True)
class Running:
    """
    A round that is running.

    :param coming: the round as it was before the antes.
    :param waiting: who is in the game and watches.
    :param staked: what players paid into the pot in this round.
    :param begun: whether something was thrown: then nobody comes or leaves any more (G1).
    """

    coming: Coming
    order: tuple[str, ...]
    waiting: tuple[str, ...] = ()
    limit: int | None = None
    staked: tuple[Payment, ...] = ()
    begun: bool = False
    turn: Turn = Turn()
    done: tuple[Done, ...] = ()
    seat_fees: tuple[Payment, ...] = ()

    @property
    def number(self) -> int:
        return self.coming.number

    @property
    def members(self) -> tuple[str, ...]:
        """All players of the game (TA4), those who watch included."""
        return self.order + self.waiting

    @property
    def thrown(self) -> bool:
        """Whether every turn has ended, so that the result of the round comes next."""
        return len(self.done) == len(self.order)

    @property
    def thrower(self) -> str:
        """Whose turn it is, in a round that is not `thrown`."""
        return self.order[len(self.done)]


@dataclass(frozen=True, slots=True)
class Playing:
    """
    A game that is running.

    :param seats: everybody who ever sat down, in order; `left`: those of them who have left.
    :param awaited: coins of the house's rollover that are still to arrive (TA10).
    """

    opened: GameOpened
    seats: tuple[str, ...]
    stakes: Mapping[str, int]
    round: Coming | Running
    pot: int = 0
    awaited: int = 0
    left: tuple[str, ...] = ()
    charged_at: int | None = None

    @property
    def ante(self) -> int:
        """The coins of an ante (TA1, G11)."""
        return self.opened.options.ante * self.opened.options.unit


@dataclass(frozen=True, slots=True)
class Ended:
    opened: GameOpened
    stakes: Mapping[str, int]
    round: int
    pot: int = 0
    awaited: int = 0
    out: tuple[str, ...] = ()


State = Unopened | Playing | Ended


def in_order(state: Playing, first: str, among: Iterable[str]) -> tuple[str, ...]:
    """
    The players `among`, clockwise from `first`'s seat on (G1), whether `first` is one of them or
    not.
    """
    return clockwise(state.seats, first, among)


def here(state: Playing) -> tuple[str, ...]:
    return tuple(name for name in state.seats if name not in state.left)


def in_game(state: Playing, player: str) -> bool:
    """Whether a player is in the running round, or can ante for the next (TA10)."""
    if player in state.left:
        return False
    this = state.round
    already = this.members if isinstance(this, Running) else this.free
    return player in already or state.stakes[player] >= state.ante


def out(state: Playing) -> tuple[str, ...]:
    """Who is out (TA10): those who have left, and those who wait for money."""
    return tuple(name for name in state.seats if not in_game(state, name))
