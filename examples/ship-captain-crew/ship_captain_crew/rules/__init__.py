"""The rules of Ship, Captain and Crew: pure Python, the same on the server and on a tablet."""

from typing import Final

from games.game import DiceNeeded, Ruleset
from games.wire import wire
from ship_captain_crew.rules import opening, play, report
from ship_captain_crew.rules.messages import OWN
from ship_captain_crew.rules.parse import parse
from ship_captain_crew.rules.report import EXPLAINING, OFFERING

WIRE: Final = wire("ship_captain_crew", OWN)

SHIP_CAPTAIN_CREW: Final = Ruleset(
    id=opening.GAME, version=opening.VERSION, decider=play.DECIDER,
    dice=lambda _opening: DiceNeeded(play.DICE, play.SIDES),
    command_of=report.command_of, parse=parse, encode=WIRE.encode, decode=WIRE.decode,
    offers=OFFERING.offers, view=report.view, outcome=report.outcome, leaders=report.leaders,
    explain=EXPLAINING.explain, so_far=EXPLAINING.so_far,
)  # fmt: skip
