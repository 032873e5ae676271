"""What may be done now, and by whom: exactly what `decide` takes."""

from collections.abc import Iterator
from typing import Final

from games.dice_breaker.arena import Round, may_hit
from games.dice_breaker.hands import SIDES
from games.dice_breaker.rules import dice_at_the_table, is_terminal
from games.dice_breaker.state import Playing
from games.offering import Offering, Row, buy_ins, no_throw
from games.seats import stake_of_newcomer


def staying(state: Playing) -> tuple[str, ...]:
    return state.playing


def playing(state: Playing) -> Iterator[Row]:
    this = state.round
    yield from breaks(state)
    if state.breaking is None:
        yield from throws(this)
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


def throws(this: Round) -> Iterator[Row]:
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
