"""Stone Hand in the demo house: how it is opened at random, and its house rules there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.words.presenters.registration import FEES, NO_MONEY, STAKES, Demonstrated

if TYPE_CHECKING:
    import random

    from casino.words.presenters.registration import RandomOpening

RULES: Final = {
    "options": {"rethrow": 1},
    "fee": {"kind": "seat", "amount": 1},
    "home_throws": "house",
    "text": "Stone Hand came up the river with the barge crews. One throw again for everybody:"
    " the first herons gave it to a ferryman who had dropped his glass, and it stayed.",
}


def opening(chance: random.Random) -> RandomOpening:
    if chance.random() < NO_MONEY:
        return {"options": {"mode": chance.choice(("drinks", "scoreboard"))}}
    return {
        "stake": chance.choice(STAKES),
        "house_may_sit": True,
        "options": {
            "rethrow": chance.choice((0, 0, 1, 2)),
            "leave": chance.choice(("forfeit", "refund")),
            "triad_pay": chance.choice(("middle", "all", 2)),
            "tie_owes": chance.choice(("original", "rethrow")),
        },
        "fee": chance.choice(FEES),
    }


DEMO: Final = Demonstrated(
    opening=opening,
    rules=RULES,
    coming={
        "faces": [2, 4, 7],
        "story": "Two herons, four eggs, seven weeks: for the spring, as every year.",
    },
    for_points={"mode": "scoreboard"},
)
