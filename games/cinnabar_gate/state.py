"""The state of a game of Cinnabar Gate between two commands."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from games.cinnabar_gate.hands import PAY_AT_START
from games.cinnabar_gate.messages import End, GameOpened
from games.dice import Dice
from games.payments import Payment
from games.seats import clockwise
from games.stone import Hand


@dataclass(frozen=True, slots=True)
class Unopened:
    pass


@dataclass(frozen=True, slots=True)
class Turn:
    """
    A turn whose hand is not taken yet.

    :param hand: None: it is a show-up, and the dice must be thrown again (CG5).
    :param junk: how many junk chances were used; `again`: how many chances of CG10.
    """

    player: str
    hand: Hand | None
    junk: int = 0
    again: int = 0


@dataclass(frozen=True, slots=True)
class Taken:
    player: str
    hand: Hand


@dataclass(frozen=True, slots=True)
class Tie:
    """
    A tie that is thrown out (CG7).

    :param throws: one throw of each player who has thrown again so far.
    :param best: who is best already; `by_throws`: whether a tie of their own settled it.
    """

    end: End
    players: tuple[str, ...]
    throws: tuple[Taken, ...] = ()
    best: tuple[str, ...] = ()
    by_throws: bool = False

    @property
    def decided(self) -> bool:
        """Whether tie throws settle the tie: in one that all but one have left they do not."""
        return self.by_throws or len(self.players) > 1

    @property
    def waiting(self) -> tuple[str, ...]:
        return self.players[len(self.throws) :]


@dataclass(frozen=True, slots=True)
class Round:
    """
    The running round.

    :param first: who began the round; after a restart `order[0]` throws first.
    :param waiting: who has not begun to throw, the next one first.
    :param turn: the turn whose hand is not taken yet.
    :param leader: who threw first, and how often again under CG10: nobody may do so more often.
    :param sitting: who threw home in a pool and sits out (CG11).
    :param left: who left after the round had begun: they count as the worst (CG1).
    """

    number: int
    first: str
    order: tuple[str, ...]
    waiting: tuple[str, ...]
    pay: int = PAY_AT_START
    turn: Turn | None = None
    taken: tuple[Taken, ...] = ()
    leader: tuple[str, int] | None = None
    tie: Tie | None = None
    sitting: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    begun: bool = False
    seat_fees: tuple[Payment, ...] = ()


@dataclass(frozen=True, slots=True)
class Playing:
    """
    A game that is running.

    :param seats: everybody who ever sat down, in order.
    :param stakes: all that players have at the table; `pockets`: the part of it that was won and
        put aside, and is not played any more (CG8).
    :param away: who has left; `out`: they, and those who have nothing left to play with.
    :param homes: None: the attendant is still throwing for the home throw (H2).
    """

    opened: GameOpened
    seats: tuple[str, ...]
    stakes: Mapping[str, int]
    playing: tuple[str, ...]
    round: Round
    homes: tuple[Dice, ...] | None
    pot: int = 0
    pockets: Mapping[str, int] = field(default_factory=dict)
    away: tuple[str, ...] = ()
    out: tuple[str, ...] = ()
    charged_at: int | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    opened: GameOpened
    seats: tuple[str, ...]
    stakes: Mapping[str, int]
    homes: tuple[Dice, ...]
    round: int
    pot: int = 0
    pockets: Mapping[str, int] = field(default_factory=dict)
    out: tuple[str, ...] = ()
    winners: tuple[str, ...] = ()


State = Unopened | Playing | Ended


def in_order(state: Playing, among: Iterable[str], first: str | None = None) -> tuple[str, ...]:
    """Players clockwise from the running round's first thrower, or from `first` (G1)."""
    return clockwise(state.seats, first or state.round.order[0], among)


def playable(state: Playing, player: str) -> int:
    """What a player has to play with: the stake without what was pocketed (CG8)."""
    return state.stakes[player] - state.pockets.get(player, 0)


def throwing(state: Playing) -> tuple[str, ...]:
    """Who may throw now: one player, or two where a hand may be thrown again or left standing."""
    this = state.round
    if state.homes is None:
        return ()
    if this.tie is not None:
        return this.tie.waiting[:1]
    if this.turn is None:
        return this.waiting[:1]
    alone = this.turn.hand is None or decides_at_once(state, this.turn.hand)
    return (this.turn.player,) if alone else (this.turn.player, *this.waiting[:1])


def decides_at_once(state: Playing, hand: Hand) -> bool:
    """Whether a hand decides as soon as it is taken: home throw and empty do in a pool (CG11)."""
    return state.opened.options.variant == "pool" and hand.name in {"home", "empty"}


def deciding(state: Playing) -> Turn | None:
    """The turn whose hand may be thrown again or stand."""
    turn = state.round.turn
    return turn if turn is not None and turn.hand is not None else None


def in_round(state: Playing, player: str) -> bool:
    """Whether a player is still at the table, or has left a round that is not settled yet (CG1)."""
    return player in state.playing or player in state.round.left
