"""The dice that events of River record; sealed dice have no faces until they are revealed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.words.presenters.raw_throws import Die, RecordedDice, all_of
from games.river.hands import SIDES
from games.river.rules import ROLL_OFF_SIDES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.words.presenters.raw_throws import Data, Reader


def _one_of_each(data: Data) -> tuple[Die, ...]:
    return tuple(Die(sides, face) for sides, face in zip(SIDES, data["dice"], strict=True))


def _dice_on_offer(data: Data) -> RecordedDice:
    return RecordedDice(_one_of_each(data))


def _dice_under_seal(data: Data) -> RecordedDice:
    return RecordedDice(
        tuple(Die(sides, None) for sides in SIDES), player=data["player"], seals=True
    )


def _dice_of_revelation(data: Data) -> RecordedDice:
    return RecordedDice(_one_of_each(data), player=data["player"], opens=True)


THROWS: Final[Mapping[str, Reader]] = {
    "river.dice_offered": _dice_on_offer,
    "river.dice_sealed": _dice_under_seal,
    "river.dice_revealed": _dice_of_revelation,
    "river.die_thrown": all_of(ROLL_OFF_SIDES),
}
