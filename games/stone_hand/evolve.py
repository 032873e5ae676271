"""How recorded events change the state of stone hand, without judging them again."""

from dataclasses import replace

from games.fees import returnable
from games.messages import CashedOut, Fact
from games.payments import POT, Payment, balance, move
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
from games.stone_hand.state import (
    Ended,
    PlayerHand,
    Playing,
    Round,
    State,
    Unopened,
    in_order,
    new_round,
)


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
