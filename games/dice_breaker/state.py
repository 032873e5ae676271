"""The state of a game of dice breaker between two commands."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from games.dice_breaker.arena import Round, dealt, land, waiting
from games.dice_breaker.messages import (
    AntesPaid,
    DieRested,
    DieThrown,
    GameEnded,
    GameOpened,
    PlayerLeft,
    RoundScored,
    RoundVoided,
    StartBroken,
    StartSettled,
    StartTied,
)
from games.fees import returnable
from games.messages import BoughtIn, CashedOut, Fact, FeeTaken, PlayerJoined
from games.payments import POT, Payment, balance, move
from games.seats import clockwise


@dataclass(frozen=True, slots=True)
class Unopened:
    pass


@dataclass(frozen=True, slots=True)
class Breaking:
    """
    The starting die is being broken: it is still open who starts (DB1).

    :param players: who break the starting die; `faces`: the faces of those who have.
    :param again: whether these players were tied; who joins now does not break.
    """

    players: tuple[str, ...]
    faces: Mapping[str, int]
    again: bool = False

    @property
    def due(self) -> tuple[str, ...]:
        return tuple(player for player in self.players if player not in self.faces)


@dataclass(frozen=True, slots=True)
class Playing:
    """
    A game that is running.

    :param seats: everybody who ever sat down, in order; `left`: those of them who have left.
    :param playing: those who have not left.
    :param breaking: None: it is settled who starts.
    :param play_off: who alone play on (DB6); empty: everybody.
    """

    opened: GameOpened
    seats: tuple[str, ...]
    playing: tuple[str, ...]
    stakes: Mapping[str, int]
    scores: Mapping[str, Fraction]
    round: Round
    breaking: Breaking | None = None
    play_off: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    pot: int = 0
    charged_at: int | None = None

    @property
    def ante(self) -> int:
        """The coins of an ante (DB11, G11); 0: no money is played."""
        return self.opened.options.ante * self.opened.options.unit

    @property
    def thrown(self) -> bool:
        """Whether a throw of the game stands; breaking the starting die is none (DB1, DB11)."""
        return self.round.begun or self.round.number > 1

    @property
    def battle(self) -> bool:
        return self.opened.options.mode == "battle"


@dataclass(frozen=True, slots=True)
class Ended:
    opened: GameOpened
    seats: tuple[str, ...]
    stakes: Mapping[str, int]
    scores: Mapping[str, Fraction]
    round: int
    left: tuple[str, ...] = ()
    winners: tuple[str, ...] = ()
    pot: int = 0


State = Unopened | Playing | Ended


def in_order(state: Playing, first: str, among: Iterable[str]) -> tuple[str, ...]:
    """
    The players `among`, clockwise from `first`'s seat on (G1), whether `first` is one of them or
    not.
    """
    return clockwise(state.seats, first, among)


def new_round(state: Playing, number: int, first: str | None) -> Playing:
    """
    Start a round among the players of a play-off, if there is one, else among all; `first` None:
    DB1 is open.
    """
    among = state.play_off or state.playing
    if first is None:
        return replace(state, round=waiting(number, among, battle=state.battle))
    order = in_order(state, first, among)
    return replace(state, round=dealt(number, order, battle=state.battle))


# How recorded events change the state of dice breaker, without judging them again.


def evolve(state: State, event: Fact) -> State:
    match state, event:
        case Unopened(), GameOpened():
            return begin(event)
        case Playing() | Ended(), CashedOut(player=player, amount=amount):
            stakes = {**state.stakes, player: state.stakes[player] - amount}
            return replace(state, stakes=stakes)
        case Playing(), DieThrown():
            return replace(state, round=land(state.round, event))
        case Playing(), GameEnded():
            return end(pay(state, event.payments), event)
        case Playing(), _:
            return play(state, event)
        case _:
            return state


def begin(event: GameOpened) -> Playing:
    names = tuple(seat.name for seat in event.players)
    breaking = Breaking(names, {}) if event.first is None else None
    battle = event.options.mode == "battle"
    state = Playing(
        opened=event,
        seats=names,
        playing=names,
        stakes={seat.name: seat.stake or 0 for seat in event.players},
        scores=dict.fromkeys(names, Fraction()),
        round=waiting(1, names, battle=battle),
        breaking=breaking,
        charged_at=event.at,
    )
    return new_round(state, 1, event.first)


def play(state: Playing, event: Fact) -> Playing:
    match event:
        case DieRested():
            return replace(state, round=replace(state.round, spinning=False))
        case AntesPaid() | RoundVoided():
            return pay(state, event.payments)
        case FeeTaken():
            return charge(state, event)
        case RoundScored():
            return score(state, event)
        case StartBroken() | StartTied() | StartSettled():
            return start(state, event)
        case _:
            return seat(state, event)


def start(state: Playing, event: StartBroken | StartTied | StartSettled) -> Playing:
    breaking = state.breaking
    match event:
        case StartBroken(player=player, value=value) if breaking is not None:
            faces = {**breaking.faces, player: value}
            return replace(state, breaking=replace(breaking, faces=faces))
        case StartTied(players=players):
            return replace(state, breaking=Breaking(players, {}, again=True))
        case StartSettled(player=player):
            return new_round(replace(state, breaking=None), state.round.number, player)
        case _:
            return state


def seat(state: Playing, event: Fact) -> Playing:
    match event:
        case PlayerJoined():
            return join(state, event)
        case PlayerLeft():
            return leave(state, event)
        case BoughtIn(player=player, amount=amount):
            return replace(state, stakes={**state.stakes, player: state.stakes[player] + amount})
        case _:
            return state


def join(state: Playing, event: PlayerJoined) -> Playing:
    """Seat a player who joins or comes back: last in order, and without points (G1)."""
    player, breaking = event.player, state.breaking
    if breaking is not None and not breaking.again:
        breaking = replace(breaking, players=(*breaking.players, player))
    first = None if breaking is not None else state.round.order[0]
    after = replace(
        state,
        seats=(*(each for each in state.seats if each != player), player),
        playing=(*state.playing, player),
        left=tuple(each for each in state.left if each != player),
        stakes={**state.stakes, player: state.stakes.get(player, 0) + event.stake},
        scores={**state.scores, player: Fraction()},
        breaking=breaking,
    )
    return new_round(after, state.round.number, first)


def leave(state: Playing, event: PlayerLeft) -> Playing:
    player, breaking = event.player, state.breaking
    if breaking is not None:
        faces = {name: face for name, face in breaking.faces.items() if name != player}
        players = tuple(each for each in breaking.players if each != player)
        breaking = replace(breaking, players=players, faces=faces)
    after = replace(
        pay(state, event.payments),
        playing=tuple(each for each in state.playing if each != player),
        play_off=tuple(each for each in state.play_off if each != player),
        left=(*state.left, player),
        breaking=breaking,
    )
    return new_round(after, state.round.number, event.first)


def score(state: Playing, event: RoundScored) -> Playing:
    scores = dict(state.scores)
    for player, more in event.scores:
        scores[player] += more
    after = replace(state, scores=scores, play_off=event.play_off)
    return new_round(after, event.round + 1, event.first)


def charge(state: Playing, event: FeeTaken) -> Playing:
    return replace(
        pay(state, event.payments),
        round=replace(state.round, seat_fees=returnable(state.opened.fee, event.payments)),
        charged_at=state.charged_at if event.through is None else event.through,
    )


def pay(state: Playing, payments: tuple[Payment, ...]) -> Playing:
    if not payments:
        return state
    stakes, pot = move(state.stakes, payments), state.pot + balance(POT, payments)
    return replace(state, stakes=stakes, pot=pot)


def end(state: Playing, event: GameEnded) -> Ended:
    return Ended(
        opened=state.opened,
        seats=state.seats,
        stakes=state.stakes,
        scores=state.scores,
        round=event.round,
        left=state.left,
        winners=event.winners,
        pot=state.pot,
    )
