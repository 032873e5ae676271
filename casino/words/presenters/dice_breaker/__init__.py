"""Dice Breaker: the game's registration (docs/decisions/0073)."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.engine.processes import paths
from casino.words.presenters.registration import Chosen, DiceKind, Game

GAME: Final = Game(
    id="dice-breaker",
    title=_("Dice Breaker"),
    place=50,
    package=__name__,
    rules="games.dice_breaker",
    rulesets=("DICE_BREAKER",),
    options="messages:Options",
    letters="DB",
    page=paths.RULES / "dice-breaker.md",
    dice=DiceKind(
        "breaker", "B", 6, 40, _("Boxes of forty d6, for %(games)s"), colours="five colours"
    ),
    presenter="presenter:DiceBreaker",
    opening="opening:OPENING",
    throws="api:THROWS",
    not_fair=frozenset({"dice_breaker.start_broken"}),  # it lies on 6 and is hit (DB1)
    chosen=Chosen(
        always=frozenset({"throw"}),
        ranking=frozenset({"mode", "tie_by", "target"}),
        sight=("scores", "breaking", "play_off"),
    ),
    odds="odds:ODDS",
    demo="demo:DEMO",
    api="api:API",
)
