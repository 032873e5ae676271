"""River: the game's registration (docs/decisions/0073)."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.engine.processes import paths
from casino.words.presenters.registration import Chosen, DiceKind, Game

GAME: Final = Game(
    id="river",
    title=_("River"),
    place=30,
    package=__name__,
    rules="games.river",
    rulesets=("RIVER",),
    options="messages:Options",
    letters="RV",
    page=paths.RULES / "river.md",
    dice=DiceKind("river", "R", None, 5, _("Sets with one die of each size, for %(games)s")),
    presenter="presenter:River",
    pure=("table",),
    opening="opening:OPENING",
    throws="api:THROWS",
    chosen=Chosen(
        always=frozenset({"start_round", "bid", "pass", "sell", "withdraw"}),
        ranking=frozenset({"min_raise", "tie", "unit"}),
        sight=("stakes", "pot", "hidden"),
        money=True,
    ),
    odds="odds:ODDS",
    demo="demo:DEMO",
    api="api:API",
)
