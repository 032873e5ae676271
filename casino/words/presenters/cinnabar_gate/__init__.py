"""Cinnabar Gate: the game's registration (docs/decisions/0073)."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.engine.processes import paths
from casino.words.presenters.registration import THREE_D8, Chosen, Game

GAME: Final = Game(
    id="cinnabar-gate",
    title=_("Cinnabar Gate"),
    place=20,
    package=__name__,
    rules="games.cinnabar_gate",
    rulesets=("CINNABAR_GATE",),
    options="messages:Options",
    letters="CG",
    page=paths.RULES / "cinnabar-gate.md",
    dice=THREE_D8,
    presenter="presenter:CinnabarGate",
    opening="opening:OPENING",
    throws="api:THROWS",
    home_throw="opening:check_home_throw",
    chosen=Chosen(
        either=frozenset({"throw", "stand"}),
        ranking=frozenset(
            {
                "variant",
                "runs",
                "homes",
                "junk_order",
                "pair_value",
                "junk_rethrows",
                "empty",
                "ties",
                "opal",
            }
        ),
        sight=("homes", "playing"),
    ),
    odds="odds:ODDS",
    demo="demo:DEMO",
    api="api:API",
)
