"""What may be done now, and by whom: exactly what `decide` takes."""

from collections.abc import Iterator
from typing import Final

from games import stone
from games.cinnabar_gate.rules import is_terminal
from games.cinnabar_gate.state import (
    Playing,
    deciding,
    in_round,
    playable,
    throwing,
)
from games.offering import Offering, Row, no_throw
from games.payments import COINS_MAX
from games.seats import stake_of_newcomer


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
