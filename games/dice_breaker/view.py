"""The game as a report: what screens and `replay` show, with event numbers, not line numbers."""

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from games import reporting
from games.dice_breaker.arena import LATENT, TRUMP, Round, all_faces, may_hit, own_dice
from games.dice_breaker.explain import RoundStory, chronicle_of, name_die, outcome, payments
from games.dice_breaker.explain import row_of_throw as throw_row
from games.dice_breaker.hands import SIDES, hand_of, strength
from games.dice_breaker.hands import points as worth
from games.dice_breaker.messages import GAME, DieThrown, StartBroken
from games.dice_breaker.rules import DECIDER, dice_at_the_table, is_terminal
from games.dice_breaker.state import Ended, Playing, State
from games.game import NO_ROUND, History, Leaders, Named, as_is
from games.messages import Fact
from games.offering import Offering, Row, buy_ins, no_throw
from games.reporting import Kept, report, rounds, sheet, throws
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


# What may be done now, and by whom: exactly what `decide` takes.


def staying(state: Playing) -> tuple[str, ...]:
    return state.playing


def playing(state: Playing) -> Iterator[Row]:
    this = state.round
    yield from breaks(state)
    if state.breaking is None:
        yield from throw_rows(this)
    if this.turn is None and this.spinning and this.thrower is not None:
        yield {"do": "stand", "player": this.thrower}
    for player in acting(state):
        yield no_throw(player, dice=dice_at_the_table(state), sides=SIDES)
    if not this.begun:
        yield from coming_and_going(state)
    if state.ante:
        yield from buy_ins(state.playing)
    yield {"do": "close"}


def breaks(state: Playing) -> Iterator[Row]:
    for player in state.breaking.due if state.breaking else ():
        yield {"do": "break_start", "player": player, "sides": SIDES}


def acting(state: Playing) -> tuple[str, ...]:
    """Who may act: who breaks the starting die, or throws, or has thrown the die that spins."""
    if state.breaking is not None:
        return state.breaking.due
    player = state.round.turn or state.round.thrower
    return () if player is None else (player,)


def throw_rows(this: Round) -> Iterator[Row]:
    """
    Throws that are possible. `die`: the names of the dice that may be thrown; `hits`: of those that
    may be broken, or leave the arena; `catchers`: who may catch one. `spinning`: whether `spinning`
    must be said with the throw.
    """
    if this.turn is not None:
        yield {
            **offer_throw(this, this.turn),
            "die": list(throwable(this, this.turn)),
            "may_spin": this.battle,
            "spinning": False,
        }
    if this.corner and this.moving:
        for player in this.order:
            yield {
                **offer_throw(this, player),
                "die": list(this.corner),
                "may_spin": True,
                "spinning": not this.spinning,
            }


def offer_throw(this: Round, player: str) -> Row:
    return {
        "do": "throw",
        "player": player,
        "sides": SIDES,
        "hits": [die for die in this.lying if may_hit(this, player, die)],
        "catchers": list(this.order),
    }


def throwable(this: Round, player: str) -> tuple[str, ...]:
    """The dice that a player may throw; in a battle the trump comes before anything else (DB9)."""
    return this.hands[player] if this.begun or not this.battle else this.hands[player][:1]


def coming_and_going(state: Playing) -> Iterator[Row]:
    if not state.play_off:
        agreed = stake_of_newcomer(state.opened.players) if state.ante else None
        yield {"do": "join", "back": list(state.left), "stake": agreed, "least": state.ante}
    for player in state.playing:
        yield {"do": "leave", "player": player}


OFFERING: Final = Offering(playing, staying, over=is_terminal)


# Who has the highest hand in dice breaker, before a throw.


def leaders(state: State) -> Leaders:
    """Who has the highest hand in the arena (DB5); a player with nothing so far does not lead."""
    if not isinstance(state, Playing) or not state.round.hands:
        return NO_ROUND
    made = {player: hand_of(dice) for player, dice in all_faces(state.round).items()}
    tie_by = state.opened.options.tie_by
    ranks = {
        player: strength(hand, tie_by) for player, hand in made.items() if hand.name != "nothing"
    }
    if not ranks:
        return Leaders()
    highest = max(ranks.values())
    return Leaders(tuple(player for player, rank in ranks.items() if rank == highest))
