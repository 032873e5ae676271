"""Dice Breaker for programs: its part of the API's description, and the dice in its events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.words.presenters.registration import ApiField, Described, Die, Example, RecordedDice
from games.dice_breaker.hands import SIDES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.words.presenters.registration import EventData, Reader

# fmt: off
API: Final = Described(
    name="Dice Breaker",
    state=(
        ApiField("target", "number", "points to win."),
        ApiField("starting", "rows", "how the starting die was broken."),
        ApiField("arena", "rows", "every die of the round, where it is, its face."),
        ApiField("hands", "anything", "what each has so far, in points, and still has to throw."),
        ApiField("play_off", "names"),
        ApiField("spinning", "flag"),
    ),
    throw=(
        ApiField("die", "text", "A1 to A5, trump …"),
        ApiField("value", "number or null"),
        ApiField("breaks", "rows", "Dice that were hit, with their new faces.", alone=True),
        ApiField("out", "names"),
        ApiField("caught", "rows", "Dice that were caught, and by whom.", alone=True),
        ApiField("spinning", "flag"),
    ),
    explained=(ApiField("hands", "rows", "what everybody had at the end."),),
    notes={"throw": "In Dice Breaker `die` and `value` stand in the place of `dice`."},
    openings=(
        Example(0x106, "Dice Breaker: a battle for an ante", {
            "players": ["Ada", "Bruno"], "stake": 20,
            "options": {"mode": "battle", "ante": 5, "target": 33},
        }),
    ),
    commands=(
        Example(0x209, "Dice Breaker: the starting die", {
            "do": "break_start", "player": "Ada", "value": 2,
        }),
        Example(0x20A, "Dice Breaker: a die that breaks one, knocks one out, and is seen to spin", {
            "do": "throw", "player": "Ada", "die": "Ada3", "value": 5,
            "breaks": [{"die": "Bruno1", "value": 2}], "out": ["Bruno4"], "spinning": True,
        }),
        Example(0x20B, "Dice Breaker: a die caught in mid-air", {
            "do": "throw", "player": "Ada", "die": "Ada4", "value": 1,
            "caught": [{"die": "Bruno2", "by": "Bruno"}],
        }),
    ),
)
# fmt: on


# The dice that events of Dice Breaker record.


def _die(data: EventData) -> RecordedDice | None:
    """The die that was thrown; None if it was caught in mid-air. Dice it hit do not count (DB2)."""
    if data["lies"] == "caught":
        return None
    return RecordedDice((Die(SIDES, data["value"]),), player=data["player"])


THROWS: Final[Mapping[str, Reader]] = {"dice_breaker.die_thrown": _die}
