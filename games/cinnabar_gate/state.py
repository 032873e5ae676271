"""The state of a game of Cinnabar Gate between two commands."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from games.cinnabar_gate.hands import PAY_AT_START, hand_on_record, shows_up
from games.cinnabar_gate.messages import (
    DiceThrown,
    End,
    GameEnded,
    GameOpened,
    HandTaken,
    HomeThrowSettled,
    PayMoved,
    PlayerLeft,
    RoundRestarted,
    RoundSettled,
    RoundVoided,
    TieCalled,
)
from games.dice import Dice
from games.fees import returnable
from games.messages import BoughtIn, CashedOut, Fact, FeeTaken, PlayerJoined
from games.payments import POT, Payment, balance, move
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


# How recorded events change the state of Cinnabar Gate, without judging them again.


def evolve(state: State, event: Fact) -> State:
    match state, event:
        case Unopened(), GameOpened():
            return begin(event)
        case Playing() | Ended(), CashedOut(player=player, amount=amount):
            return cash_out(state, player, amount)
        case Playing(), DiceThrown():
            return replace(state, round=add_throw(state.round, event))
        case Playing(), BoughtIn() | PlayerJoined() | PlayerLeft() | HomeThrowSettled():
            return seat(state, event)
        case Playing(), _:
            return play(state, event)
        case _:
            return state


def begin(event: GameOpened) -> Playing:
    names = tuple(seat.name for seat in event.players)
    sought = event.home_throw_policy == "attendant"
    state = Playing(
        opened=event,
        seats=names,
        stakes={seat.name: seat.stake or 0 for seat in event.players},
        playing=names,
        round=Round(1, event.first, names, names),
        homes=None if sought else event.homes,
        charged_at=event.at,
    )
    return new_round(state, 1, event.first)


def cash_out(state: Playing | Ended, player: str, amount: int) -> Playing | Ended:
    """Cash out: the coins come from the stake first, then from the pocket."""
    left_here = state.stakes[player] - amount
    pockets = dict(state.pockets)
    if player in pockets:
        pockets[player] = min(pockets[player], left_here)
    return replace(state, stakes={**state.stakes, player: left_here}, pockets=pockets)


def add_throw(this: Round, event: DiceThrown) -> Round:
    hand, player = hand_on_record(event), event.player
    if this.tie is not None:
        if shows_up(hand):
            return this
        return replace(this, tie=replace(this.tie, throws=(*this.tie.throws, Taken(player, hand))))
    leads = this.leader is None or this.leader[0] == player
    turn = Turn(player, None if shows_up(hand) else hand, event.junk, event.again)
    taken = this.taken
    if this.turn is not None and this.turn.player != player:
        taken = (*taken, *own(this.turn))
    if stands := not event.open and not shows_up(hand):
        taken = (*taken, *own(turn))
    return replace(
        this,
        begun=True,
        waiting=without(this.waiting, player),
        leader=(player, event.again) if leads else this.leader,
        turn=None if stands else turn,
        taken=taken,
    )


def own(turn: Turn) -> tuple[Taken, ...]:
    """The hand that its thrower holds once it is taken; none for a show-up."""
    return () if turn.hand is None else (Taken(turn.player, turn.hand),)


def seat(state: Playing, event: BoughtIn | PlayerJoined | PlayerLeft | HomeThrowSettled) -> Playing:
    match event:
        case HomeThrowSettled(home=home):
            return replace(state, homes=(home,))
        case PlayerJoined(player=player, stake=stake):
            seats = (*without(state.seats, player), player)
            return back(replace(state, seats=seats), player, stake)
        case BoughtIn(player=player, amount=amount):
            return back(state, player, amount)
        case PlayerLeft():
            return leave(state, event)


def back(state: Playing, player: str, brought: int) -> Playing:
    """Bring in a player's money, and with it the player, who plays (again) from this round on."""
    after = replace(
        state,
        stakes={**state.stakes, player: state.stakes.get(player, 0) + brought},
        playing=tuple(name for name in state.seats if name in {*state.playing, player}),
        away=without(state.away, player),
        out=without(state.out, player),
    )
    return new_round(after, state.round.number, state.round.first)


def leave(state: Playing, event: PlayerLeft) -> Playing:
    player, this = event.player, state.round
    gone = replace(fallen(state, (player,)), away=(*state.away, player))
    if event.first is not None:
        return new_round(gone, this.number, event.first)
    if player in this.sitting:
        return replace(gone, round=replace(this, sitting=without(this.sitting, player)))
    return replace(
        gone,
        round=replace(
            this,
            left=(*this.left, player),
            waiting=without(this.waiting, player),
            turn=None if this.turn is not None and this.turn.player == player else this.turn,
            tie=None if this.tie is None else leave_tie(this.tie, player),
        ),
    )


def leave_tie(tie: Tie, player: str) -> Tie:
    """
    A tie after a player has left: that player is the worst (CG1), which the others need not settle
    any more.
    """
    players = without(tie.players, player) if tie.end == "best" else ()
    throws = tuple(each for each in tie.throws if each.player in players)
    return replace(tie, players=players, throws=throws, best=without(tie.best, player))


def play(state: Playing, event: Fact) -> State:
    match event:
        case FeeTaken():
            return charge(state, event)
        case RoundSettled(round=number, first=first, out=out):
            return new_round(fallen(pay_winnings(state, event), out), number + 1, first)
        case RoundVoided(round=number, first=first, out=out):
            return new_round(fallen(pay(state, event.payments), out), number + 1, first)
        case GameEnded():
            return end(pay(state, event.payments), event)
        case _:
            return replace(state, round=went_on(state.round, event))


def went_on(this: Round, event: Fact) -> Round:
    match event:
        case HandTaken(implied=False) if this.turn is not None:
            return replace(this, turn=None, taken=(*this.taken, *own(this.turn)))
        case PayMoved(pay=pay):
            return replace(this, pay=pay)
        case RoundRestarted(player=player, order=order, pay=pay):
            return Round(
                number=this.number,
                first=this.first,
                order=order,
                waiting=order,
                pay=pay,
                sitting=(*this.sitting, player),
                left=this.left,
                begun=True,
                seat_fees=this.seat_fees,
            )
        case TieCalled(end=end, players=players, best=best):
            by_throws = end == "worst" and this.tie is not None and is_settled(this.tie)
            return replace(this, tie=Tie(end, players, best=best, by_throws=by_throws))
        case _:
            return this


def is_settled(tie: Tie) -> bool:
    """Whether tie throws have settled who is best."""
    return tie.decided if tie.end == "best" else tie.by_throws


def charge(state: Playing, event: FeeTaken) -> Playing:
    return replace(
        pay(state, event.payments),
        round=replace(state.round, seat_fees=returnable(state.opened.fee, event.payments)),
        charged_at=state.charged_at if event.through is None else event.through,
    )


def pay_winnings(state: Playing, event: RoundSettled) -> Playing:
    """Pay the winnings of a round: they join the stake, or the pocket (CG8)."""
    after = pay(state, event.payments)
    if state.opened.options.winnings == "stake":
        return after
    pockets = dict(state.pockets)
    for payment in event.payments:
        if payment.payee != POT:
            pockets[payment.payee] = pockets.get(payment.payee, 0) + payment.amount
    return replace(after, pockets=pockets)


def pay(state: Playing, payments: tuple[Payment, ...]) -> Playing:
    if not payments:
        return state
    return replace(
        state, stakes=move(state.stakes, payments), pot=state.pot + balance(POT, payments)
    )


def fallen(state: Playing, out: tuple[str, ...]) -> Playing:
    if not out:
        return state
    playing = tuple(name for name in state.playing if name not in out)
    return replace(state, playing=playing, out=(*state.out, *out))


def without(names: tuple[str, ...], player: str) -> tuple[str, ...]:
    if player not in names:
        return names
    return tuple(name for name in names if name != player)


def new_round(state: Playing, number: int, first: str) -> Playing:
    order = in_order(state, state.playing, first)
    return replace(state, round=Round(number, first, order, order))


def end(state: Playing, event: GameEnded) -> Ended:
    return Ended(
        opened=state.opened,
        seats=state.seats,
        stakes=state.stakes,
        homes=state.homes or (),
        round=event.round,
        pot=state.pot,
        pockets=state.pockets,
        out=state.out,
        winners=event.winners,
    )
