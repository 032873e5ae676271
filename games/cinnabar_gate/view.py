"""The game as a report: what screens and `replay` show, with event numbers, not line numbers."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any, Final

from games import stone
from games.cinnabar_gate.explain import EXPLAINING, RoundStory, chronicle_of
from games.cinnabar_gate.hands import shows_up
from games.cinnabar_gate.messages import GAME, DiceThrown, HomeDiceThrown
from games.cinnabar_gate.rules import DECIDER, best_in, is_terminal, pool, worst_of
from games.cinnabar_gate.state import (
    Ended,
    Playing,
    State,
    Taken,
    deciding,
    in_round,
    playable,
    throwing,
)
from games.game import NO_ROUND, History, Leaders, Named, as_is
from games.messages import Fact
from games.offering import Offering, Row, no_throw
from games.payments import COINS_MAX
from games.reporting import Kept, report, rounds, sheet, throw
from games.seats import stake_of_newcomer
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


# What may be done now, and by whom: exactly what `decide` takes.


def staying(state: Playing) -> tuple[str, ...]:
    """The players whose money is still played for."""
    return tuple(name for name in state.seats if in_round(state, name))


def playing(state: Playing) -> Iterator[Row]:
    dice = {"dice": stone.DICE, "sides": stone.SIDES}
    if state.homes is None:
        yield {"do": "throw_home", **dice}
    for player in throwing(state):
        yield {"do": "throw", "player": player, **dice}
    if (turn := deciding(state)) is not None:
        yield {"do": "stand", "player": turn.player}
    for player in throwing(state):
        yield no_throw(player, **dice)
    for player in state.playing:
        yield {"do": "leave", "player": player}
    if not state.round.begun:
        yield from comings(state)
    yield {"do": "close"}


def comings(state: Playing) -> Iterator[Row]:
    """
    Who may join or bring more money, and how much (CG1, G10).

    `back` lists those who have left and may come back; what they have here counts towards `least`
    and `most`.
    """
    opened = state.opened
    room = COINS_MAX - sum(state.stakes.values()) - state.pot
    for_money = opened.options.variant != "arcade"
    least, greatest = (opened.stake_min or 1, opened.stake_max) if for_money else (0, None)
    most = room if greatest is None else min(room, greatest)
    limits = {
        "stake": stake_of_newcomer(opened.players, opened.stake),
        "least": least,
        "most": most,
    }
    if most >= least:
        yield {"do": "join", "back": list(state.away), **limits}
    if opened.options.variant == "table":
        for player in state.seats:
            if player not in state.away:
                yield from buy_in(state, player, room)


def buy_in(state: Playing, player: str, room: int) -> Iterator[Row]:
    opened, here = state.opened, playable(state, player)
    least = max(1, (opened.stake_min or 1) - here) if player in state.out else 1
    most = room if opened.stake_max is None else min(room, opened.stake_max - here)
    if most >= least:
        yield {"do": "buy_in", "player": player, "least": least, "most": most}


OFFERING: Final = Offering(playing, staying, over=is_terminal)


# Who would win in Cinnabar Gate, or pay the pool, before a throw.


def leaders(state: State) -> Leaders:
    """
    Who leads the round: who has the best hand so far, among those who are still here (CG6). In a
    pool, who has the worst hand, or whoever has left (CG1, CG11). In a tie, who leads by its throws
    so far (CG7).
    """
    if not isinstance(state, Playing):
        return NO_ROUND
    this = state.round
    if this.tie is not None:
        pays = this.tie.end == "worst"
        held = this.tie.throws
        if not held:
            return Leaders(pays=pays)
        return Leaders(worst_of(state, held) if pays else best_in(state, held), pays)
    turn = this.turn
    held = this.taken
    if turn is not None and turn.hand is not None and not shows_up(turn.hand):
        held = (*held, Taken(turn.player, turn.hand))
    if pool(state):
        worst = worst_of(state, held) if held else ()
        return Leaders(this.left or worst, pays=True)
    held = tuple(each for each in held if each.player not in this.left)
    return Leaders(best_in(state, held) if held else ())
