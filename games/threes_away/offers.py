"""What may be done now, and by whom: exactly what `decide` takes."""

from collections.abc import Iterator
from typing import Final

from games.offering import Offering, Row, buy_ins, no_throw
from games.seats import stake_of_newcomer
from games.threes_away.hands import SIDES
from games.threes_away.rules import is_terminal
from games.threes_away.state import Playing, Running, here, in_game


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
