"""The rules of dice breaker: what may be done and what follows. See docs/games/dice-breaker.md."""

from typing import Final

from games.commands import BringMoney, CashOut, Close, Join, Leave, NoThrow, Stand
from games.decider import Decider
from games.dice_breaker.arena import LATENT
from games.dice_breaker.evolve import evolve
from games.dice_breaker.hands import DICE, SIDES
from games.dice_breaker.messages import (
    BreakStart,
    Command,
    DieRested,
    Open,
    PlayerLeft,
    StartBroken,
    Throw,
)
from games.dice_breaker.opening import antes, check_covers_ante, may_sit, open_game
from games.dice_breaker.parse import parse
from games.dice_breaker.state import Ended, Playing, State, Unopened, in_order
from games.dice_breaker.throwing import face, throw_die
from games.dice_breaker.verdicts import close_table, decide_start, follow_leave, outcome
from games.fees import NoMoneyPlayed, due
from games.messages import Fact, FeeTaken, TableClosed
from games.payments import POT, Payment
from games.refusals import (
    AlreadyOpen,
    GameOver,
    NoGame,
    NotNow,
    NotPlaying,
    NotYourTurn,
    RoundRunning,
)
from games.seats import house_seat, stake_of_newcomer
from games.session import GameSession, decider_at_table
from games.table_events import cash_out, check_known, money_brought, no_throw, take_seat

TRUMP_AND_LATENT: Final = 1 + len(LATENT)


def decide(command: Command, state: State) -> tuple[Fact, ...]:
    """Decide a command: the events that it leads to, or a refusal."""
    match state, command:
        case Unopened(), Open():
            return open_game(command)
        case Unopened(), _:
            raise NoGame("No game is open: it begins with open.")
        case _, Open():
            raise AlreadyOpen("open: this game is open already.")
        case _, CashOut():
            check_known(command.player, state.stakes)
            playing = isinstance(state, Playing) and command.player in state.playing
            return (cash_out(command, state.stakes, playing=playing, leave_rule="DB11"),)
        case Playing(), _:
            return play(command, state)
        case _:
            raise GameOver(f"{type(command).__name__}: the game is over. DB6, G9")


def play(command: Command, state: Playing) -> tuple[Fact, ...]:
    match command:
        case BreakStart():
            return break_start(command, state)
        case Throw():
            return throw(command, state)
        case Stand():
            return stand(command, state)
        case NoThrow():
            in_action(command.player, state)
            return (no_throw(command, most=dice_at_the_table(state), sides=SIDES),)
        case _:
            return seating(command, state)


def seating(command: Command, state: Playing) -> tuple[Fact, ...]:
    """Decide commands of players who come and go, and of the money that they bring."""
    match command:
        case Join():
            return join(command, state)
        case Leave():
            return leave(command, state)
        case BringMoney():
            return (bring_money(command, state),)
        case Close():
            return (TableClosed(command.reason), *close_table(state))
        case _:
            raise NotNow(f"{type(command).__name__}: not while the game runs.")


def break_start(command: BreakStart, state: Playing) -> tuple[Fact, ...]:
    """Break the starting die (DB1): each player who must does so once, in any order."""
    player = command.player
    check_known(player, state.stakes)
    if state.breaking is None:
        raise NotNow("break_start: who starts the game is settled. DB1")
    if player not in state.breaking.due:
        who = ", ".join(state.breaking.due)
        raise NotYourTurn(f"{who} still break the starting die, not {player}. DB1")
    event = StartBroken(player, face(command.value, "value", "DB1"))
    after = _playing(evolve(state, event))
    return (event, *(decide_start(after.breaking) if after.breaking else ()))


def throw(command: Throw, state: Playing) -> tuple[Fact, ...]:
    """Throw a die (DB2). The round's first throw brings its fees (G6)."""
    check_known(command.player, state.stakes)
    if state.breaking is not None:
        raise NotNow("throw: the starting die is broken first, with break_start. DB1")
    happened = (throw_die(command, state.round), *fees(state, command.at))
    return (*happened, *outcome(_playing(RULES.fold(happened, state))))


def fees(state: Playing, at: int | None) -> tuple[Fact, ...]:
    if state.round.begun:
        return ()
    house = house_seat(state.opened.players)
    payers = [player for player in state.round.order if player != house]
    owed = due(state.opened.fee, payers, state.stakes, at=at, charged_at=state.charged_at)
    return () if owed is None else (FeeTaken(*owed),)


def stand(command: Stand, state: Playing) -> tuple[Fact, ...]:
    """
    Say that the last die of the round, which spun, is at rest (DB10): no latent die is thrown at it
    any more.
    """
    check_known(command.player, state.stakes)
    this = state.round
    if this.turn is not None or not this.spinning:
        raise NotNow("stand: only the last die of a round, if it spins, is waited for. DB10")
    if command.player != this.thrower:
        raise NotYourTurn(f"{this.thrower} threw the die that spins, not {command.player}. DB10")
    event = DieRested(command.player)
    return (event, *outcome(_playing(evolve(state, event))))


def in_action(player: str, state: Playing) -> None:
    """:raises Refused: if it is not that player who breaks the starting die, or throws."""
    check_known(player, state.stakes)
    breaking = state.breaking
    due = breaking.due if breaking is not None else (state.round.turn or state.round.thrower,)
    if player not in due:
        who = ", ".join(each for each in due if each is not None)
        raise NotYourTurn(f"{who} throws, not {player}. DB3")


def dice_at_the_table(state: Playing) -> int:
    """The greatest number of faces that may be seen in a no throw (G3)."""
    return DICE * len(state.playing) + (TRUMP_AND_LATENT if state.battle else 0)


def join(command: Join, state: Playing) -> tuple[Fact, ...]:
    """Join between rounds, for an ante and without points (G1, DB11)."""
    player, ante = command.player, state.ante
    between_rounds(state, f"{player} may join between rounds")
    if state.play_off:
        tied = " and ".join(state.play_off)
        raise NotNow(f"join: {tied} play off who has won; nobody joins them. DB6")
    may_sit(player)
    event = take_seat(
        command,
        state.stakes,
        state.pot,
        agreed=stake_of_newcomer(state.opened.players),
        left=state.left,
        least=1 if ante else 0,
    )
    check_covers_ante(player, event.stake + state.stakes.get(player, 0), ante)
    return (event, *antes(ante, (player,)))


def leave(command: Leave, state: Playing) -> tuple[Fact, ...]:
    """Leave between rounds (G1); only before the game's first throw the ante goes back (DB11)."""
    player, back = command.player, state.ante > 0 and not state.thrown
    still_here(player, state)
    between_rounds(state, f"{player} may leave between rounds")
    event = PlayerLeft(
        player,
        first=first_without(player, state),
        payments=(Payment(POT, player, state.ante, ("G1", "DB11")),) if back else (),
        rules=("G1", "DB11") if state.ante else ("G1",),
    )
    return (event, *follow_leave(state, event))


def first_without(player: str, state: Playing) -> str | None:
    """Who starts the round once `player` has left: the next seat; None while DB1 is open."""
    if state.breaking is not None:
        return None
    this = state.round
    others = (name for name in this.order if name != player)
    return next(iter(in_order(state, this.order[0], others)))


def between_rounds(state: Playing, what: str) -> None:
    if state.round.begun:
        raise RoundRunning(f"{what}; round {state.round.number} is running. G1")


def bring_money(command: BringMoney, state: Playing) -> Fact:
    still_here(command.player, state)
    if state.ante == 0:
        raise NoMoneyPlayed("buy_in: no money moves with ante=0. DB11")
    house = command.player == house_seat(state.opened.players)
    return money_brought(command, state.stakes, state.pot, house=house)


def still_here(player: str, state: Playing) -> None:
    check_known(player, state.stakes)
    if player not in state.playing:
        raise NotPlaying(f"player: {player} has left the game. G1")


def _playing(state: State) -> Playing:
    if not isinstance(state, Playing):  # only an outcome leads elsewhere
        raise TypeError(state)
    return state


def is_terminal(state: State) -> bool:
    return isinstance(state, Ended)


RULES: Final[Decider[Command, Fact, State]] = Decider(
    initial=Unopened(), decide=decide, evolve=evolve, is_terminal=is_terminal
)
DECIDER: Final[Decider[Command, Fact, GameSession[State]]] = decider_at_table(RULES, parse)
