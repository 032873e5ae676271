"""The game as a report: what screens and `replay` show, with event numbers, not line numbers."""

from fractions import Fraction
from functools import partial
from typing import Any

from games.cinnabar_gate.chronicle import RoundStory, chronicle_of
from games.cinnabar_gate.explain import EXPLAINING
from games.cinnabar_gate.messages import DiceThrown, HomeDiceThrown
from games.cinnabar_gate.parse import GAME
from games.cinnabar_gate.rules import DECIDER
from games.cinnabar_gate.state import Ended, Playing, State, deciding, throwing
from games.game import History, Named, as_is
from games.messages import Fact
from games.reporting import Kept, report, rounds, sheet, throw
from games.session import GameSession


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
        pay=state.round.pay if isinstance(state, Playing) else None,
        points=points(state, stories, named),
        out=[named(player) for player in state.out],
        winners=[named(player) for player in state.winners] if isinstance(state, Ended) else [],
        **running(state, named),
        pockets={named(player): coins for player, coins in state.pockets.items()},
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
    return ["throw"] if deciding(state) is None else ["throw", "stand"]


def running(state: Playing | Ended, named: Named) -> dict[str, Any]:
    """
    What screens show beside the report: who throws a tie out and for which end (CG7), who sits the
    round out (CG11), who left during it (CG1), and the chances that the turn has used.
    """
    if isinstance(state, Ended):
        return {"tied": [], "tied_for": None, "sitting_out": [], "gone": [], "turn": None}
    this = state.round
    turn = this.turn
    return {
        "tied": [named(player) for player in this.tie.players] if this.tie else [],
        "tied_for": this.tie.end if this.tie else None,
        "sitting_out": [named(player) for player in this.sitting],
        "gone": [named(player) for player in this.left],
        "turn": None
        if turn is None
        else {"player": named(turn.player), "junk": turn.junk, "again": turn.again},
    }


def points(state: Playing | Ended, stories: list[RoundStory], named: Named) -> dict[str, str]:
    """Points of an arcade game (CG11), by player."""
    if state.opened.options.variant != "arcade":
        return {}
    scored = dict.fromkeys(state.seats, Fraction())
    for story in stories:
        for player, more in story.end.points if story.end else ():
            scored[player] += more
    return {named(player): str(total) for player, total in scored.items()}


def row_of_throw(named: Named, number: int, event: Fact) -> dict[str, Any] | None:
    if not isinstance(event, DiceThrown | HomeDiceThrown):
        return None
    player, score = (
        (named(event.player), event.score) if isinstance(event, DiceThrown) else (None, None)
    )
    return throw(number, player, event.dice, event.hand, score)
