"""The state of a game of threes away between two commands."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from games.dice import Dice
from games.fees import returnable
from games.messages import BoughtIn, CashedOut, Fact, FeeTaken, PlayerJoined
from games.payments import POT, Payment, balance, move
from games.seats import clockwise
from games.threes_away.hands import DICE
from games.threes_away.messages import (
    DiceKept,
    DiceThrown,
    GameEnded,
    GameOpened,
    LateAntePaid,
    PlayerLeft,
    RolloverArrived,
    RoundRolledOver,
    RoundStarted,
    RoundTied,
    RoundVoided,
    RoundWon,
    TurnEnded,
)


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


# How recorded events change the state of threes away, without judging them again.


def evolve(state: State, event: Fact) -> State:
    match state, event:
        case Unopened(), GameOpened():
            return begin(event)
        case Playing() | Ended(), CashedOut(player=player, amount=amount):
            stakes = {**state.stakes, player: state.stakes[player] - amount}
            return replace(state, stakes=stakes)
        case Playing(round=Running() as this), DiceThrown() | DiceKept():
            return replace(state, round=went_on(this, event))
        case Playing(), _:
            return play(pay(state, event.payments), event)
        case _:
            return state


def begin(event: GameOpened) -> Playing:
    return Playing(
        opened=event,
        seats=tuple(seat.name for seat in event.players),
        stakes={seat.name: seat.stake or 0 for seat in event.players},
        round=Coming(1, event.first),
        awaited=event.awaited,
        charged_at=event.at,
    )


def play(state: Playing, event: Fact) -> State:
    """Apply an event of the play; `state` has its payments already."""
    match event:
        case BoughtIn() | PlayerJoined() | PlayerLeft():
            return came_or_went(state, event)
        case RolloverArrived(amount=amount):
            return replace(state, awaited=state.awaited - amount)
        case GameEnded(round=number):
            return Ended(
                opened=state.opened,
                stakes=state.stakes,
                round=number,
                pot=state.pot,
                awaited=state.awaited,
                out=out(state),
            )
        case FeeTaken():
            return charge(state, event)
        case _:
            return replace(state, round=of_round(state.round, event))


def came_or_went(state: Playing, event: BoughtIn | PlayerJoined | PlayerLeft) -> Playing:
    match event:
        case BoughtIn(player=player, amount=amount):
            stakes = {**state.stakes, player: state.stakes[player] + amount}
            return replace(state, stakes=stakes)
        case PlayerJoined():
            return join(state, event)
        case PlayerLeft():
            return leave(state, event)


def charge(state: Playing, event: FeeTaken) -> Playing:
    """Note fees (G6): a seat fee, for a void round; the time up to which a time charge is paid."""
    if event.through is not None:
        return replace(state, charged_at=event.through)
    if isinstance(state.round, Running):
        back = returnable(state.opened.fee, event.payments)
        return replace(state, round=replace(state.round, seat_fees=back))
    return state


def join(state: Playing, event: PlayerJoined) -> Playing:
    """Seat a newcomer, or a player who comes back, last in order."""
    player = event.player
    return replace(
        state,
        seats=(*(name for name in state.seats if name != player), player),
        stakes={**state.stakes, player: state.stakes.get(player, 0) + event.stake},
        left=without(state.left, player),
    )


def leave(state: Playing, event: PlayerLeft) -> Playing:
    gone = replace(state, left=(*state.left, event.player))
    match state.round:
        case Running() as this:
            after = replace(
                this,
                coming=give_up(this.coming, event),
                order=event.order,
                waiting=without(this.waiting, event.player),
                staked=tuple(each for each in this.staked if each.payer != event.player),
            )
            return replace(gone, round=after)
        case Coming() as coming:
            return replace(gone, round=give_up(coming, event))


def give_up(coming: Coming, event: PlayerLeft) -> Coming:
    """The coming round without a player who leaves, and who has no claim left when coming back."""
    return replace(
        coming,
        first=event.first,
        among=without(coming.among, event.player),
        waiting=without(coming.waiting, event.player),
        free=without(coming.free, event.player),
    )


def without(names: tuple[str, ...], player: str) -> tuple[str, ...]:
    return tuple(name for name in names if name != player)


def of_round(this: Coming | Running, event: Fact) -> Coming | Running:
    match this, event:
        case Coming(), RoundStarted():
            return Running(this, event.order, event.waiting, event.limit, event.payments)
        case _, RoundWon():
            return Coming(event.round + 1, event.first)
        case Running(), LateAntePaid():
            return replace(this, order=event.order, staked=(*this.staked, *event.payments))
        case Running(), TurnEnded(player=player, total=total, bust=bust):
            done = (*this.done, Done(player, total, bust))
            return replace(this, done=done, turn=Turn(), staked=(*this.staked, *event.payments))
        case Running(), _:
            return not_won(this, event)
        case _:
            return this


def not_won(this: Running, event: Fact) -> Coming | Running:
    """The round after one that nobody won; a void round does not count as a round (TA7)."""
    match event:
        case RoundTied() | RoundRolledOver():
            free = event.free if isinstance(event, RoundTied) else ()
            return Coming(
                number=event.round + 1,
                first=event.first,
                step=this.coming.step + 1,
                among=event.among,
                waiting=event.waiting,
                free=free,
                ante_rule=event.rules[0],
            )
        case RoundVoided(round=number, first=first, free=free):
            again = this.coming
            return Coming(number + 1, first, again.step, free=free, ante_rule=again.ante_rule)
        case _:
            return this


def went_on(this: Running, event: DiceThrown | DiceKept) -> Running:
    turn = this.turn
    match event:
        case DiceThrown(dice=dice, bottoms=bottoms):
            return replace(this, begun=True, turn=replace(turn, thrown=dice, bottoms=bottoms))
        case DiceKept(dice=dice, total=total):
            return replace(this, turn=Turn((*turn.kept, *dice), total))


def pay(state: Playing, payments: tuple[Payment, ...]) -> Playing:
    if not payments:
        return state
    return replace(
        state, stakes=move(state.stakes, payments), pot=state.pot + balance(POT, payments)
    )
