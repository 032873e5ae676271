"""
The rules of stone hand: what may be done, and what follows from it.
See docs/games/stone-hand.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from games import stone
from games.commands import CashOut, Close, Leave, NoThrow, Stand
from games.decider import Decider
from games.dice import Dice, check_dice
from games.fees import due, give_back, take_rake
from games.messages import Fact, Points
from games.payments import POT, Payment, cap, share
from games.refusals import (
    AlreadyOpen,
    GameOver,
    NoGame,
    NotNow,
    NotPlaying,
    NotYourTurn,
    RoundRunning,
)
from games.seats import house_seat
from games.session import GameSession, decider_at_table
from games.stone import Hand
from games.stone_hand.hands import badness, classify, coins_of_triad, coins_owed
from games.stone_hand.messages import (
    Command,
    DiceThrown,
    FeeTaken,
    GameEnded,
    HandTaken,
    HomeDiceThrown,
    HomeThrowSettled,
    Open,
    PlayerLeft,
    RoundLost,
    RoundRestarted,
    RoundVoided,
    TableClosed,
    Throw,
    ThrowHome,
    TieCalled,
    parse,
)
from games.stone_hand.opening import open_game
from games.stone_hand.state import (
    Ended,
    PlayerHand,
    Playing,
    State,
    Unopened,
    evolve,
    in_order,
    pay,
    throwing,
    who_is_next,
    without,
)
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


# What follows from a throw: who loses what, when a round is void, when the game is over.


RULES_OF_MODE: Final[Mapping[str, tuple[str, ...]]] = {
    "pool": (),
    "drinks": ("SH12",),
    "scoreboard": ("SH13",),
}


def outcome(state: Playing, player: str, hand: Hand, dice: Dice) -> tuple[Fact, ...]:
    """The consequences of a throw, which `state` contains already."""
    if hand.name == "triad":
        return triad(state, player, hand, dice)
    if state.round.tied:
        return tie_verdict(state)
    if hand.name == "home":
        return restart(state, player)
    return verdict(state)


def verdict(state: Playing) -> tuple[Fact, ...]:
    """
    The result of the round (SH4, SH5), once all have thrown: the worst hand loses; identical worst
    hands throw again.
    """
    if throwing(state):
        return ()
    worst = worst_of(state.round.standing)
    if len(worst) > 1:
        return (TieCalled(tuple(each.player for each in worst)),)
    return lose_round(state, worst[0].player, _hand(worst[0]), ("SH4",))


def tie_verdict(state: Playing) -> tuple[Fact, ...]:
    """
    The result of a tie (SH5): who threw home escapes; the worst of the others loses; identical
    worst throw again.
    """
    this = state.round
    if throwing(state):
        return ()
    held = tuple(each for each in this.tie_throws if _hand(each).name != "home")
    if not held:
        return (TieCalled(this.tied),)
    worst = worst_of(held) if len(held) > 1 else held
    if len(worst) > 1:
        return (TieCalled(tuple(each.player for each in worst)),)
    if state.opened.options.tie_owes == "rethrow":
        return lose_round(state, worst[0].player, _hand(worst[0]), ("SH4", "SH5"))
    original = next(each for each in this.standing if each.player == worst[0].player)
    return lose_round(state, worst[0].player, _hand(original), ("SH4", "SH5"))


def worst_of(throws: tuple[PlayerHand, ...]) -> tuple[PlayerHand, ...]:
    worst = max(badness(_hand(each)) for each in throws)
    return tuple(each for each in throws if badness(_hand(each)) == worst)


def _hand(standing: PlayerHand) -> Hand:
    if standing.hand is None:  # impossible: a verdict is asked for only when everybody holds a hand
        raise AssertionError(standing)
    return standing.hand


@dataclass(frozen=True, slots=True)
class Loss:
    loser: str
    hand: Hand
    coins: int
    rules: tuple[str, ...]
    points: Points = ()


def triad(state: Playing, player: str, hand: Hand, dice: Dice) -> tuple[Fact, ...]:
    """
    Lose the round by a triad (SH6), at once; the other throws of the round are void, unless it is a
    tie throw.
    """
    coins = coins_of_triad(dice, state.opened.options, state.stakes[player])
    if state.round.tied:  # a tie throw only names the loser: the round's best hand counts
        return settle(state, Loss(player, hand, coins, ("SH5", "SH6"), score(state)))
    return settle(state, Loss(player, hand, coins, ("SH6",)))


def lose_round(state: Playing, loser: str, hand: Hand, rules: tuple[str, ...]) -> tuple[Fact, ...]:
    return settle(
        state, Loss(loser, hand, coins_owed(hand, state.opened.options), rules, score(state))
    )


def settle(state: Playing, loss: Loss) -> tuple[Fact, ...]:
    """Settle a loss in coins, drinks or points (SH4, SH12, SH13); `out`: who drops out (SH9)."""
    mode, loser = state.opened.options.mode, loss.loser
    coins = loss.coins if mode == "pool" else 0
    payments = cap(loser, POT, coins, state.stakes[loser], loss.rules)
    out = fallen_out(pay(state, payments))
    remaining = tuple(name for name in state.playing if name not in out)
    event = RoundLost(
        round=state.round.number,
        loser=loser,
        hand=loss.hand.name,
        owed=coins,
        first=who_is_next(state, loser, remaining),
        payments=payments,
        points=loss.points,
        drinks=len(state.playing) - 1 if mode == "drinks" else 0,
        out=out,
        rules=(*loss.rules, *RULES_OF_MODE[mode]),
    )
    return (event, *ending(state, event, loser))


def score(state: Playing) -> Points:
    """The points of the round (SH13): one for each best hand, or for each lowest score."""
    options = state.opened.options
    if options.mode != "scoreboard":
        return ()
    hands = {each.player: _hand(each) for each in state.round.standing}
    if options.point_to == "best":
        best = min(badness(hand) for hand in hands.values())
        winners = [player for player, hand in hands.items() if badness(hand) == best]
    else:
        lowest = min(hand.score or 0 for hand in hands.values())
        winners = [player for player, hand in hands.items() if hand.score == lowest]
    return tuple((player, Fraction(1)) for player in winners)


def fallen_out(state: Playing) -> tuple[str, ...]:
    """Who drops out because the stake is gone (SH9)."""
    if state.opened.options.mode != "pool":
        return ()
    return tuple(name for name in state.playing if state.stakes[name] == 0)


def restart(state: Playing, player: str) -> tuple[Fact, ...]:
    """
    Restart the round without `player` (SH7); it is void if nobody (or, with `sole` void, one) is
    left.
    """
    this = state.round
    among = tuple(name for name in state.playing if name not in (*this.sitting, player))
    order = in_order(state, this.first, among)
    if not order or (len(order) == 1 and state.opened.options.sole == "void"):
        return make_void(state, ("SH7",))
    return (RoundRestarted(player, order),)


def make_void(state: Playing, rules: tuple[str, ...]) -> tuple[Fact, ...]:
    """Void the round: seat fees go back (G6), and the same first thrower begins again (G9)."""
    event = void_round(state, rules)
    return (event, *ending(state, event, None))


def void_round(state: Playing, rules: tuple[str, ...]) -> RoundVoided:
    this = state.round
    back = give_back(this.seat_fees)
    out = fallen_out(pay(state, back))
    remaining = tuple(name for name in state.playing if name not in out)
    first = who_is_next(state, this.first, remaining)
    return RoundVoided(this.number, first, payments=back, out=out, rules=rules)


def ending(before: Playing, event: RoundLost | RoundVoided, loser: str | None) -> tuple[Fact, ...]:
    """
    The end of the game: the last player with money wins the pool (SH9). If fees took everybody's
    last coin in one round, those who did not lose the round share the pool (G5). Without money the
    game is over when fewer than two are left.
    """
    after = evolve(before, event)
    if not isinstance(after, Playing) or len(after.playing) > 1:
        return ()
    if before.opened.options.mode != "pool":
        return (GameEnded(event.round, rules=("SH10",)),)
    if after.playing:
        return (win_game(after, event.round, after.playing),)
    last = tuple(name for name in in_order(before, before.round.order[0], event.out))
    return (win_game(after, event.round, tuple(name for name in last if name != loser) or last),)


def win_game(state: Playing, number: int, winners: tuple[str, ...]) -> GameEnded:
    unit = state.opened.options.unit
    rake = take_rake(state.pot, state.opened.fee, unit=unit)
    left = state.pot - sum(payment.amount for payment in rake)
    rules = ("SH9",) if len(winners) == 1 else ("SH9", "G5")
    return GameEnded(number, winners, (*rake, *share(left, winners, rules, unit=unit)), rules)


def close_table(state: Playing) -> tuple[Fact, ...]:
    """
    Close the table (G9): the running round is void, and the pool is shared among those still in
    with money (G5).
    """
    event = void_round(state, ("G9",))
    after = pay(state, event.payments)
    among = in_order(state, state.round.order[0], without(after, event.out).playing)
    unit = state.opened.options.unit
    payments = share(after.pot, among or state.playing, ("G9", "G5"), unit=unit)
    return (event, GameEnded(event.round, payments=payments, rules=("G9",)))


def follow_leave(state: Playing, loss: Fact) -> tuple[Fact, ...]:
    """
    The consequences of a player who leaves (SH9, SH10): one who is left alone has won; without
    money the game is over.
    """
    after = evolve(state, loss)
    if not isinstance(after, Playing) or len(after.playing) > 1:
        return ()
    event = RoundVoided(after.round.number, after.round.first, rules=("SH10",))
    return (event, *ending(after, event, None))


def fees_due(state: Playing, at: int | None) -> tuple[tuple[Payment, ...], int | None] | None:
    """
    What players pay with the round's first throw (G6), and the time up to which a time charge is
    then paid.
    """
    if state.round.begun:
        return None
    house = house_seat(state.opened.players)
    payers = [name for name in state.round.order if name != house]
    return due(state.opened.fee, payers, state.stakes, at=at, charged_at=state.charged_at)
