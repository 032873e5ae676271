"""The dice that an event records (the raw throw), as each game reads them from its own events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Die:
    """One die as it came to rest. `face` is None if the event does not record it."""

    sides: int
    face: int | None


@dataclass(frozen=True, slots=True)
class RecordedDice:
    """
    The dice that one event records.

    :param player: the token of the thrower; "" if the attendant throws for all.
    :param seals: whether the dice are sealed: their faces may be shown later, or never.
    :param opens: whether dice are shown that were sealed before.
    """

    dice: tuple[Die, ...]
    player: str = ""
    seals: bool = False
    opens: bool = False


Reader = Callable[[Data], RecordedDice | None]
"""(an event's data) -> the dice it records; None: dice were moved, but none was thrown."""


def all_of(sides: int) -> Reader:
    """A reader for events whose `dice` all have the same number of sides."""

    def read(data: Data) -> RecordedDice:
        dice = tuple(Die(sides, face) for face in data["dice"])
        return RecordedDice(dice, player=data.get("player", ""))

    return read
