"""
Games told in words, for every surface that shows them: a package a game.

A game's own package is its registration (`registration.Game`) and all that is shown of it: log
lines, figures, board rows, the form that opens it, odds as tables, the demo's ways, its templates,
styles and scripts. `registered` finds them all; nothing else of the house knows a game by its name
(docs/decisions/0073). Presenters are pure: they are compiled for tablets, too (`casino.offline`).
Uses `languages` and `platform` (entry points, paths).
Begin with `presenter.Presenter`, what a game has to be told by; then a game's own package. How one
is written: `docs/how-to/write-a-game.md`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.presenters.registered import OfEach, Titles
from casino.presenters.registration import Game

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.presenters.presenter import Presenter

TITLES: Final = Titles()
PRESENTERS: Final[Mapping[str, Presenter]] = OfEach(Game.load_presenter)
