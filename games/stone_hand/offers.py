"""What may be done now, and by whom: exactly what `decide` takes."""

from collections.abc import Iterator
from typing import Final

from games import stone
from games.offering import Offering, Row, no_throw
from games.stone_hand.rules import is_terminal
from games.stone_hand.state import Playing, throwing


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
