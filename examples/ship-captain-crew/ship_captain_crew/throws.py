"""The raw throws in the game's events: which dice each shows."""

from typing import Final

from casino.words.presenters.registration import all_of
from ship_captain_crew.rules.play import SIDES

THROWS: Final = {"ship_captain_crew.dice_thrown": all_of(SIDES)}
