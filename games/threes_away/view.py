"""The game as a report: what screens and `replay` show, with event numbers for line numbers."""

from functools import partial
from typing import Any

from games.game import History, Named, as_is
from games.history import live
from games.messages import Fact
from games.reporting import Kept, request, rounds, throws
from games.session import GameSession
from games.threes_away.chronicle import RoundStory, chronicle_of
from games.threes_away.explain import payments
from games.threes_away.messages import DiceThrown, RoundWon
from games.threes_away.parse import GAME
from games.threes_away.rules import DECIDER
from games.threes_away.state import (
    Ended,
    Playing,
    Running,
    State,
    Unopened,
    here,
    in_order,
    out,
)


def view(
    history: History,
    *,
    named: Named = as_is,
    sitting: GameSession[State] | None = None,
    kept: Kept | None = None,
) -> dict[str, Any]:
    sitting = sitting or DECIDER.fold(event for _, event in history)
    kept = kept or Kept()
    state, events = sitting.inner, live(history)
    if isinstance(state, Unopened):
        raise TypeError("A game is shown from its opening on.")
    chronicle = chronicle_of(events)
    return {
        "game": GAME,
        **standing(state, named),
        "home_throws": [],
        "pot": state.pot,
        "awaited": state.awaited,
        "pay": None,
        "scores": scores(chronicle.running, named),
        "stakes": {named(player): stake for player, stake in state.stakes.items()},
        "points": {},
        "drinks": {},
        "out": [
            named(player) for player in (state.out if isinstance(state, Ended) else out(state))
        ],
        "winners": [],
        "throws": throws(
            history, {number for number, _ in events}, partial(thrown, named), kept.throws
        ),
        "rounds": rounds(chronicle.ended, partial(ended, named), kept.rounds),
        **running(state, named),
        "requests": [request(each) for each in sitting.requests],
    }


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


def thrown(named: Named, number: int, event: Fact) -> dict[str, Any] | None:
    """Faces on top; `bottoms` is there where they were called (TA8)."""
    if not isinstance(event, DiceThrown):
        return None
    return {
        "event": number,
        "player": named(event.player),
        "dice": list(event.dice),
        "hand": None,
        "score": None,
        **({"bottoms": True} if event.bottoms else {}),
    }


def ended(named: Named, story: RoundStory) -> dict[str, Any]:
    moved = [
        {name: value for name, value in payment.items() if name != "throws"}
        for payment in payments(story, named)
    ]
    return {
        "round": story.number,
        "winners": [named(story.end.winner)] if isinstance(story.end, RoundWon) else [],
        "losers": [],
        "payments": moved,
        "carried": story.carried,
        "scores": scores(story, named),
        **({"void": True} if story.void else {}),
    }
