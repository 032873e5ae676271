"""The rules of stone hand: what may be done and what follows. See docs/games/stone-hand.md."""

from typing import Final

from games import stone
from games.commands import CashOut, Close, Leave, NoThrow, Stand
from games.decider import Decider
from games.dice import check_dice
from games.messages import Fact
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
from games.session import GameSession, decider_at_table
from games.stone_hand.hands import classify
from games.stone_hand.messages import (
    Command,
    DiceThrown,
    FeeTaken,
    HandTaken,
    HomeDiceThrown,
    HomeThrowSettled,
    Open,
    PlayerLeft,
    TableClosed,
    Throw,
    ThrowHome,
)
from games.stone_hand.opening import open_game
from games.stone_hand.parse import parse
from games.stone_hand.state import Ended, Playing, State, Unopened, evolve, throwing, who_is_next
from games.stone_hand.verdicts import close_table, fees_due, follow_leave, outcome, verdict
from games.table_events import cash_out, check_known, no_throw


def decide(command: Command, state: State) -> tuple[Fact, ...]:
    """Decide a command: the events that it leads to, or a refusal."""
    match state, command:
        case Unopened(), Open():
            return (open_game(command),)
        case Unopened(), _:
            raise NoGame("No game is open: it begins with open.")
        case _, Open():
            raise AlreadyOpen("open: this game is open already.")
        case _, CashOut():
            check_known(command.player, state.stakes, rule="SH1")
            playing = isinstance(state, Playing) and command.player in state.playing
            return (cash_out(command, state.stakes, playing=playing, leave_rule="SH10"),)
        case Playing(), _:
            return play(command, state)
        case _:
            raise GameOver(f"{type(command).__name__}: the game is over. SH9, G9")


def play(command: Command, state: Playing) -> tuple[Fact, ...]:
    match command:
        case Throw():
            return throw(command, state)
        case Stand():
            return stand(command, state)
        case ThrowHome():
            return throw_home(command, state)
        case NoThrow():
            on_turn(command.player, state)
            return (no_throw(command, most=stone.DICE, sides=stone.SIDES),)
        case Leave():
            return leave(command, state)
        case Close():
            return (TableClosed(command.reason), *close_table(state))
        case _:
            raise NotNow(f"{type(command).__name__}: not while the game runs.")


def throw(command: Throw, state: Playing) -> tuple[Fact, ...]:
    """Throw (SH2). The round's first throw brings its fees, and the hand before is taken (SH11)."""
    on_turn(command.player, state)
    dice = check_dice(command.dice, n=stone.DICE, sides=stone.SIDES, rule="SH2")
    hand = classify(dice, state.homes or (), state.opened.options)
    again = rethrows(command.player, state)
    thrown = DiceThrown(
        player=command.player,
        dice=dice,
        hand=hand.name,
        score=hand.score,
        again=again,
        open=hand.score is not None
        and not state.round.tied
        and again < limit(command.player, state),
    )
    happened = (thrown, *fees(state, command.at), *take_hand(command.player, state))
    after = RULES.fold(happened, state)
    return (*happened, *(outcome(_playing(after), command.player, hand, dice)))


def on_turn(player: str, state: Playing) -> None:
    check_known(player, state.stakes, rule="SH1")
    if state.homes is None:
        raise NotNow("The attendant throws for the home throw first: throw_home. H2")
    turn = throwing(state)
    if player not in turn:
        raise NotYourTurn(f"{' or '.join(turn) or 'Nobody'} throws, not {player}. SH2")


def rethrows(player: str, state: Playing) -> int:
    """How often the player has thrown a valid throw again, with this throw (SH11)."""
    this = state.round
    last = this.standing[-1] if this.standing else None
    if this.tied or last is None or last.player != player:
        return 0
    return last.again + this.deciding


def limit(player: str, state: Playing) -> int:
    """
    How often a player may throw again (SH11): the first thrower up to the option's number, the
    others as often as the first thrower did.
    """
    if player == state.round.order[0]:
        return state.opened.options.rethrow
    return state.round.standing[0].again


def fees(state: Playing, at: int | None) -> tuple[Fact, ...]:
    due = fees_due(state, at)
    return () if due is None else (FeeTaken(*due),)


def take_hand(player: str, state: Playing) -> tuple[Fact, ...]:
    """The event that takes the hand before, if this throw leaves it standing (SH11)."""
    this = state.round
    if not this.deciding or this.standing[-1].player == player:
        return ()
    return (HandTaken(this.standing[-1].player, implied=True),)


def stand(command: Stand, state: Playing) -> tuple[Fact, ...]:
    check_known(command.player, state.stakes, rule="SH1")
    this = state.round
    if not this.deciding or this.standing[-1].player != command.player:
        raise NotNow(f"stand: {command.player} has no hand that may be thrown again. SH11")
    happened = HandTaken(command.player)
    return (happened, *verdict(_playing(evolve(state, happened))))


def throw_home(command: ThrowHome, state: Playing) -> tuple[Fact, ...]:
    """Throw for the home throw (H2): the first junk hand is the home throw of the game."""
    if state.homes is not None:
        raise NotNow("throw_home: this game's home throw is settled. H1, H2")
    dice = check_dice(command.dice, n=stone.DICE, sides=stone.SIDES, rule="H2")
    hand = stone.junk(dice, state.opened.options.runs)
    thrown = HomeDiceThrown(dice, hand.name)
    if hand.name != "junk":
        return (thrown,)
    return (thrown, HomeThrowSettled(tuple(sorted(dice))))


def leave(command: Leave, state: Playing) -> tuple[Fact, ...]:
    """Leave between rounds (SH10, G1): the rest of the stake is forfeited or stays the player's."""
    player = command.player
    check_known(player, state.stakes, rule="SH1")
    if player not in state.playing:
        raise NotPlaying(f"player: {player} is out of the game already. SH9, SH10")
    if state.round.begun:
        raise RoundRunning(f"{player} may leave between rounds; round is running. G1, SH10")
    options, stake = state.opened.options, state.stakes[player]
    forfeits = options.mode == "pool" and options.leave == "forfeit" and stake > 0
    payments = (Payment(player, POT, stake, ("SH10",)),) if forfeits else ()
    others = tuple(name for name in state.playing if name != player)
    first = who_is_next(state, state.round.first, others)
    event = PlayerLeft(player, first, payments, rules=("SH10",))
    return (event, *follow_leave(state, event))


def _playing(state: State) -> Playing:
    if not isinstance(state, Playing):  # no throw leads elsewhere before its outcome
        raise TypeError(state)
    return state


def is_terminal(state: State) -> bool:
    return isinstance(state, Ended)


RULES: Final[Decider[Command, Fact, State]] = Decider(
    initial=Unopened(), decide=decide, evolve=evolve, is_terminal=is_terminal
)
DECIDER: Final[Decider[Command, Fact, GameSession[State]]] = decider_at_table(RULES, parse)
