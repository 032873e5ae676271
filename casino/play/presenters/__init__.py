"""Games told in words, for every surface that shows them: one Presenter a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from casino.play.presenters.cinnabar_gate import CinnabarGate
from casino.play.presenters.dice_breaker import DiceBreaker
from casino.play.presenters.presenter import Presenter
from casino.play.presenters.river import River
from casino.play.presenters.stone_hand import StoneHand
from casino.play.presenters.threes_away import ThreesAway

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
