"""
The rules of threes away: what may be done, and what follows from it.
See docs/games/threes-away.md.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from games.commands import Arrive, BringMoney, CashOut, Close, Join, Leave, NoThrow
from games.decider import Decider
from games.dice import Dice, check_dice, check_faces
from games.fees import due, give_back, take_rake
from games.messages import Fact, FeeTaken, TableClosed
from games.payments import POT, ROLLOVER, Payment, cap
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
from games.threes_away.hands import DICE, SIDES, missing, total
from games.threes_away.messages import (
    Command,
    DiceKept,
    DiceThrown,
    GameEnded,
    Keep,
    LateAntePaid,
    Open,
    PlayerLeft,
    RolloverArrived,
    RoundRolledOver,
    RoundStarted,
    RoundTied,
    RoundVoided,
    RoundWon,
    Throw,
    TurnEnded,
    parse,
)
from games.threes_away.opening import open_game
from games.threes_away.state import (
    Coming,
    Done,
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


# What follows in threes away: turns that end, pots won or carried over, rounds that start.


PLAYERS_MIN: Final = 2


def limit_of(step: int, progressive: str) -> int | None:
    """
    The greatest total that wins the `step`-th round since the pot was won (TA7); None: any.

    by_round: 0, 1, 2, 3 …; triangular: 1, 2, 2, 3, 3, 3 ….
    """
    match progressive:
        case "by_round":
            return step - 1
        case "triangular":
            limit = 1
            while limit * (limit + 1) // 2 < step:
                limit += 1
            return limit
        case _:
            return None


def start_round(state: Playing) -> tuple[Fact, ...]:
    """Start the next round, if two can ante for it (TA1, TA10); who cannot ante is out of it."""
    coming = state.round
    if not isinstance(coming, Coming):
        return ()
    able = [name for name in here(state) if name in coming.free or can_ante(state, name)]
    invited = coming.among + coming.waiting
    members = in_order(state, coming.first, able if not invited else set(able) & set(invited))
    order = tuple(name for name in members if not coming.among or name in coming.among)
    if len(order) < PLAYERS_MIN:
        return ()
    event = RoundStarted(
        round=coming.number,
        order=order,
        waiting=tuple(name for name in members if name not in order),
        limit=limit_of(coming.step, state.opened.options.progressive),
        payments=antes(
            state, (name for name in members if name not in coming.free), (coming.ante_rule,)
        ),
    )
    return (event,)


def can_ante(state: Playing, player: str) -> bool:
    return state.stakes[player] >= state.ante


def antes(state: Playing, players: Iterable[str], rules: tuple[str, ...]) -> tuple[Payment, ...]:
    return tuple(Payment(name, POT, state.ante, rules) for name in players)


def follow_money(state: Playing, player: str, rule: str) -> tuple[Fact, ...]:
    """
    What follows when money has come to the table. A round that waited for it starts. If nothing is
    thrown in the running round, `player` joins it, unless others play the pot off.

    :param rule: why the player may come in: G1 for who joins, TA10 for who bought in.
    """
    this = state.round
    if isinstance(this, Coming):
        return start_round(state)
    among = this.coming.among
    kept_out = this.begun or player in this.members or (among and player not in among)
    if kept_out or not can_ante(state, player):
        return ()
    order = in_order(state, this.coming.first, (*this.order, player))
    paid = antes(state, (player,), (this.coming.ante_rule, rule))
    return (LateAntePaid(player, order, paid),)


def bust_above(done: tuple[Done, ...], bust: str) -> int | None:
    """The total above which a turn is lost (TA3); None: no turn is."""
    finished = [each.total for each in done if not each.bust]
    if not finished or bust == "none":
        return None
    return min(finished) if bust == "lowest" else finished[-1]


def turn_over(state: Playing) -> tuple[Fact, ...]:
    """Whether the dice kept end the turn, and what follows (TA2, TA3, TA4)."""
    this = state.round
    if not isinstance(this, Running):
        return ()
    turn, most = this.turn, bust_above(this.done, state.opened.options.bust)
    if most is not None and turn.total > most:
        event = TurnEnded(this.thrower, turn.total, bust=True, rules=("TA3",))
    elif len(turn.kept) < DICE:
        return ()
    else:
        event = finish_turn(state, this)
    after = evolve(state, event)
    return (event, *(verdict(after) if isinstance(after, Playing) else ()))


def finish_turn(state: Playing, this: Running) -> TurnEnded:
    """Finish a turn; a zero costs everybody another ante (TA4), as far as they have it (G2)."""
    if this.turn.total > 0:
        return TurnEnded(this.thrower, this.turn.total, rules=("TA2",))
    payments = tuple(
        payment
        for name in this.members
        for payment in cap(name, POT, state.ante, state.stakes[name], ("TA4",))
    )
    return TurnEnded(this.thrower, 0, payments=payments, rules=("TA2", "TA4"))


def verdict(state: Playing) -> tuple[Fact, ...]:
    """
    The result of the round (TA1, TA5, TA6, TA7), once all have thrown: who has won, or who throws
    on for the pot.
    """
    this = state.round
    if not isinstance(this, Running) or len(this.done) < len(this.order):
        return ()
    total = min(each.total for each in this.done if not each.bust)
    best = tuple(each.player for each in this.done if not each.bust and each.total == total)
    if this.limit is not None and total > this.limit:
        event: Fact = roll_over(this, best, total, this.limit)
    elif len(best) > 1:
        event = tie_round(state, this, best, total)
    else:
        event = win_pot(state, best[0], total)
    return follow_end(state, event)


def follow_end(state: Playing, event: Fact) -> tuple[Fact, ...]:
    """The end of a round, and the antes of the next one (TA1)."""
    after = evolve(state, event)
    return (event, *(start_round(after) if isinstance(after, Playing) else ()))


def win_pot(state: Playing, winner: str, total: int | None) -> RoundWon:
    """
    Win the pot (TA1, TA9), less the rake (G6). A play-off can also be won by being the last to stay
    (TA6).
    """
    rake = take_rake(state.pot, state.opened.fee, unit=state.opened.options.unit)
    prize = state.pot - sum(payment.amount for payment in rake)
    limited = isinstance(state.round, Running) and state.round.limit is not None
    rules = ("TA6",) if total is None else ("TA1", "TA7") if limited else ("TA1",)
    return RoundWon(
        round=state.round.number,
        winner=winner,
        total=total,
        first=winner,
        payments=(*rake, Payment(POT, winner, prize, rules)),
        rules=(*rules, "TA9"),
    )


def tie_round(state: Playing, this: Running, best: tuple[str, ...], total: int) -> RoundTied:
    """A tied round: all who are in it play again (TA5); at zero only the tied do (TA6)."""
    options = state.opened.options
    if total == 0:
        return RoundTied(
            round=this.number,
            players=best,
            total=total,
            first=best[0],
            among=best,
            waiting=tuple(name for name in this.members if name not in best),
            free=this.members if options.zero_tie_ante == "none" else (),
            rules=("TA6",),
        )
    return RoundTied(
        round=this.number,
        players=best,
        total=total,
        first=this.order[0],
        among=players_in_play_off(this),
        waiting=this.waiting,
        free=() if options.tie_ante else this.members,
        rules=("TA5", "TA9"),
    )


def players_in_play_off(this: Running) -> tuple[str, ...]:
    """Who plays for the pot alone until it is won (TA6); nobody in a round that is open to all."""
    return this.order if this.coming.among else ()


def roll_over(this: Running, best: tuple[str, ...], total: int, limit: int) -> RoundRolledOver:
    return RoundRolledOver(
        round=this.number,
        players=best,
        total=total,
        limit=limit,
        first=this.order[0],
        among=players_in_play_off(this),
        waiting=this.waiting,
        rules=("TA7", "TA9"),
    )


def back(staked: Iterable[Payment], rules: tuple[str, ...]) -> tuple[Payment, ...]:
    """Payments that give players back what they paid into the pot in a round, one for each."""
    owed: dict[str, int] = {}
    for payment in staked:
        owed[payment.payer] = owed.get(payment.payer, 0) + payment.amount
    return tuple(Payment(POT, player, coins, rules) for player, coins in owed.items())


def make_void(this: Running, rules: tuple[str, ...]) -> RoundVoided:
    """
    Void the round (G9): what was paid into it goes back, seat fees too (G6), and the same player
    begins again.
    """
    return RoundVoided(
        round=this.number,
        first=this.coming.first,
        free=this.coming.free,
        payments=(*back(this.staked, rules), *give_back(this.seat_fees)),
        rules=rules,
    )


def follow_leave(state: Playing) -> tuple[Fact, ...]:
    """What follows a departure: a player alone plays no round (TA1), but wins a play-off (TA6)."""
    match state.round:
        case Running() as this if len(this.order) < PLAYERS_MIN:
            if this.coming.among:
                return follow_end(state, win_pot(state, this.order[0], None))
            return follow_end(state, make_void(this, ("G1", "TA1")))
        case Coming(among=(alone,)):
            return follow_end(state, win_pot(state, alone, None))
        case _:
            return ()


def close_table(state: Playing) -> tuple[Fact, ...]:
    """Close the table (G9, TA10): the running round is void; what was carried in rolls over."""
    this = state.round
    if isinstance(this, Coming):
        return (end_game(state, max(1, this.number - 1)),)
    event = make_void(this, ("G9",))
    after = evolve(state, event)
    return (event, end_game(after if isinstance(after, Playing) else state, this.number))


def end_game(state: Playing, number: int) -> GameEnded:
    rules = ("G9", "TA10")
    payments = (Payment(POT, ROLLOVER, state.pot, rules),) if state.pot else ()
    return GameEnded(number, payments, rules if payments else ("G9",))
