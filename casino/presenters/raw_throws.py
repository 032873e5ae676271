"""What an event shows of dice, as a game reads its own events: the raw throw, nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Die:
    """One die as it came to rest; None: the record does not say on which face."""

    sides: int
    face: int | None


@dataclass(frozen=True, slots=True)
class RecordedDice:
    """
    The dice that one event shows.

    :param player: token of the thrower; empty where the attendant throws for all.
    :param seals: these dice lie sealed: their faces may be shown later, or never.
    :param opens: dice that were sealed are shown.
    """

    dice: tuple[Die, ...]
    player: str = ""
    seals: bool = False
    opens: bool = False


Reader = Callable[[Data], RecordedDice | None]
"""An event's data -> what it shows; None: dice were moved, and none was thrown."""


def all_of(sides: int) -> Reader:
    """Reads `dice` as dice of one size."""

    def read(data: Data) -> RecordedDice:
        dice = tuple(Die(sides, face) for face in data["dice"])
        return RecordedDice(dice, player=data.get("player", ""))

    return read
