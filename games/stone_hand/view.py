"""The game as a report: what screens and `replay` show, with event numbers, not line numbers."""

from fractions import Fraction
from functools import partial
from typing import Any

from games.game import History, Named, as_is
from games.messages import Fact
from games.reporting import Kept, report, rounds, sheet, throw
from games.session import GameSession
from games.stone_hand.chronicle import RoundStory, chronicle_of
from games.stone_hand.explain import EXPLAINING
from games.stone_hand.messages import DiceThrown, HomeDiceThrown, RoundLost
from games.stone_hand.parse import GAME
from games.stone_hand.rules import DECIDER
from games.stone_hand.state import Ended, Playing, State, seats, throwing


def view(
    history: History,
    *,
    named: Named = as_is,
    session: GameSession[State] | None = None,
    kept: Kept | None = None,
) -> dict[str, Any]:
    of = sheet(history, named, session, kept, DECIDER)
    state: Playing | Ended = of.session.inner
    stories = chronicle_of(of.events).ended
    return report(
        GAME,
        of,
        partial(row_of_throw, named),
        rounds(stories, partial(EXPLAINING.ended, named), of.kept.rounds),
        **standing(state, named),
        home_throws=[list(home) for home in state.homes or ()],
        points=points(state, stories, named),
        drinks=drinks(state, stories, named),
        out=[named(player) for player in state.out],
        winners=[named(player) for player in state.winners] if isinstance(state, Ended) else [],
        **running(state, named),
    )


def standing(state: Playing | Ended, named: Named) -> dict[str, Any]:
    """Who is next, and who threw first in the running round."""
    if isinstance(state, Ended):
        return {}
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
    """Points of a scoreboard game (SH13), by player."""
    if state.opened.options.mode != "scoreboard":
        return {}
    scored = dict.fromkeys(seats(state), Fraction())
    for story in stories:
        for player, more in story.end.points if story.end else ():
            scored[player] += more
    return {named(player): str(total) for player, total in scored.items()}


def drinks(state: Playing | Ended, stories: list[RoundStory], named: Named) -> dict[str, int]:
    """The drinks that each player owes (SH12)."""
    if state.opened.options.mode != "drinks":
        return {}
    owed = dict.fromkeys(seats(state), 0)
    for story in stories:
        if isinstance(story.end, RoundLost):
            owed[story.end.loser] += story.end.drinks
    return {named(player): total for player, total in owed.items()}


def row_of_throw(named: Named, number: int, event: Fact) -> dict[str, Any] | None:
    if not isinstance(event, DiceThrown | HomeDiceThrown):
        return None
    player, score = (
        (named(event.player), event.score) if isinstance(event, DiceThrown) else (None, None)
    )
    return throw(number, player, event.dice, event.hand, score)
