"""Stone Hand: the game's registration (docs/decisions/0073)."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.engine.processes import paths
from casino.words.presenters.registration import THREE_D8, Chosen, Game

GAME: Final = Game(
    id="stone-hand",
    title=_("Stone Hand"),
    place=10,
    package=__name__,
    rules="games.stone_hand",
    rulesets=("STONE_HAND",),
    options="messages:Options",
    letters="SH",
    page=paths.RULES / "stone-hand.md",
    dice=THREE_D8,
    presenter="presenter:StoneHand",
    opening="opening:OPENING",
    throws="api:THROWS",
    chosen=Chosen(
        either=frozenset({"throw", "stand"}),
        ranking=frozenset({"mode", "runs", "homes", "triads", "sole", "rethrow", "point_to"}),
        sight=("homes",),
    ),
    odds="odds:ODDS",
    demo="demo:DEMO",
    api="api:API",
)
