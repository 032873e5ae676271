"""Threes Away in the demo house: how it is opened and played at random, its house rules there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.words.presenters.registration import FEES, STAKES, Demonstrated

if TYPE_CHECKING:
    import random

    from casino.words.presenters.registration import RandomOpening, Row, Somebody

RULES: Final = {
    "options": {"progressive": "by_round"},
    "fee": {"kind": "rake", "percent": 10, "cap": 3},
    "text": "A pot that nobody wins stays in the bowl by the door, for the next table.",
}


def opening(chance: random.Random) -> RandomOpening:
    return {
        "stake": chance.choice(STAKES),
        "house_may_sit": True,
        "options": {
            "bust": chance.choice(("lowest", "previous", "none")),
            "progressive": chance.choice(("no", "by_round", "triangular")),
            "bottoms": chance.random() < 1 / 4,
            "tie_ante": chance.random() < 1 / 2,
        },
        "fee": chance.choice(FEES),
    }


def _throw(somebody: Somebody, row: Row) -> Row:
    """A throw, sometimes with dice kept at once and sometimes with bottoms called."""
    throw = somebody.thrown(row)
    if row.get("keep") and somebody.chance.random() < 1 / 2:
        throw["keep"] = somebody.some(throw["dice"])
    if row.get("bottoms") and somebody.chance.random() < 1 / 2:
        throw["bottoms"] = True
    return throw


def _keep(somebody: Somebody, row: Row) -> Row:
    return {"player": row["player"], "dice": somebody.some(row["of"])}


DEMO: Final = Demonstrated(
    opening=opening,
    ways={"throw": _throw, "keep": _keep},
    rules=RULES,
)
