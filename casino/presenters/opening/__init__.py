"""What opening a game asks for, game by game, as data: for the floor and for the house's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.game_streams.catalogue import RULESETS
from casino.presenters import PRESENTERS, TITLES
from casino.presenters.opening.cinnabar_gate import CINNABAR_GATE
from casino.presenters.opening.dice_breaker import DICE_BREAKER
from casino.presenters.opening.river import RIVER
from casino.presenters.opening.stone_hand import STONE_HAND
from casino.presenters.opening.threes_away import THREES_AWAY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.presenters.opening.fields import Opening

OPENINGS: Final[Mapping[str, Opening]] = {
    each.game: each for each in (STONE_HAND, CINNABAR_GATE, RIVER, THREES_AWAY, DICE_BREAKER)
}


def offered() -> list[Opening]:
    """The games of the catalogue that can be told on the floor."""
    played = {ruleset.id for ruleset in RULESETS} & PRESENTERS.keys()
    return [OPENINGS[game] for game in TITLES if game in played]


def opening(game: str) -> Opening:
    """The form of a game; of the first that is offered, where there is no such game."""
    return OPENINGS.get(game) or offered()[0]
