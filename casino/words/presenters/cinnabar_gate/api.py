"""Cinnabar Gate for programs: its part of the API's description, and the dice in its events."""

from __future__ import annotations

from typing import Final

from casino.words.presenters.registration import ApiField, Described, Example, all_of
from games.stone import SIDES

# fmt: off
API: Final = Described(
    name="Cinnabar Gate",
    state=(
        ApiField("turn", "anything", "how far the running turn is."),
        ApiField("tied_for", "anything", "best or worst, while a tie is thrown out."),
        ApiField("pockets", "coins", "winnings that are not played for."),
        ApiField("gone", "names"),
    ),
    openings=(
        Example(0x103, "Cinnabar Gate: a pool, with a home throw for this game", {
            "players": ["Ada", "Bruno", "Cleo"], "stake": 40, "home_throw": [1, 3, 6],
            "options": {"variant": "pool", "runs": "straight", "opal": 1},
        }),
    ),
)
# fmt: on


# The dice that events of Cinnabar Gate record.


THROWS: Final = {
    "cinnabar_gate.dice_thrown": all_of(SIDES),
    "cinnabar_gate.home_dice_thrown": all_of(SIDES),
}
