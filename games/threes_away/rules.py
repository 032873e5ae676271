"""The rules of threes away: what may be done and what follows. See docs/games/threes-away.md."""

from dataclasses import replace
from typing import Final

from games.commands import Arrive, BringMoney, CashOut, Close, Join, Leave, NoThrow
from games.decider import Decider
from games.dice import Dice, check_dice, check_faces
from games.fees import due
from games.messages import Fact, FeeTaken, TableClosed
from games.payments import POT, ROLLOVER, Payment
from games.refusals import (
    AlreadyOpen,
    GameOver,
    NoGame,
    NotNow,
    NotPlaying,
    NotYourTurn,
    Refused,
    RoundRunning,
    WrongNumberOfDice,
)
from games.seats import house_seat, stake_of_newcomer
from games.session import GameSession, decider_at_table
from games.table_events import cash_out, check_known, money_brought, no_throw, take_seat
from games.threes_away.hands import SIDES, missing, total
from games.threes_away.messages import (
    Command,
    DiceKept,
    DiceThrown,
    Keep,
    Open,
    PlayerLeft,
    RolloverArrived,
    Throw,
)
from games.threes_away.opening import open_game
from games.threes_away.parse import parse
from games.threes_away.state import (
    Ended,
    Playing,
    Running,
    State,
    Turn,
    Unopened,
    evolve,
    here,
    in_game,
    in_order,
)
from games.threes_away.verdicts import (
    back,
    close_table,
    follow_leave,
    follow_money,
    start_round,
    turn_over,
)


class NotThrown(Refused):
    code = "not_thrown"


class NoBottoms(Refused):
    code = "no_bottoms"


class NotAwaited(Refused):
    code = "not_awaited"


def decide(command: Command, state: State) -> tuple[Fact, ...]:
    """Decide a command: the events that it leads to, or a refusal."""
    match state, command:
        case Unopened(), Open():
            happened = open_game(command)
            return (*happened, *start_round(_playing(RULES.fold(happened, state))))
        case Unopened(), _:
            raise NoGame("No game is open: it begins with open.")
        case _, Open():
            raise AlreadyOpen("open: this game is open already.")
        case _, CashOut():
            check_known(command.player, state.stakes)
            playing = isinstance(state, Playing) and in_game(state, command.player)
            return (cash_out(command, state.stakes, playing=playing, leave_rule="TA10"),)
        case Playing(), _:
            return play(command, state)
        case _:
            raise GameOver(f"{type(command).__name__}: the game is over. G9")


def play(command: Command, state: Playing) -> tuple[Fact, ...]:
    match command:
        case Throw():
            return throw(command, state)
        case Keep():
            return keep(command, state)
        case NoThrow():
            turn = to_throw(command.player, state)
            return (no_throw(command, most=turn.dice, sides=SIDES),)
        case _:
            return seating(command, state)


def seating(command: Command, state: Playing) -> tuple[Fact, ...]:
    """Decide commands of players who come and go, and of the money that comes."""
    match command:
        case Join() | BringMoney():
            return come(command, state)
        case Leave():
            return leave(command, state)
        case Arrive():
            return (rollover_arrives(command, state),)
        case Close():
            return (TableClosed(command.reason), *close_table(state))
        case _:
            raise NotNow(f"{type(command).__name__}: not while the game runs.")


def throw(command: Throw, state: Playing) -> tuple[Fact, ...]:
    """Throw (TA2, TA8). The round's first throw brings its fees; `keep` may come with any throw."""
    turn = to_throw(command.player, state)
    dice = check_dice(command.dice, n=turn.dice, sides=SIDES, rule="TA2")
    if command.bottoms and not state.opened.options.bottoms:
        raise NoBottoms("bottoms: not called in this game; the option bottoms is false. TA8")
    thrown = DiceThrown(command.player, dice, command.bottoms, command.keep)
    happened = (thrown, *fees(state, command.at))
    if command.keep is None:
        return happened
    after = _playing(RULES.fold(happened, state))
    return (*happened, *keep_dice(command.player, command.keep, after, field="keep"))


def to_throw(player: str, state: Playing) -> Turn:
    """:raises Refused: if it is not for `player` to throw now."""
    turn = on_turn(player, state)
    if turn.thrown:
        raise NotNow(f"{player} has thrown: keep at least one of the dice first. TA2")
    return turn


def on_turn(player: str, state: Playing) -> Turn:
    check_known(player, state.stakes)
    this = state.round
    if not isinstance(this, Running):
        raise NotNow(f"No round starts until two have {state.ante} for the ante. TA1, TA10")
    if player != this.thrower:
        raise NotYourTurn(f"{this.thrower} throws, not {player}. TA2")
    return this.turn


def fees(state: Playing, at: int | None) -> tuple[Fact, ...]:
    this = state.round
    if not isinstance(this, Running) or this.begun:
        return ()
    house = house_seat(state.opened.players)
    payers = [name for name in this.order if name != house]
    owed = due(state.opened.fee, payers, state.stakes, at=at, charged_at=state.charged_at)
    return () if owed is None else (FeeTaken(*owed),)


def keep(command: Keep, state: Playing) -> tuple[Fact, ...]:
    if not on_turn(command.player, state).thrown:
        raise NotNow(f"keep: {command.player} throws first. TA2")
    return keep_dice(command.player, command.dice, state)


def keep_dice(player: str, dice: Dice, state: Playing, *, field: str = "dice") -> tuple[Fact, ...]:
    """Keep at least one of the dice just thrown, named by the faces on top (TA2)."""
    turn = on_turn(player, state)
    if not dice:
        raise WrongNumberOfDice(f"{field}: at least one of the dice thrown is kept. TA2")
    check_faces(dice, sides=SIDES, rule="TA2", field=field)
    if (face := missing(dice, turn.thrown)) is not None:
        lying = "-".join(map(str, turn.thrown))
        raise NotThrown(f"{field}: {lying} was thrown, with fewer dice showing {face}. TA2")
    more = total(dice, zero=state.opened.options.zero, bottoms=turn.bottoms)
    event = DiceKept(player, dice, turn.total + more, with_throw=field == "keep")
    return (event, *turn_over(_playing(evolve(state, event))))


def come(command: Join | BringMoney, state: Playing) -> tuple[Fact, ...]:
    """
    Join or bring more money (G1, TA10); the player is in the next round if it starts now, and in
    the running one before its first throw.
    """
    if isinstance(command, Join):
        event, rule = newcomer(command, state), "G1"
    else:
        event, rule = brought(command, state), "TA10"
    return (event, *follow_money(_playing(evolve(state, event)), command.player, rule))


def newcomer(command: Join, state: Playing) -> Fact:
    between_rounds(state, f"{command.player} may join between rounds")
    return take_seat(
        command,
        state.stakes,
        state.pot + state.awaited,
        agreed=stake_of_newcomer(state.opened.players),
        left=state.left,
        house=house_seat(state.opened.players),
    )


def brought(command: BringMoney, state: Playing) -> Fact:
    player = command.player
    check_seated(player, state)
    house = player == house_seat(state.opened.players)
    return money_brought(command, state.stakes, state.pot + state.awaited, house=house)


def leave(command: Leave, state: Playing) -> tuple[Fact, ...]:
    """Leave between rounds (G1); the ante of a round of which nothing is thrown goes back."""
    player = command.player
    check_seated(player, state)
    between_rounds(state, f"{player} may leave between rounds")
    this = state.round
    coming = this.coming if isinstance(this, Running) else this
    event = PlayerLeft(player, first_without(player, coming.first, state), rules=("G1",))
    if isinstance(this, Running):
        others = (name for name in this.order if name != player)
        event = replace(
            event,
            order=in_order(state, event.first, others),
            payments=back((each for each in this.staked if each.payer == player), ("G1",)),
        )
    return (event, *follow_leave(_playing(evolve(state, event))))


def first_without(player: str, first: str, state: Playing) -> str:
    """Who throws first once `player` has left (TA9): the same first thrower, or the next seat."""
    if player != first:
        return first
    others = (name for name in here(state) if name != player)
    return next(iter(in_order(state, first, others)), first)


def check_seated(player: str, state: Playing) -> None:
    check_known(player, state.stakes)
    if player in state.left:
        raise NotPlaying(f"player: {player} has left; join again. G1")


def between_rounds(state: Playing, what: str) -> None:
    if isinstance(state.round, Running) and state.round.begun:
        raise RoundRunning(f"{what}; round {state.round.number} is running. G1")


def rollover_arrives(command: Arrive, state: Playing) -> RolloverArrived:
    """Coins of the rollover arrive that were booked after this game was opened (TA10)."""
    amount = command.amount
    if not 0 < amount <= state.awaited:
        raise NotAwaited(f"amount is {amount}: {state.awaited} is awaited. TA10")
    return RolloverArrived(amount, (Payment(ROLLOVER, POT, amount, ("TA10",)),))


def _playing(state: State) -> Playing:
    if not isinstance(state, Playing):  # only close leads elsewhere
        raise TypeError(state)
    return state


def is_terminal(state: State) -> bool:
    return isinstance(state, Ended)


RULES: Final[Decider[Command, Fact, State]] = Decider(
    initial=Unopened(), decide=decide, evolve=evolve, is_terminal=is_terminal
)
DECIDER: Final[Decider[Command, Fact, GameSession[State]]] = decider_at_table(RULES, parse)
