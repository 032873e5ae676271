"""
Describes games in words, for every surface that shows them: one package for each game.

A game's own package holds its registration (`registration.Game`) and everything that is shown of
it: log lines, figures, board rows, the form that opens it, odds as tables, how the demo plays it,
its templates, styles and scripts. `registered` finds the packages; no other code of the house knows
a game by its name (docs/decisions/0073). Presenters are pure: they are also compiled for tablets.
Uses `languages` and `engine` (entry points, paths).
Begin with `presenter.Presenter`, which says what a game has to provide; then read a game's own
package. `docs/how-to/write-a-game.md` shows how to write one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.words.presenters.registered import OfEach, Titles
from casino.words.presenters.registration import Game

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.words.presenters.presenter import Presenter

TITLES: Final = Titles()
PRESENTERS: Final[Mapping[str, Presenter]] = OfEach(Game.load_presenter)
