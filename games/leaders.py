"""Who leads a running round before a throw, for the surveillance of no throws (F3)."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Leaders:
    """
    The players who would win the round if it ended now, or who would pay.

    :param players: more than one if they are level; none if nobody has a result yet.
    :param pays: whether the game's rounds are lost and not won, so that these players would pay.
    """

    players: tuple[str, ...] = ()
    pays: bool = False


NO_ROUND: Final = Leaders()
