"""The forms that open each game, as data: for the floor and for the house's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.words.presenters.registered import OfEach
from casino.words.presenters.registration import Game

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.words.presenters.opening.fields import Opening

OPENINGS: Final[Mapping[str, Opening]] = OfEach(Game.opening_form)


def forms_of_games() -> list[Opening]:
    """The forms of all games, in the order of the house."""
    return list(OPENINGS.values())


def opening(game: str) -> Opening:
    """The form of a game; that of the first game offered if there is no such game."""
    return OPENINGS.get(game) or forms_of_games()[0]
