"""The state of a game of River between two commands."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from games.dice import Dice
from games.payments import Payment
from games.river.hands import SIZES, Hand
from games.river.messages import BySize, GameOpened

NOTHING_WON: Final[BySize] = (None,) * len(SIZES)

Phase = Literal["between", "sealing", "offering", "bidding", "revealing", "rolling"]


@dataclass(frozen=True, slots=True)
class Unopened:
    pass


@dataclass(frozen=True, slots=True)
class Hidden:
    """Sealed dice that nobody has seen, and the dice won that may replace some of them."""

    player: str
    commitment: str | None
    won: BySize


@dataclass(frozen=True, slots=True)
class OpenBid:
    """A bid, which stands until the hammer falls."""

    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class Lot:
    """
    The die under the hammer.

    :param bids: lowest first; the last one is the highest.
    :param passed: who is out of the bidding for it.
    """

    bids: tuple[OpenBid, ...] = ()
    passed: tuple[str, ...] = ()

    @property
    def highest(self) -> OpenBid | None:
        return self.bids[-1] if self.bids else None


@dataclass(frozen=True, slots=True)
class Round:
    """
    The running round.

    :param players: who is in it, in seat order, without those who have left.
    :param staked: what was paid into the pot in this round.
    :param sealed: who has thrown and hidden their dice, with the commitment if they gave one.
    :param offer: the banker's dice; empty until they are thrown.
    :param hammered: how many lots are sold or withdrawn.
    :param won: by player, the face of each die won.
    :param tied: who throws for the pot (RV6); `rolled`: what each has thrown.
    :param gone: the sealed dice of those who have left.
    """

    number: int
    price: int
    players: tuple[str, ...]
    staked: tuple[Payment, ...]
    sealed: Mapping[str, str | None] = field(default_factory=dict)
    offer: Dice = ()
    hammered: int = 0
    lot: Lot = Lot()
    won: Mapping[str, BySize] = field(default_factory=dict)
    revealed: Mapping[str, Hand] = field(default_factory=dict)
    tied: tuple[str, ...] = ()
    rolled: tuple[tuple[str, int], ...] = ()
    seat_fees: tuple[Payment, ...] = ()
    gone: tuple[Hidden, ...] = ()

    @property
    def begun(self) -> bool:
        """Whether something was thrown: then nobody joins, and who leaves forfeits (G1, RV7)."""
        return bool(self.sealed)

    @property
    def unsealed(self) -> tuple[str, ...]:
        return tuple(name for name in self.players if name not in self.sealed)

    @property
    def unrevealed(self) -> tuple[str, ...]:
        return tuple(name for name in self.players if name not in self.revealed)

    @property
    def die(self) -> str:
        """The size of the die that is under the hammer."""
        return SIZES[self.hammered]


@dataclass(frozen=True, slots=True)
class Playing:
    """
    A game that is running.

    :param seats: everybody who ever sat down, in order; `left`: those of them who have left.
    :param number: the number of the running round, or of the next.
    :param hidden: sealed dice of the last round that may still be recorded (RV2).
    """

    opened: GameOpened
    seats: tuple[str, ...]
    stakes: Mapping[str, int]
    number: int = 1
    round: Round | None = None
    pot: int = 0
    left: tuple[str, ...] = ()
    hidden: tuple[Hidden, ...] = ()
    charged_at: int | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    opened: GameOpened
    stakes: Mapping[str, int]
    round: int
    pot: int = 0
    left: tuple[str, ...] = ()


State = Unopened | Playing | Ended


def here(state: Playing) -> tuple[str, ...]:
    return tuple(name for name in state.seats if name not in state.left)


def buyers(state: Playing, price: int) -> tuple[str, ...]:
    """The players who can pay for five dice (RV1)."""
    return tuple(name for name in here(state) if state.stakes[name] >= price)


def phase(state: Playing) -> Phase:
    this = state.round
    if this is None:
        return "between"
    if this.unsealed:
        return "sealing"
    if not this.offer:
        return "offering"
    if this.hammered < len(SIZES):
        return "bidding"
    return "rolling" if this.tied else "revealing"


def hidden(this: Round) -> tuple[Hidden, ...]:
    """The sealed dice that nobody has seen so far."""
    return this.gone + tuple(
        Hidden(name, this.sealed[name], this.won.get(name, NOTHING_WON))
        for name in this.unrevealed
        if name in this.sealed
    )


def rolling(this: Round) -> tuple[str, ...]:
    """Who throws next in a roll-off: the tied players throw one after the other, in seat order."""
    return this.tied[len(this.rolled) :][:1]
