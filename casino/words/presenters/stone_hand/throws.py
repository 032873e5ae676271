"""The dice that events of Stone Hand record."""

from typing import Final

from casino.words.presenters.raw_throws import all_of
from games.stone import SIDES

THROWS: Final = {
    "stone_hand.dice_thrown": all_of(SIDES),
    "stone_hand.home_dice_thrown": all_of(SIDES),
}
