"""Whom a running round stands for, before somebody throws: asked by who watches no-throws (F3)."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Leaders:
    """
    Who would win the round if it ended as it stands, or who would pay.

    :param players: several are level; none: nothing stands yet.
    :param pays: in this game a round is lost and not won: they would be the ones to pay.
    """

    players: tuple[str, ...] = ()
    pays: bool = False


NO_ROUND: Final = Leaders()
