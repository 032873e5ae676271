"""The dice that events of Dice Breaker record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.words.presenters.raw_throws import Die, RecordedDice
from games.dice_breaker.hands import SIDES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.words.presenters.raw_throws import Data, Reader


def _die(data: Data) -> RecordedDice | None:
    """The die that was thrown; None if it was caught in mid-air. Dice it hit do not count (DB2)."""
    if data["lies"] == "caught":
        return None
    return RecordedDice((Die(SIDES, data["value"]),), player=data["player"])


THROWS: Final[Mapping[str, Reader]] = {"dice_breaker.die_thrown": _die}
