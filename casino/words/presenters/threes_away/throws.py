"""The dice that events of Threes Away record."""

from typing import Final

from casino.words.presenters.raw_throws import all_of
from games.threes_away.hands import SIDES

THROWS: Final = {"threes_away.dice_thrown": all_of(SIDES)}
