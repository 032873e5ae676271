"""What follows from a hand that is taken, or from a player who leaves: who wins, who loses."""

from collections.abc import Callable, Iterable

from games.cinnabar_gate.hands import PAY_AT_START, badness
from games.cinnabar_gate.messages import RoundRestarted, TieCalled
from games.cinnabar_gate.payouts import RULES_OF_VARIANT, Verdict, make_void, settle
from games.cinnabar_gate.state import Playing, Taken, Tie, in_order, throwing
from games.messages import Fact


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
