"""The state of a game of River between two commands."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from games.dice import Dice
from games.fees import returnable
from games.messages import BoughtIn, CashedOut, Fact, FeeTaken, PlayerJoined
from games.payments import POT, Payment, balance, move
from games.river.hands import SIZES, Hand
from games.river.messages import (
    BidMade,
    BidPassed,
    BySize,
    DiceBought,
    DiceOffered,
    DiceRevealed,
    DiceSealed,
    DieThrown,
    GameEnded,
    GameOpened,
    HandsUnseen,
    LotSold,
    LotWithdrawn,
    PlayerLeft,
    RoundStarted,
    RoundVoided,
    RoundWon,
    TieCalled,
)

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


# How recorded events change the state of River, without judging them again.


def evolve(state: State, event: Fact) -> State:
    match state, event:
        case Unopened(), GameOpened():
            return begin(event)
        case Playing() | Ended(), CashedOut(player=player, amount=amount):
            return replace(state, stakes=more(state, player, -amount))
        case Playing(), GameEnded():
            return Ended(state.opened, state.stakes, event.round, state.pot, state.left)
        case Playing(), _:
            return play(pay(state, event.payments), event)
        case _:
            return state


def begin(event: GameOpened) -> Playing:
    return Playing(
        opened=event,
        seats=tuple(seat.name for seat in event.players),
        stakes={seat.name: seat.stake or 0 for seat in event.players},
        charged_at=event.at,
    )


def play(state: Playing, event: Fact) -> Playing:
    match event:
        case BoughtIn() | PlayerJoined() | PlayerLeft():
            return seat(state, event)
        case RoundStarted() | RoundWon() | RoundVoided():
            return between(state, event)
        case HandsUnseen():
            return replace(state, hidden=())
        case DiceRevealed(player=player, late=True):
            still = tuple(each for each in state.hidden if each.player != player)
            return replace(state, hidden=still)
        case FeeTaken(through=int(through)):
            return replace(state, charged_at=through)
        case _:
            return state if state.round is None else replace(state, round=of_round(state, event))


def seat(state: Playing, event: BoughtIn | PlayerJoined | PlayerLeft) -> Playing:
    """Seat, pay in or take out a player; a newcomer sits last, and so does who comes back."""
    player = event.player
    match event:
        case BoughtIn(amount=amount):
            return replace(state, stakes=more(state, player, amount))
        case PlayerJoined(stake=stake):
            return replace(
                state,
                seats=(*_except(state.seats, player), player),
                stakes=more(state, player, stake),
                left=_except(state.left, player),
            )
        case PlayerLeft():
            return replace(state, left=(*state.left, player), round=without(state.round, player))


def between(state: Playing, event: RoundStarted | RoundWon | RoundVoided) -> Playing:
    if isinstance(event, RoundStarted):
        this = Round(event.round, event.price, event.players, event.payments)
        return replace(state, round=this)
    unseen = () if state.round is None else hidden(state.round)
    return replace(state, round=None, number=event.round + 1, hidden=unseen)


def more(state: Playing | Ended, player: str, amount: int) -> dict[str, int]:
    return {**state.stakes, player: state.stakes.get(player, 0) + amount}


def pay(state: Playing, payments: tuple[Payment, ...]) -> Playing:
    if not payments:
        return state
    return replace(
        state, stakes=move(state.stakes, payments), pot=state.pot + balance(POT, payments)
    )


def without(this: Round | None, player: str) -> Round | None:
    """
    The round without a player who leaves (RV7): the dice stay hidden, what was paid stays in the
    pot, and a bid falls.
    """
    if this is None or player not in this.players:
        return this
    left_hidden = player in this.sealed and player not in this.revealed
    own = Hidden(player, this.sealed.get(player), this.won.get(player, NOTHING_WON))
    return replace(
        this,
        players=_except(this.players, player),
        # Before the first throw the price went back, so it is not in the pot any more.
        staked=this.staked
        if this.begun
        else tuple(each for each in this.staked if each.payer != player),
        lot=Lot(
            tuple(each for each in this.lot.bids if each.player != player),
            _except(this.lot.passed, player),
        ),
        tied=_except(this.tied, player),
        rolled=tuple(each for each in this.rolled if each[0] != player),
        gone=(*this.gone, own) if left_hidden else this.gone,
    )


def of_round(state: Playing, event: Fact) -> Round | None:
    match state.round, event:
        case None, _:
            return None
        case this, DiceBought(player=player, payments=payments):
            players = tuple(name for name in state.seats if name in {*this.players, player})
            return replace(this, players=players, staked=this.staked + payments)
        case this, FeeTaken(payments=payments):
            return replace(this, seat_fees=returnable(state.opened.fee, payments))
        case this, BidMade() | BidPassed() | LotSold() | LotWithdrawn():
            return auction(this, event)
        case this, _:
            return add_throw(this, event)


def add_throw(this: Round, event: Fact) -> Round:
    match event:
        case DiceSealed(player=player, commitment=commitment):
            return replace(this, sealed={**this.sealed, player: commitment})
        case DiceOffered(dice=dice):
            return replace(this, offer=dice)
        case DiceRevealed(player=player):
            hand = Hand(event.rank, event.hand, event.values)
            return replace(this, revealed={**this.revealed, player: hand})
        case TieCalled(players=players):
            return replace(this, tied=players, rolled=())
        case DieThrown(player=player, dice=dice):
            return replace(this, rolled=(*this.rolled, (player, dice[0])))
        case _:
            return this


def auction(this: Round, event: BidMade | BidPassed | LotSold | LotWithdrawn) -> Round:
    lot = this.lot
    match event:
        case BidMade(player=player, amount=amount):
            return replace(this, lot=replace(lot, bids=(*lot.bids, OpenBid(player, amount))))
        case BidPassed(player=player):
            return replace(this, lot=replace(lot, passed=(*lot.passed, player)))
        case LotSold():
            return next_lot(replace(this, **bought(this, event)))
        case LotWithdrawn():
            return next_lot(this)


def bought(this: Round, event: LotSold) -> dict[str, Any]:
    before = this.won.get(event.player, NOTHING_WON)
    place = SIZES.index(event.die)
    own = (*before[:place], event.face, *before[place + 1 :])
    return {"staked": this.staked + event.payments, "won": {**this.won, event.player: own}}


def next_lot(this: Round) -> Round:
    """The round with the next lot under the hammer."""
    return replace(this, hammered=this.hammered + 1, lot=Lot())


def _except(names: tuple[str, ...], player: str) -> tuple[str, ...]:
    return tuple(name for name in names if name != player)
