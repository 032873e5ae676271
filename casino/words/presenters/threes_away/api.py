"""Threes Away for programs: its part of the API's description, and the dice in its events."""

from __future__ import annotations

from typing import Final

from casino.words.presenters.registration import ApiField, Described, Example, all_of
from games.threes_away.hands import SIDES

# fmt: off
API: Final = Described(
    name="Threes Away",
    state=(
        ApiField("turn", "anything", "how far the running turn is."),
        ApiField("limit", "anything", "the greatest total that wins the round."),
        ApiField("awaited", "number", "coins of the rollover that are not booked yet."),
    ),
    throw=(ApiField("bottoms", "flag", "the faces underneath count."),),
    round_=(ApiField("scores", "by name", "finished totals, or bust."),),
    notes={"throw.kept": "those of them that were kept."},
    openings=(
        Example(0x105, "Threes Away: progressive, the first thrower drawn by lot", {
            "players": ["Ada", "Bruno", "Cleo"], "stake": 30, "first": "Cleo",
            "options": {"ante": 2, "progressive": "by_round", "bottoms": True},
        }),
    ),
    commands=(
        Example(0x207, "Threes Away: thrown with bottoms called, and what is kept", {
            "do": "throw", "player": "Ada", "dice": [4, 4, 6, 1, 2], "keep": [4, 4],
            "bottoms": True,
        }),
        Example(0x208, "Threes Away: what is kept, as a command of its own", {
            "do": "keep", "player": "Ada", "dice": [3, 3],
        }),
    ),
)
# fmt: on


# The dice that events of Threes Away record.


THROWS: Final = {"threes_away.dice_thrown": all_of(SIDES)}
