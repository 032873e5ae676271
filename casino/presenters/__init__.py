"""
Games told in words, for every surface that shows them: one Presenter a game.

Holds for each game its log lines, figures, board rows and explanations, quotations of the rules
(`quoted`), and what the form that opens it asks for (`opening/`). Pure but for `quoted`: most of it
is compiled for tablets, too (`casino.offline`).
Uses `game_streams` (the catalogue) and `platform` (paths).
Begin with `presenter.Presenter`, what a game has to be told by; then a game's own module. How a
game gets its screen: `docs/how-to/floor.md`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from casino.presenters.cinnabar_gate import CinnabarGate
from casino.presenters.dice_breaker import DiceBreaker
from casino.presenters.presenter import Presenter
from casino.presenters.river import River
from casino.presenters.stone_hand import StoneHand
from casino.presenters.threes_away import ThreesAway

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.functional import _StrPromise

__all__ = ["PRESENTERS", "TITLES", "Presenter"]

# By the ruleset's id, in the order in which the house offers them.
TITLES: Final[Mapping[str, _StrPromise]] = {
    "stone-hand": _("Stone Hand"),
    "cinnabar-gate": _("Cinnabar Gate"),
    "river": _("River"),
    "threes-away": _("Threes Away"),
    "dice-breaker": _("Dice Breaker"),
}
PRESENTERS: Final[Mapping[str, Presenter]] = {
    "stone-hand": StoneHand(),
    "cinnabar-gate": CinnabarGate(),
    "river": River(),
    "threes-away": ThreesAway(),
    "dice-breaker": DiceBreaker(),
}
