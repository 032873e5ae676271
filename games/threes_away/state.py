"""What a game of threes away is, between two commands."""

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
    A round that is to start, as soon as two can ante (TA1).

    :param first: who begins it, or the next seat of those in it.
    :param step: which round it is since the pot was won last (TA7).
    :param among: who alone throw in it, a play-off (TA6); empty: everybody.
    :param waiting: who watches the play-off, and antes.
    :param free: who is in it without another ante.
    """

    number: int
    first: str
    step: int = 1
    among: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    free: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """`kept` and `thrown` are faces on top; `thrown` waits for what is kept of it."""

    kept: Dice = ()
    total: int = 0
    thrown: Dice = ()
    bottoms: bool = False

    @property
    def dice(self) -> int:
        """How many are thrown now."""
        return DICE - len(self.kept)


@dataclass(frozen=True, slots=True)
class Done:
    player: str
    total: int
    bust: bool


@dataclass(frozen=True, slots=True)
class Running:
    """
    :param coming: the round as it was before the antes.
    :param waiting: who is in the game, and watches.
    :param staked: what players paid into the pot in this round.
    :param begun: something was thrown: nobody comes or leaves any more (G1).
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
        """TA4: all players of the game, those who watch among them."""
        return self.order + self.waiting

    @property
    def thrown(self) -> bool:
        """Every turn has ended: what the round came to is the next thing that happens."""
        return len(self.done) == len(self.order)

    @property
    def thrower(self) -> str:
        """Whose turn it is, in a round that is not `thrown`."""
        return self.order[len(self.done)]


@dataclass(frozen=True, slots=True)
class Playing:
    """
    :param seats: everybody who ever sat down, in order; `left`: who of them are gone.
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
    """G1: clockwise from `first`'s seat, whether `first` is among them or not."""
    return clockwise(state.seats, first, among)


def here(state: Playing) -> tuple[str, ...]:
    return tuple(name for name in state.seats if name not in state.left)


def in_game(state: Playing, player: str) -> bool:
    """TA10: in the running round, or able to ante for the next."""
    if player in state.left:
        return False
    this = state.round
    already = this.members if isinstance(this, Running) else this.free
    return player in already or state.stakes[player] >= state.opened.options.ante


def out(state: Playing) -> tuple[str, ...]:
    """TA10: who has left, and who waits for money."""
    return tuple(name for name in state.seats if not in_game(state, name))
