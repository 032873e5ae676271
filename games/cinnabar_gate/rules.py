"""
The rules of Cinnabar Gate: what may be done, and what follows from it.
See docs/games/cinnabar-gate.md.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from games import stone
from games.cinnabar_gate.hands import (
    PAY_AT_START,
    badness,
    classify,
    lower_pay,
    raise_pay,
    shows_up,
)
from games.cinnabar_gate.messages import (
    Command,
    DiceThrown,
    HandTaken,
    HomeDiceThrown,
    HomeThrowSettled,
    Open,
    PayMoved,
    PlayerLeft,
    RoundRestarted,
    RoundVoided,
    Throw,
    ThrowHome,
    TieCalled,
    parse,
)
from games.cinnabar_gate.opening import open_game
from games.cinnabar_gate.payouts import (
    RULES_OF_VARIANT,
    Verdict,
    close_table,
    ending,
    fees_due,
    make_void,
    settle,
    who_is_next,
)
from games.cinnabar_gate.state import (
    Ended,
    Playing,
    State,
    Taken,
    Tie,
    Turn,
    Unopened,
    deciding,
    evolve,
    in_order,
    in_round,
    playable,
    throwing,
)
from games.commands import BringMoney, CashOut, Close, Join, Leave, NoThrow, Stand
from games.decider import Decider
from games.dice import Dice, check_dice
from games.fees import NoMoneyPlayed
from games.messages import BoughtIn, Fact, FeeTaken, PlayerJoined, TableClosed
from games.refusals import (
    AlreadyOpen,
    GameOver,
    NoBuyingIn,
    NoGame,
    NotNow,
    NotPlaying,
    NotYourTurn,
    RoundRunning,
    ZeroAmount,
)
from games.seats import house_seat, stake_of_newcomer, within_limits
from games.session import GameSession, decider_at_table
from games.table_events import cash_out, check_known, money_brought, no_throw, take_seat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from games.stone import Hand


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
            check_known(command.player, state.stakes)
            playing = isinstance(state, Playing) and in_round(state, command.player)
            return (cash_out(command, state.stakes, playing=playing, leave_rule="CG1"),)
        case Playing(), _:
            return play(command, state)
        case _:
            raise GameOver(f"{type(command).__name__}: the game is over. CG1, G9")


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
        case _:
            return around(command, state)


def around(command: Command, state: Playing) -> tuple[Fact, ...]:
    """Decide commands of players who come and go, and of the money that they bring."""
    match command:
        case Join():
            return (join(command, state),)
        case BringMoney():
            return (bring(command, state),)
        case Leave():
            return leave(command, state)
        case Close():
            return (TableClosed(command.reason), *close_table(state))
        case _:
            raise NotNow(f"{type(command).__name__}: not while the game runs.")


def throw(command: Throw, state: Playing) -> tuple[Fact, ...]:
    """Throw (CG3 to CG5, CG10). A round's first throw brings its fees; the hand before is taken."""
    on_turn(command.player, state)
    dice = check_dice(command.dice, n=stone.DICE, sides=stone.SIDES, rule="CG3")
    hand = classify(dice, state.homes or (), state.opened.options)
    thrown = in_turn(command.player, dice, hand, state)
    happened = (thrown, *fees(state, command.at), *take_hand(command.player, state))
    happened = (*happened, *pay_moves(thrown, hand, state))
    return (*happened, *outcome(_playing(RULES.fold(happened, state))))


def on_turn(player: str, state: Playing) -> None:
    check_known(player, state.stakes)
    if state.homes is None:
        raise NotNow("The attendant throws for the home throw first: throw_home. H2")
    turn = throwing(state)
    if player not in turn:
        raise NotYourTurn(f"{' or '.join(turn) or 'Nobody'} throws, not {player}. CG4")


def in_turn(player: str, dice: Dice, hand: Hand, state: Playing) -> DiceThrown:
    """A throw as an event, with the chances used and whether one remains."""
    if state.round.tie is not None:
        return DiceThrown(player, dice, hand.name, hand.score)
    junk, again = chances_used(player, state)
    more_junk = hand.name == "junk" and junk < state.opened.options.junk_rethrows
    more = more_junk or again < limit(player, state)
    return DiceThrown(
        player, dice, hand.name, hand.score, junk, again, open=more and not shows_up(hand)
    )


def chances_used(player: str, state: Playing) -> tuple[int, int]:
    """
    The chances used up to and including this throw (CG10). Junk uses a junk chance while there is
    one; a show-up uses none.
    """
    turn = state.round.turn
    if turn is None or turn.player != player:
        return 0, 0
    if turn.hand is None:
        return turn.junk, turn.again
    if turn.hand.name == "junk" and turn.junk < state.opened.options.junk_rethrows:
        return turn.junk + 1, turn.again
    return turn.junk, turn.again + 1


def limit(player: str, state: Playing) -> int:
    """
    How often a player may throw again (CG10): the first thrower up to the option's number, everyone
    after as often as the first thrower did.
    """
    leader = state.round.leader
    if leader is None or leader[0] == player:
        return state.opened.options.opal
    return leader[1]


def chances_left(state: Playing) -> tuple[int, int]:
    """
    How often the hand on the table may still be thrown again: as junk (CG4), and as any hand
    (CG10).
    """
    turn = deciding(state)
    if turn is None or turn.hand is None:
        return 0, 0
    junk = state.opened.options.junk_rethrows - turn.junk if turn.hand.name == "junk" else 0
    return junk, limit(turn.player, state) - turn.again


def fees(state: Playing, at: int | None) -> tuple[Fact, ...]:
    due = fees_due(state, at)
    return () if due is None else (FeeTaken(*due),)


def take_hand(player: str, state: Playing) -> tuple[Fact, ...]:
    """The event that takes the hand before, if the next player's throw leaves it standing."""
    turn = before(player, state)
    return () if turn is None else (HandTaken(turn.player, implied=True),)


def before(player: str, state: Playing) -> Turn | None:
    """The turn of another player whose hand `player`'s throw takes."""
    turn = deciding(state)
    return None if turn is None or turn.player == player else turn


def pay_moves(thrown: DiceThrown, hand: Hand, state: Playing) -> tuple[Fact, ...]:
    """
    How a throw moves the pay (CG2, CG5): the hand before is taken first; a tie throw changes
    nothing (CG7).
    """
    if state.round.tie is not None:
        return ()
    options, pay = state.opened.options, state.round.pay
    moves: tuple[PayMoved, ...] = ()
    if (turn := before(thrown.player, state)) is not None:
        moves = lowering(turn, pay, state)
        pay = moves[-1].pay if moves else pay
    if (more := raise_pay(pay, hand, options)) != pay:
        return (*moves, PayMoved(thrown.player, more, ("CG5",)))
    if thrown.open:
        return moves
    return (*moves, *lowering(Turn(thrown.player, hand), pay, state))


def lowering(turn: Turn, pay: int, state: Playing) -> tuple[PayMoved, ...]:
    if turn.hand is None:
        return ()
    less = lower_pay(pay, turn.hand, state.opened.options)
    return () if less == pay else (PayMoved(turn.player, less, ("CG2",)),)


def stand(command: Stand, state: Playing) -> tuple[Fact, ...]:
    check_known(command.player, state.stakes)
    turn = deciding(state)
    if turn is None or turn.player != command.player:
        raise NotNow(f"stand: {command.player} has no hand that may be thrown again. CG4, CG10")
    happened = (HandTaken(command.player), *lowering(turn, state.round.pay, state))
    return (*happened, *outcome(_playing(RULES.fold(happened, state))))


def throw_home(command: ThrowHome, state: Playing) -> tuple[Fact, ...]:
    """Throw for the home throw (H2): the first junk hand is the home throw of the game."""
    if state.homes is not None:
        raise NotNow("throw_home: this game's home throw is settled. H1, H2")
    dice = check_dice(command.dice, n=stone.DICE, sides=stone.SIDES, rule="H2")
    hand = classify(dice, (), state.opened.options)
    thrown = HomeDiceThrown(dice, hand.name)
    if hand.name != "junk":
        return (thrown,)
    return (thrown, HomeThrowSettled(tuple(sorted(dice))))


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


# Players who come and go in Cinnabar Gate, and the money that they bring (CG1, G10).


def join(command: Join, state: Playing) -> PlayerJoined:
    """Join between rounds, last in order, with the agreed stake unless another is named (CG1)."""
    player = command.player
    between_rounds(state, f"{player} may join")
    here = playable(state, player) if player in state.away else 0
    agreed = stake_of_newcomer(state.opened.players, state.opened.stake)
    stake = (0 if here else agreed) if command.stake is None else command.stake
    for_money = state.opened.options.variant != "arcade"
    event = take_seat(
        replace(command, stake=stake),
        state.stakes,
        state.pot,
        agreed=agreed,
        left=state.away,
        house=house_seat(state.opened.players),
        least=1 if for_money else 0,
    )
    if for_money:
        if here + event.stake == 0:
            raise ZeroAmount(f"stake of {player}: what was pocketed is not played again. CG8")
        within_limits(here + event.stake, state.opened.stake_min, state.opened.stake_max)
    return event


def bring(command: BringMoney, state: Playing) -> BoughtIn:
    """Bring more money between rounds, also after everything is lost; in a pool nobody does."""
    player = command.player
    check_known(player, state.stakes)
    variant = state.opened.options.variant
    if variant == "arcade":
        raise NoMoneyPlayed(f"amount: no money moves with variant={variant}. CG11")
    if variant == "pool":
        raise NoBuyingIn(f"player: {player} plays for a pool with one stake; no more. CG11")
    if player in state.away:
        raise NotPlaying(f"player: {player} has left; join again. CG1")
    between_rounds(state, f"{player} may buy in")
    least = state.opened.stake_min if player in state.out else None
    after = playable(state, player) + command.amount
    within_limits(after, least, state.opened.stake_max, field="amount, with the stake,")
    house = player == house_seat(state.opened.players)
    return money_brought(command, state.stakes, state.pot, house=house)


def leave(command: Leave, state: Playing) -> tuple[Fact, ...]:
    """
    Leave (CG1): between rounds with what is left of the stake; during a round it counts as the
    worst hand.
    """
    player = command.player
    check_known(player, state.stakes)
    if player not in state.playing:
        raise NotPlaying(f"player: {player} is not playing any more. CG1, CG8")
    if state.round.begun:
        event = PlayerLeft(player)
        return (event, *gone(_playing_at(evolve(state, event)), player))
    event = PlayerLeft(player, first=who_is_next(state, (state.round.first,), (player,)))
    return (event, *too_few(_playing_at(evolve(state, event))))


def too_few(state: Playing) -> tuple[Fact, ...]:
    """The end of the game if one player is left, who has no round to play (CG1)."""
    if len(state.playing) > 1:
        return ()
    event = RoundVoided(state.round.number, state.round.first, rules=("CG1",))
    return (event, *ending(state, event))


def between_rounds(state: Playing, what: str) -> None:
    if state.round.begun:
        raise RoundRunning(f"{what} between rounds; round {state.round.number} is running. CG1")


def _playing_at(state: object) -> Playing:
    if not isinstance(state, Playing):  # leaving alone ends no game
        raise TypeError(state)
    return state


# What follows from a hand that is taken, or from a player who leaves: who wins, who loses.


def outcome(state: Playing) -> tuple[Fact, ...]:
    """The consequences of the last throw or stand, which `state` contains already."""
    this = state.round
    if this.tie is not None:
        return tie_verdict(state, this.tie)
    if state.opened.options.variant == "pool" and this.turn is None:
        latest = this.taken[-1]
        if latest.hand.name == "home":
            return restart(state, latest.player)
        if latest.hand.name == "empty":
            return end_by_empty(state, latest.player)
    return verdict(state)


def verdict(state: Playing) -> tuple[Fact, ...]:
    """The result of the round (CG6, CG7), once all have a hand."""
    if throwing(state):
        return ()
    if state.opened.options.variant == "pool":
        return pool_verdict(state)
    return best_of(state)


def restart(state: Playing, player: str) -> tuple[Fact, ...]:
    """Restart the round without `player` (CG11); if nobody is left to throw, the round is void."""
    this = state.round
    seated = {*this.sitting, player}
    order = in_order(state, (name for name in state.playing if name not in seated), this.first)
    if order:
        return (RoundRestarted(player, order, PAY_AT_START),)
    return make_void(state, ("CG11",))


def end_by_empty(state: Playing, player: str) -> tuple[Fact, ...]:
    """CG11: who threw empty pays at once; with `also` those who left pay as the worst (CG1)."""
    rules: dict[str, tuple[str, ...]] = {player: ("CG11",)}
    if state.opened.options.empty == "also":
        rules |= dict.fromkeys(state.round.left, ("CG1", "CG6", "CG11"))
    return settle(state, Verdict((), {name: rules[name] for name in in_order(state, rules)}))


def pool_verdict(state: Playing) -> tuple[Fact, ...]:
    """The result of a pool round (CG11): the worst hand pays the pool, and no hand wins."""
    this = state.round
    if this.left:
        return lose_round(state, (), this.left)
    worst = worst_of(state, this.taken)
    if len(worst) == len(this.taken) > 1:
        return make_void(state, ("CG7", "CG11"))
    if len(worst) > 1 and state.opened.options.ties == "rethrow":
        return (TieCalled("worst", worst),)
    return lose_round(state, (), worst)


def best_of(state: Playing) -> tuple[Fact, ...]:
    """Settle the best hand first (CG6, CG7); if nobody has more than empty, the round is void."""
    this = state.round
    staying = [name for name in this.order if name not in this.left]
    if not [name for name in staying if name not in empties(state)]:
        return make_void(state, ("CG6",))
    if len(staying) == 1:
        return worst_after(state, tuple(staying))
    held = tuple(each for each in this.taken if each.player not in this.left)
    best = best_in(state, held)
    if len(best) == len(this.order):
        return make_void(state, ("CG7",))
    if throws_again(state, best, held):
        return (TieCalled("best", best),)
    return worst_after(state, best)


def throws_again(state: Playing, best: tuple[str, ...], held: tuple[Taken, ...]) -> bool:
    """Whether a tie for best is thrown out (CG7); home throws share instead."""
    if len(best) == 1 or state.opened.options.ties == "split":
        return False
    return not any(each.player in best and each.hand.name == "home" for each in held)


def worst_after(state: Playing, best: tuple[str, ...]) -> tuple[Fact, ...]:
    """Settle who pays, once the best hand is known (CG6)."""
    this, options = state.round, state.opened.options
    threw_empty = empties(state)
    if threw_empty and options.empty == "only":
        return lose_round(state, best, ())
    if this.left:
        return lose_round(state, best, this.left)
    held = tuple(each for each in this.taken if each.hand.name != "empty")
    worst = worst_of(state, held)
    if set(worst) == {each.player for each in held}:  # all as good as the best: empties pay alone
        return lose_round(state, best, ())
    if len(worst) > 1 and options.ties == "rethrow":
        return (TieCalled("worst", worst, best),)
    return lose_round(state, best, worst)


def tie_verdict(state: Playing, tie: Tie) -> tuple[Fact, ...]:
    """The result of a tie (CG7): a throw settles it, or those who are tied again throw again."""
    if tie.waiting and len(tie.players) > 1:
        return ()
    if tie.end == "worst":
        worst = worst_of(state, tie.throws)
        if len(worst) > 1:
            return (TieCalled("worst", worst, tie.best),)
        return lose_round(state, tie.best, worst)
    best = best_in(state, tie.throws) if len(tie.players) > 1 else tie.players
    if throws_again(state, best, tie.throws):
        return (TieCalled("best", best),)
    return worst_after(state, best)


def gone(state: Playing, player: str) -> tuple[Fact, ...]:
    """What follows for the running round if `player`, who was in it, has left (CG1)."""
    this = state.round
    staying = [name for name in this.order if name not in this.left]
    if player not in this.left:  # a player who sat out leaves no hand behind
        return () if len(state.playing) > 1 else make_void(state, ("CG1",))
    if len(staying) <= 1:
        return lose_round(state, (), this.left) if pool(state) else best_of(state)
    if this.tie is None:
        return verdict(state)
    if this.tie.end == "best":
        return tie_verdict(state, this.tie)
    return worst_after(state, this.tie.best) if this.tie.best else verdict(state)


def lose_round(state: Playing, best: tuple[str, ...], worst: Iterable[str]) -> tuple[Fact, ...]:
    """Settle the round: those with the worst hand pay, and whoever threw empty, in turn order."""
    rules: dict[str, tuple[str, ...]] = {}
    tied = ("CG7",) if is_decided_by_tie(state, tuple(worst)) else ()
    for name in in_order(state, {*worst, *empties(state)}):
        left = ("CG1",) if name in worst and name in state.round.left else ()
        of_variant = RULES_OF_VARIANT[state.opened.options.variant]
        rules[name] = (*left, "CG6", *tied, *of_variant)
    return settle(state, Verdict(in_order(state, best), rules))


def is_decided_by_tie(state: Playing, worst: tuple[str, ...]) -> bool:
    tie, tied = state.round.tie, len(worst) > 1 and not state.round.left
    return tied or (tie is not None and tie.decided)


def empties(state: Playing) -> tuple[str, ...]:
    """Who threw empty (CG6), whether they are still here or not."""
    return tuple(each.player for each in state.round.taken if each.hand.name == "empty")


def pool(state: Playing) -> bool:
    return state.opened.options.variant == "pool"


def worst_of(state: Playing, held: tuple[Taken, ...]) -> tuple[str, ...]:
    return extreme(state, held, max)


def best_in(state: Playing, held: tuple[Taken, ...]) -> tuple[str, ...]:
    return extreme(state, held, min)


def extreme(
    state: Playing,
    held: tuple[Taken, ...],
    end: Callable[[Iterable[tuple[int, int, int]]], tuple[int, int, int]],
) -> tuple[str, ...]:
    options = state.opened.options
    ranks = {each.player: badness(each.hand, options) for each in held}
    found = end(ranks.values())
    return tuple(name for name, rank in ranks.items() if rank == found)
