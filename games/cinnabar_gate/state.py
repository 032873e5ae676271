"""What a game of Cinnabar Gate stone hand is, between two commands."""

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
    :param hand: None: a show-up, the dice must be thrown again (CG5).
    :param junk: junk chances used; `again`: chances of CG10 used.
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
    CG7.

    :param throws: one of each that has thrown again so far.
    :param best: settled already; `by_throws`: in a tie of their own.
    """

    end: End
    players: tuple[str, ...]
    throws: tuple[Taken, ...] = ()
    best: tuple[str, ...] = ()
    by_throws: bool = False

    @property
    def decided(self) -> bool:
        """Tie throws had a say: in a tie that all but one have left they had none."""
        return self.by_throws or len(self.players) > 1

    @property
    def waiting(self) -> tuple[str, ...]:
        return self.players[len(self.throws) :]


@dataclass(frozen=True, slots=True)
class Round:
    """
    :param first: who began it; after a restart `order[0]` throws first.
    :param waiting: who has not begun to throw, the next one first.
    :param turn: whose hand is not taken yet.
    :param leader: who threw first, and how often again under CG10: nobody may do so more often.
    :param sitting: who threw home in a pool and sits out (CG11).
    :param left: who went away after the round had begun: they count as the worst (CG1).
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
    :param seats: everybody who ever sat down, in order.
    :param stakes: all that is a player's at the table; `pockets`: what of it was won and put
        aside, and is not played any more (CG8).
    :param away: who has left; `out`: they, and who has nothing left to play with.
    :param homes: None: the attendant is still throwing for it (H2).
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
    """G1: clockwise from the running round's first thrower, or from `first`."""
    return clockwise(state.seats, first or state.round.order[0], among)


def playable(state: Playing, player: str) -> int:
    """What a player has to play with: the stake without what was pocketed (CG8)."""
    return state.stakes[player] - state.pockets.get(player, 0)


def throwing(state: Playing) -> tuple[str, ...]:
    """Who may throw now: one, or two where a hand may be thrown again or left standing."""
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
    """CG11: in a pool home throw and empty do not wait for the others once they are taken."""
    return state.opened.options.variant == "pool" and hand.name in {"home", "empty"}


def deciding(state: Playing) -> Turn | None:
    """The turn whose hand may be thrown again or stand."""
    turn = state.round.turn
    return turn if turn is not None and turn.hand is not None else None


def in_round(state: Playing, player: str) -> bool:
    """Still at the table, or gone from a round that is not settled yet (CG1)."""
    return player in state.playing or player in state.round.left
