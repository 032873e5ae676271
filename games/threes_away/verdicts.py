"""What follows in threes away: turns that end, pots won or carried over, rounds that start."""

from collections.abc import Iterable
from typing import Final

from games.fees import give_back, take_rake
from games.messages import Fact
from games.payments import POT, ROLLOVER, Payment, cap
from games.threes_away.hands import DICE
from games.threes_away.messages import (
    GameEnded,
    LateAntePaid,
    RoundRolledOver,
    RoundStarted,
    RoundTied,
    RoundVoided,
    RoundWon,
    TurnEnded,
)
from games.threes_away.state import Coming, Done, Playing, Running, evolve, here, in_order

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
