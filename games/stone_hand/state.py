"""The state of a game of stone hand between two commands."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from games.dice import Dice
from games.payments import Payment
from games.seats import clockwise
from games.stone import Hand
from games.stone_hand.messages import GameOpened


@dataclass(frozen=True, slots=True)
class Unopened:
    pass


@dataclass(frozen=True, slots=True)
class PlayerHand:
    """A player's hand so far. `hand` None: the dice must be thrown (SH2)."""

    player: str
    hand: Hand | None
    again: int = 0


@dataclass(frozen=True, slots=True)
class Round:
    """
    The running round.

    :param first: who began the round; after a restart `order[0]` throws first.
    :param begun: whether something was thrown: then nobody leaves any more (G1).
    :param deciding: whether the last of `standing` may throw again or stand (SH11).
    :param tied: who throws again to name the loser (SH5).
    """

    number: int
    first: str
    order: tuple[str, ...]
    sitting: tuple[str, ...] = ()
    standing: tuple[PlayerHand, ...] = ()
    begun: bool = False
    deciding: bool = False
    tied: tuple[str, ...] = ()
    tie_throws: tuple[PlayerHand, ...] = ()
    seat_fees: tuple[Payment, ...] = ()


@dataclass(frozen=True, slots=True)
class Playing:
    """A running game. `homes` None: the attendant is still throwing for the home throw (H2)."""

    opened: GameOpened
    stakes: Mapping[str, int]
    playing: tuple[str, ...]
    round: Round
    homes: tuple[Dice, ...] | None
    pot: int = 0
    out: tuple[str, ...] = ()
    charged_at: int | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    opened: GameOpened
    stakes: Mapping[str, int]
    homes: tuple[Dice, ...]
    round: int
    pot: int = 0
    out: tuple[str, ...] = ()
    winners: tuple[str, ...] = ()


State = Unopened | Playing | Ended


def seats(state: Playing | Ended) -> tuple[str, ...]:
    return tuple(seat.name for seat in state.opened.players)


def in_order(state: Playing, first: str, among: tuple[str, ...]) -> tuple[str, ...]:
    """
    The players `among`, clockwise from `first`'s seat on (G1), whether `first` is one of them or
    not.
    """
    return clockwise(seats(state), first, among)


def throwing(state: Playing) -> tuple[str, ...]:
    """Who may throw now: one, or two where a hand may be thrown again or left standing (SH11)."""
    this = state.round
    if state.homes is None:
        return ()
    if this.tied:
        return this.tied[len(this.tie_throws) :][:1]
    upcoming = this.order[len(this.standing) :][:1]
    if not this.standing:
        return upcoming
    last = this.standing[-1]
    if last.hand is None:
        return (last.player,)
    return (last.player, *upcoming) if this.deciding else upcoming


def new_round(state: Playing, number: int, first: str) -> Playing:
    order = in_order(state, first, state.playing)
    return replace(state, round=Round(number, first, order))
