"""Threes Away: the game's registration (docs/decisions/0073)."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.engine.processes import paths
from casino.words.presenters.registration import Chosen, DiceKind, Game

GAME: Final = Game(
    id="threes-away",
    title=_("Threes Away"),
    place=40,
    package=__name__,
    rules="games.threes_away",
    rulesets=("THREES_AWAY",),
    options="messages:Options",
    letters="TA",
    page=paths.RULES / "threes-away.md",
    dice=DiceKind("threes", "T", 6, 5, _("Sets of five d6, for %(games)s")),
    presenter="presenter:ThreesAway",
    opening="opening:OPENING",
    throws="api:THROWS",
    rolls_over=True,
    chosen=Chosen(
        always=frozenset({"throw", "keep"}), ranking=frozenset({"zero", "bust", "bottoms"})
    ),
    odds="odds:ODDS",
    demo="demo:DEMO",
    api="api:API",
)
