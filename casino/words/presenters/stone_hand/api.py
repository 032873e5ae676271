"""Stone Hand for programs: its part of the API's description, and the dice in its events."""

from __future__ import annotations

from typing import Final

from casino.words.presenters.registration import ApiField, Described, Example, all_of
from games.stone import SIDES

# fmt: off
API: Final = Described(
    name="Stone hand",
    state=(
        ApiField("tied", "names", "who throw again to name the loser."),
        ApiField("sitting_out", "names"),
    ),
    openings=(
        Example(0x101, "Stone hand: three players stake 25 coins each", {
            "players": ["Ada", "Bruno", "Cleo"], "stake": 25, "home_throw_policy": "fixed",
        }),
        Example(0x102, "Seats of their own, the house among them, with a fee", {
            "options": {"mode": "pool"},
            "players": [{"name": "Ada", "stake": 40}, {"name": "Bank", "stake": 40, "house": True}],
            "fee": {"kind": "rake", "percent": 5, "cap": 10},
            "occurred_at": "2026-01-31T21:05:00+01:00",
        }),
    ),
)
# fmt: on


# The dice that events of Stone Hand record.


THROWS: Final = {
    "stone_hand.dice_thrown": all_of(SIDES),
    "stone_hand.home_dice_thrown": all_of(SIDES),
}
