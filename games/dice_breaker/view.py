"""The game as a report: what screens and `replay` show, with event numbers, not line numbers."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from games import reporting
from games.dice_breaker.arena import LATENT, TRUMP, Round, all_faces, own_dice
from games.dice_breaker.chronicle import RoundStory, chronicle_of, outcome
from games.dice_breaker.explain import name_die, payments
from games.dice_breaker.explain import row_of_throw as throw_row
from games.dice_breaker.hands import hand_of
from games.dice_breaker.hands import points as worth
from games.dice_breaker.messages import DieThrown, StartBroken
from games.dice_breaker.parse import GAME
from games.dice_breaker.rules import DECIDER
from games.dice_breaker.state import Ended, Playing, State
from games.game import History, Named, as_is
from games.messages import Fact
from games.reporting import Kept, report, rounds, sheet, throws
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
    chronicle = chronicle_of(of.events)
    return report(
        GAME,
        of,
        partial(row_of_throw, named),
        rounds(chronicle.ended, partial(row_of_end, named), of.kept.rounds),
        **standing(state, named),
        points={named(player): str(total) for player, total in state.scores.items()},
        out=[named(player) for player in state.left],
        winners=[named(player) for player in state.winners] if isinstance(state, Ended) else [],
        target=chronicle.target,
        starting=throws(history, of.standing, partial(row_of_start, named), {}),
        **running(state, named),
    )


def standing(state: Playing | Ended, named: Named) -> dict[str, Any]:
    """Who is next, and who threw first in the running round."""
    if isinstance(state, Ended):
        return {}
    return {
        "status": "open",
        "round": state.round.number,
        "first": named(state.round.order[0]) if state.breaking is None else None,
        "next": upcoming(state, named),
    }


def upcoming(state: Playing, named: Named) -> dict[str, list[str]]:
    this = state.round
    if state.breaking is not None:
        return {"players": list(map(named, state.breaking.due)), "may": ["break_start"]}
    if this.turn is not None:
        return {"players": [named(this.turn)], "may": ["throw"]}
    waited_for = [] if this.thrower is None else [named(this.thrower)]
    return {"players": waited_for, "may": ["throw", "stand"] if this.corner else ["stand"]}


def running(state: Playing | Ended, named: Named) -> dict[str, Any]:
    """
    The arena: every die of the running round with its place (hand, caught, arena, out, corner), its
    face and the player for whom it counts (`owner` None: for everybody, or nobody yet); what each
    player's dice make by now and are worth; who alone play on (DB6), and whether a die spins
    (DB10).
    """
    if isinstance(state, Ended):
        return {"arena": [], "hands": {}, "play_off": [], "spinning": False}
    this = state.round
    return {
        "arena": [die_row(die, own, this, named) for die, own in every_die(this)],
        "hands": {
            named(player): hand_row(player, dice, this, named)
            for player, dice in (all_faces(this) if this.hands else {}).items()
        },
        "play_off": list(map(named, state.play_off)),
        "spinning": this.spinning,
    }


def every_die(this: Round) -> Iterator[tuple[str, str | None]]:
    """Each die of the round with the player to whose set it belongs."""
    for player in this.hands:
        for die in own_dice(player):
            yield die, player
    if this.battle and this.hands:
        for die in (TRUMP, *LATENT):
            yield die, None


def die_row(die: str, own: str | None, this: Round, named: Named) -> dict[str, Any]:
    place, owner, face = where(die, own, this)
    return {
        "die": name_die(die, named),
        "set": None if own is None else named(own),
        "place": place,
        "owner": None if owner is None else named(owner),
        "face": face,
    }


def where(die: str, own: str | None, this: Round) -> tuple[str, str | None, int | None]:
    if die in this.lying:
        lying = this.lying[die]
        return ("out" if lying.face is None else "arena"), lying.owner, lying.face
    if die in this.corner:
        return "corner", None, None
    holder = next(player for player, dice in this.hands.items() if die in dice)
    if holder == own:
        return "hand", own, None
    return ("caught", holder, None) if this.begun else ("hand", None, None)


def hand_row(player: str, dice: tuple[int, ...], this: Round, named: Named) -> dict[str, Any]:
    name = hand_of(dice).name
    return {
        "hand": name,
        "points": str(worth(name)),
        "dice": list(dice),
        "to_throw": [name_die(die, named) for die in this.hands[player]],
    }


def row_of_throw(named: Named, number: int, event: Fact) -> dict[str, Any] | None:
    return throw_row(number, event, named) if isinstance(event, DieThrown) else None


def row_of_start(named: Named, number: int, event: Fact) -> dict[str, Any] | None:
    """A break of the starting die as a row (DB1)."""
    if not isinstance(event, StartBroken):
        return None
    return {"event": number, "player": named(event.player), "value": event.value}


def row_of_end(named: Named, story: RoundStory) -> dict[str, Any]:
    moved = payments(story, named)
    return reporting.row_of_end(story.number, outcome(story.end), moved, story.carried, named)
