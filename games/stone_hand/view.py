"""The game as a report: what screens and `replay` show, with event numbers for line numbers."""

from fractions import Fraction
from functools import partial
from typing import Any

from games.game import History, Named, as_is
from games.history import live
from games.messages import Fact
from games.reporting import Kept, request, rounds, throws
from games.session import GameSession
from games.stone_hand.chronicle import RoundStory, chronicle_of
from games.stone_hand.explain import payments
from games.stone_hand.messages import DiceThrown, HomeDiceThrown, RoundLost, RoundVoided
from games.stone_hand.parse import GAME
from games.stone_hand.rules import DECIDER
from games.stone_hand.state import Ended, Playing, State, Unopened, seats, throwing


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
    stories = chronicle_of(events).ended
    return {
        "game": GAME,
        **standing(state, named),
        "home_throws": [list(home) for home in state.homes or ()],
        "pot": state.pot,
        "pay": None,
        "scores": {},
        "stakes": {named(player): stake for player, stake in state.stakes.items()},
        "points": points(state, stories, named),
        "drinks": drinks(state, stories, named),
        "out": [named(player) for player in state.out],
        "winners": [named(player) for player in state.winners] if isinstance(state, Ended) else [],
        "throws": throws(
            history, {number for number, _ in events}, partial(thrown, named), kept.throws
        ),
        "rounds": rounds(stories, partial(ended, named), kept.rounds),
        **running(state, named),
        "requests": [request(each) for each in sitting.requests],
    }


def standing(state: Playing | Ended, named: Named) -> dict[str, Any]:
    """Who is next, and who threw first in the running round."""
    if isinstance(state, Ended):
        nobody: dict[str, list[str]] = {"players": [], "may": []}
        return {"status": "closed", "round": state.round, "first": None, "next": nobody}
    this = state.round
    return {
        "status": "open",
        "round": this.number,
        "first": named(this.order[0]) if this.order else None,  # before the game ends
        "next": {"players": [named(each) for each in throwing(state)[:1]], "may": may(state)},
    }


def may(state: Playing) -> list[str]:
    if state.homes is None:
        return ["throw_home"]
    return ["throw", "stand"] if state.round.deciding else ["throw"]


def running(state: Playing | Ended, named: Named) -> dict[str, list[str]]:
    """Who throws again to name the loser, and who sits the round out."""
    if isinstance(state, Ended):
        return {"tied": [], "sitting_out": []}
    this = state.round
    return {"tied": list(map(named, this.tied)), "sitting_out": list(map(named, this.sitting))}


def points(state: Playing | Ended, stories: list[RoundStory], named: Named) -> dict[str, str]:
    """SH13."""
    if state.opened.options.mode != "scoreboard":
        return {}
    scored = dict.fromkeys(seats(state), Fraction())
    for story in stories:
        for player, more in story.end.points if story.end else ():
            scored[player] += more
    return {named(player): str(total) for player, total in scored.items()}


def drinks(state: Playing | Ended, stories: list[RoundStory], named: Named) -> dict[str, int]:
    """SH12: what each owes."""
    if state.opened.options.mode != "drinks":
        return {}
    owed = dict.fromkeys(seats(state), 0)
    for story in stories:
        if isinstance(story.end, RoundLost):
            owed[story.end.loser] += story.end.drinks
    return {named(player): total for player, total in owed.items()}


def thrown(named: Named, number: int, event: Fact) -> dict[str, Any] | None:
    if not isinstance(event, DiceThrown | HomeDiceThrown):
        return None
    player, score = (
        (named(event.player), event.score) if isinstance(event, DiceThrown) else (None, None)
    )
    return {
        "event": number,
        "player": player,
        "dice": list(event.dice),
        "hand": event.hand,
        "score": score,
    }


def ended(named: Named, story: RoundStory) -> dict[str, Any]:
    moved = [
        {name: value for name, value in payment.items() if name != "throws"}
        for payment in payments(story, named)
    ]
    return {
        "round": story.number,
        "winners": [named(player) for player, _ in story.end.points] if story.end else [],
        "losers": [named(story.end.loser)] if isinstance(story.end, RoundLost) else [],
        "payments": moved,
        "carried": story.carried,
        **({"void": True} if isinstance(story.end, RoundVoided) else {}),
    }
