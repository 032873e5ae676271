"""The state of a game of stone hand between two commands."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from games.dice import Dice
from games.fees import returnable
from games.messages import CashedOut, Fact
from games.payments import POT, Payment, balance, move
from games.seats import clockwise
from games.stone import Hand
from games.stone_hand.hands import hand_on_record
from games.stone_hand.messages import (
    DiceThrown,
    FeeTaken,
    GameEnded,
    GameOpened,
    HandTaken,
    HomeThrowSettled,
    PlayerLeft,
    RoundLost,
    RoundRestarted,
    RoundVoided,
    TieCalled,
)


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


# How recorded events change the state of stone hand, without judging them again.


def evolve(state: State, event: Fact) -> State:
    match state, event:
        case Unopened(), GameOpened():
            return begin(event)
        case Playing() | Ended(), CashedOut(player=player, amount=amount):
            stakes = {**state.stakes, player: state.stakes[player] - amount}
            return replace(state, stakes=stakes)
        case Playing(), DiceThrown():
            return replace(state, round=add_throw(state.round, event))
        case Playing(), _:
            return play(state, event)
        case _:
            return state


def begin(event: GameOpened) -> Playing:
    names = tuple(seat.name for seat in event.players)
    sought = event.home_throw_policy == "attendant"
    state = Playing(
        opened=event,
        stakes={seat.name: seat.stake or 0 for seat in event.players},
        playing=names,
        round=Round(1, event.first, ()),
        homes=None if sought else event.homes,
        charged_at=event.at,
    )
    return new_round(state, 1, event.first)


def play(state: Playing, event: Fact) -> State:
    match event:
        case HomeThrowSettled(home=home):
            return replace(state, homes=(home,))
        case FeeTaken():
            return charge(state, event)
        case PlayerLeft(player=player, first=first):
            left = without(pay(state, event.payments), (player,))
            return new_round(left, state.round.number, first)
        case (
            RoundLost(round=number, first=first, out=out)
            | RoundVoided(round=number, first=first, out=out)
        ):
            return new_round(without(pay(state, event.payments), out), number + 1, first)
        case GameEnded():
            return end(pay(state, event.payments), event)
        case _:
            return replace(state, round=went_on(state.round, event))


def went_on(this: Round, event: Fact) -> Round:
    match event:
        case HandTaken(implied=False):
            return replace(this, deciding=False)
        case RoundRestarted(player=player, order=order):
            seated = (*this.sitting, player)
            return replace(this, order=order, sitting=seated, standing=(), deciding=False)
        case TieCalled(players=players):
            return replace(this, tied=players, tie_throws=())
        case _:
            return this


def add_throw(this: Round, event: DiceThrown) -> Round:
    hand = hand_on_record(event)
    if this.tied:
        if hand.name == "empty":
            return this
        return replace(this, tie_throws=(*this.tie_throws, PlayerHand(event.player, hand)))
    counts = hand.score is not None
    latest = PlayerHand(event.player, hand if counts else None, event.again)
    before = this.standing
    if before and before[-1].player == event.player:
        before = before[:-1]
    return replace(this, standing=(*before, latest), begun=True, deciding=event.open)


def charge(state: Playing, event: FeeTaken) -> Playing:
    return replace(
        pay(state, event.payments),
        round=replace(state.round, seat_fees=returnable(state.opened.fee, event.payments)),
        charged_at=state.charged_at if event.through is None else event.through,
    )


def pay(state: Playing, payments: tuple[Payment, ...]) -> Playing:
    if not payments:
        return state
    return replace(
        state, stakes=move(state.stakes, payments), pot=state.pot + balance(POT, payments)
    )


def without(state: Playing, out: tuple[str, ...]) -> Playing:
    playing = tuple(name for name in state.playing if name not in out)
    return replace(state, playing=playing, out=(*state.out, *out))


def end(state: Playing, event: GameEnded) -> Ended:
    return Ended(
        opened=state.opened,
        stakes=state.stakes,
        homes=state.homes or (),
        round=event.round,
        pot=state.pot,
        out=state.out,
        winners=event.winners,
    )


def who_is_next(state: Playing, wanted: str, among: tuple[str, ...]) -> str:
    """
    Who throws first next (SH8): `wanted`, or the next seat of those still in; if nobody is,
    `wanted`.
    """
    return next(iter(in_order(state, wanted, among)), wanted)
