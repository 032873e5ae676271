"""The game as a report: what screens and `replay` show, with event numbers, not line numbers."""

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from games import reporting
from games.game import NO_ROUND, History, Leaders, Named, Outcome, as_is
from games.messages import Fact
from games.offering import Offering, Row, buy_ins, no_throw
from games.reporting import Kept, report, rounds, sheet
from games.seats import stake_of_newcomer
from games.session import GameSession
from games.threes_away.explain import RoundStory, chronicle_of, payments
from games.threes_away.hands import SIDES
from games.threes_away.messages import GAME, DiceThrown, RoundWon
from games.threes_away.rules import DECIDER, is_terminal
from games.threes_away.state import Ended, Playing, Running, State, here, in_game, in_order, out


def view(
    history: History,
    *,
    named: Named = as_is,
    session: GameSession[State] | None = None,
    kept: Kept | None = None,
) -> dict[str, Any]:
    of = sheet(history, named, session, kept, DECIDER)
    state: Playing | Ended = of.session.inner
    chronicle = chronicle_of(of.events)
    return report(
        GAME,
        of,
        partial(row_of_throw, named),
        rounds(chronicle.ended, partial(row_of_end, named), of.kept.rounds),
        **standing(state, named),
        awaited=state.awaited,
        scores=scores(chronicle.running, named),
        out=[named(player) for player in (state.out if isinstance(state, Ended) else out(state))],
        **running(state, named),
    )


def standing(state: Playing | Ended, named: Named) -> dict[str, Any]:
    """Who is next, and who throws first in the running or the next round."""
    nobody: dict[str, list[str]] = {"players": [], "may": []}
    if isinstance(state, Ended):
        return {"status": "closed", "round": state.round, "first": None, "next": nobody}
    this = state.round
    if isinstance(this, Running):
        may = ["keep" if this.turn.thrown else "throw"]
        throws = nobody if this.thrown else {"players": [named(this.thrower)], "may": may}
        return {
            "status": "open",
            "round": this.number,
            "first": named(this.order[0]),
            "next": throws,
        }
    first = next(iter(in_order(state, this.first, this.among or here(state))), None)
    return {
        "status": "open",
        "round": this.number,
        "first": None if first is None else named(first),
        "next": nobody,
    }


def scores(story: RoundStory, named: Named) -> dict[str, int | str]:
    return {named(player): score for player, score in story.scores().items()}


def running(state: Playing | Ended, named: Named) -> dict[str, Any]:
    """
    What screens show beside the report: who plays the pot off and who watches, the greatest total
    that can win (TA7), and the dice of the turn, faces on top.
    """
    if isinstance(state, Ended):
        return {"tied": [], "sitting_out": [], "limit": None, "turn": None}
    this = state.round
    if not isinstance(this, Running):
        tied, waiting = map(named, this.among), map(named, this.waiting)
        return {"tied": list(tied), "sitting_out": list(waiting), "limit": None, "turn": None}
    turn = this.turn
    return {
        "tied": [named(player) for player in this.order] if this.coming.among else [],
        "sitting_out": [named(player) for player in this.waiting],
        "limit": this.limit,
        "turn": None
        if this.thrown
        else {
            "player": named(this.thrower),
            "kept": list(turn.kept),
            "total": turn.total,
            "thrown": list(turn.thrown),
            "bottoms": turn.bottoms,
        },
    }


def row_of_throw(named: Named, number: int, event: Fact) -> dict[str, Any] | None:
    """A throw as a row: faces on top, with `bottoms` if they were called (TA8)."""
    if not isinstance(event, DiceThrown):
        return None
    row = reporting.throw(number, named(event.player), event.dice)
    return {**row, **({"bottoms": True} if event.bottoms else {})}


def row_of_end(named: Named, story: RoundStory) -> dict[str, Any]:
    """An ended round as a row; it is also void if it never started (TA1)."""
    how, moved = Outcome(winners=winners(story), void=story.void), payments(story, named)
    row = reporting.row_of_end(story.number, how, moved, story.carried, named)
    return {**row, "scores": scores(story, named)}


def winners(story: RoundStory) -> tuple[str, ...]:
    return (story.end.winner,) if isinstance(story.end, RoundWon) else ()


# What may be done now, and by whom: exactly what `decide` takes.


def staying(state: Playing) -> tuple[str, ...]:
    return tuple(name for name in state.seats if in_game(state, name))


def playing(state: Playing) -> Iterator[Row]:
    this = state.round
    if isinstance(this, Running):
        yield from turn(state, this)
    if not (isinstance(this, Running) and this.begun):
        yield {
            "do": "join",
            "back": list(state.left),
            "stake": stake_of_newcomer(state.opened.players),
        }
        for player in here(state):
            yield {"do": "leave", "player": player}
    yield from buy_ins(here(state))
    yield {"do": "close"}


def turn(state: Playing, this: Running) -> Iterator[Row]:
    player, now = this.thrower, this.turn
    if now.thrown:
        yield {"do": "keep", "player": player, "of": list(now.thrown)}
        return
    dice = {"dice": now.dice, "sides": SIDES}
    bottoms = state.opened.options.bottoms
    yield {"do": "throw", "player": player, **dice, "keep": True, "bottoms": bottoms}
    yield no_throw(player, **dice)


OFFERING: Final = Offering(playing, staying, over=is_terminal)


# Who leads for the pot in threes away, before a throw.


def leaders(state: State) -> Leaders:
    """
    Who leads the round: the lowest total of the turns that have ended, if it can win the pot (TA1,
    TA3, TA7).
    """
    if not isinstance(state, Playing) or not isinstance(state.round, Running):
        return NO_ROUND
    this = state.round
    totals = {
        each.player: each.total
        for each in this.done
        if not each.bust and (this.limit is None or each.total <= this.limit)
    }
    lowest = min(totals.values(), default=0)
    return Leaders(tuple(player for player, total in totals.items() if total == lowest))
