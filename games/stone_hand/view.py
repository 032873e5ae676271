"""The game as a report: what screens and `replay` show, with event numbers, not line numbers."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any, Final

from games import stone
from games.game import NO_ROUND, History, Leaders, Named, as_is
from games.messages import Fact
from games.offering import Offering, Row, no_throw
from games.reporting import Kept, report, rounds, sheet, throw
from games.session import GameSession
from games.stone_hand.explain import EXPLAINING, RoundStory, chronicle_of
from games.stone_hand.hands import badness
from games.stone_hand.messages import GAME, DiceThrown, HomeDiceThrown, RoundLost
from games.stone_hand.rules import DECIDER, is_terminal, worst_of
from games.stone_hand.state import Ended, PlayerHand, Playing, State, seats, throwing


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


# What may be done now, and by whom: exactly what `decide` takes.


def staying(state: Playing) -> tuple[str, ...]:
    return state.playing


def playing(state: Playing) -> Iterator[Row]:
    dice = {"dice": stone.DICE, "sides": stone.SIDES}
    if state.homes is None:
        yield {"do": "throw_home", **dice}
    for player in throwing(state):
        yield {"do": "throw", "player": player, **dice}
    if state.round.deciding:
        yield {"do": "stand", "player": state.round.standing[-1].player}
    for player in throwing(state):
        yield no_throw(player, **dice)
    if not state.round.begun:
        for player in state.playing:
            yield {"do": "leave", "player": player}
    yield {"do": "close"}


OFFERING: Final = Offering(playing, staying, over=is_terminal)


# Who would pay in stone hand, or score, before a throw.


def leaders(state: State) -> Leaders:
    """
    Who leads the round: who has the worst hand so far and would pay (SH4); among those who throw a
    tie out, who has the worst tie throw so far (SH5). On a scoreboard, who has the best hand or the
    lowest score and would score (SH13); a tie still names the loser there.
    """
    if not isinstance(state, Playing):
        return NO_ROUND
    this = state.round
    if this.tied:
        return _of_tie(this.tie_throws)
    standing = tuple(each for each in this.standing if each.hand is not None)
    if state.opened.options.mode != "scoreboard":
        return _worst(standing)
    if not standing:
        return Leaders()
    by_score = state.opened.options.point_to == "lowest_score"
    ranks = {
        each.player: (each.hand.score or 0,) if by_score else badness(each.hand)
        for each in standing
        if each.hand is not None
    }
    best = min(ranks.values())
    return Leaders(tuple(player for player, rank in ranks.items() if rank == best))


def _of_tie(throws: tuple[PlayerHand, ...]) -> Leaders:
    """Who would lose a tie (SH5): a triad at once, a home throw never; else the worst so far."""
    named = {each.player: each.hand.name for each in throws if each.hand is not None}
    if triads := tuple(player for player, hand in named.items() if hand == "triad"):
        return Leaders(triads, pays=True)
    return _worst(tuple(each for each in throws if named[each.player] != "home"))


def _worst(standing: tuple[PlayerHand, ...]) -> Leaders:
    worst = worst_of(standing) if standing else ()
    return Leaders(tuple(each.player for each in worst), pays=True)
