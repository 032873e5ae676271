"""Ship, Captain and Crew: an example of a game by another author. rules.md has its rules."""

from pathlib import Path
from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.words.presenters.registration import Chosen, DiceKind, Game

GAME: Final = Game(
    id="ship-captain-crew",
    title=_("Ship, Captain and Crew"),
    place=60,
    package=__name__,
    rules="ship_captain_crew.rules",
    rulesets=("SHIP_CAPTAIN_CREW",),
    options="messages:Options",
    letters="SC",
    page=Path(__file__).parent / "rules.md",
    dice=DiceKind("ships", "W", 6, 5, _("Sets of five d6 for ships, for %(games)s")),
    presenter="presenter:ShipCaptainCrew",
    opening="opening:OPENING",
    throws="throws:THROWS",
    chosen=Chosen(
        either=frozenset({"throw", "stand"}),
        ranking=frozenset({"ties"}),
        sight=("turn", "done", "order"),
    ),
    odds="odds:ODDS",
    demo="demo:DEMO",
)
