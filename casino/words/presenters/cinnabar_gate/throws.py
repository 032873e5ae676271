"""The dice that events of Cinnabar Gate record."""

from typing import Final

from casino.words.presenters.raw_throws import all_of
from games.stone import SIDES

THROWS: Final = {
    "cinnabar_gate.dice_thrown": all_of(SIDES),
    "cinnabar_gate.home_dice_thrown": all_of(SIDES),
}
